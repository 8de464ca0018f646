/** Organs without abilities, for stand-ins of models that only chat. */

import type { MaybeYield } from '../packages/kit/flow/yielding.ts'
import { MindError } from '../packages/models/mind.ts'
import type { Models } from '../packages/models/models.ts'
import type { WiringDeps } from '../src/agents/create-agent-deps.ts'
import { rank } from '../src/search/rank.ts'
import { lookWithoutIndex } from '../src/search/search.ts'

const cannot = async (): Promise<never> => {
  throw new MindError('refused', 'This model cannot do that.')
}

export const chatOnlyModels: Pick<
  Models,
  | 'isOnThisMachine'
  | 'getParameters'
  | 'ear'
  | 'mouth'
  | 'imagination'
  | 'getAcceptedFiles'
  | 'getContextWindow'
  | 'refusals'
  | 'described'
> = {
  isOnThisMachine: () => false,
  getParameters: async () => null,
  ear: () => ({ hear: cannot }),
  mouth: () => ({ speak: cannot }),
  imagination: () => ({ draw: cannot }),
  getAcceptedFiles: async () => ({ images: false, documents: false }),
  getContextWindow: async () => null,
  refusals: () => [],
  described: async () => [],
}

/** The end of a prompt if no usage is known. */
export const unknownUsage = { input: null, output: null, cached: null, made: null } as const

/** Ignores the clock, so that a replay takes the same turns. */
const steady: MaybeYield = () => undefined

/** A daemon without prices, limits, indexes and document readers. */
export const replyDeps: Pick<
  WiringDeps,
  'prices' | 'documents' | 'histories' | 'search' | 'dailyTokens' | 'keepCallsDays'
> = {
  prices: { getPrice: async () => null },
  documents: {
    sense: async () => ({ kind: 'absent' }),
    read: async () => ({ kind: 'refused', reason: 'missing', words: 'nobody reads here' }),
    readText: async () => ({ kind: 'refused', reason: 'missing', words: 'no one reads here' }),
  },
  histories: { open: cannot },
  search: {
    rank: (_, reading, question) =>
      lookWithoutIndex(
        reading,
        (index) => rank(index, reading, question, steady),
        () => false,
        steady,
      ),
  },
  dailyTokens: null,
  keepCallsDays: 30,
}

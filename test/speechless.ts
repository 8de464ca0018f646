/** Organs that can do nothing, for stand-ins of models that are only spoken to. */

import type { MaybeYield } from '../packages/kit/flow/yielding.ts'
import { MindError } from '../packages/models/mind.ts'
import type { Models } from '../packages/models/models.ts'
import type { WiringDeps } from '../src/agents/agent-deps.ts'
import { rank } from '../src/search/rank.ts'
import { lookWithoutIndex } from '../src/search/search.ts'

const cannot = async (): Promise<never> => {
  throw new MindError('refused', 'This model cannot do that.')
}

export const speechless: Pick<
  Models,
  'ear' | 'mouth' | 'imagination' | 'takes' | 'holds' | 'refusals' | 'described'
> = {
  ear: () => ({ hear: cannot }),
  mouth: () => ({ speak: cannot }),
  imagination: () => ({ draw: cannot }),
  takes: async () => ({ images: false, documents: false }),
  holds: async () => null,
  refusals: () => [],
  described: async () => [],
}

/** What a prompt's end tells where nothing is known. */
export const untold = { input: null, output: null, cached: null, made: null } as const

/** Looks at no clock: what is played again takes the same turns. */
const steady: MaybeYield = () => undefined

/** A daemon without prices, ceilings, indexes and eyes for files. */
export const plain: Pick<
  WiringDeps,
  'prices' | 'documents' | 'histories' | 'search' | 'dailyTokens' | 'keepCallsDays'
> = {
  prices: { of: async () => null },
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

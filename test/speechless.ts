/** Organs that can do nothing, for stand-ins of models that are only spoken to. */

import type { EquipDeps } from '../src/agents/equip.ts'
import { MindError } from '../src/models/mind.ts'
import type { Models } from '../src/models/models.ts'

const cannot = async (): Promise<never> => {
  throw new MindError('refused', 'This model cannot do that.')
}

export const speechless: Pick<Models, 'ear' | 'mouth' | 'imagination' | 'takes'> = {
  ear: () => ({ hear: cannot }),
  mouth: () => ({ speak: cannot }),
  imagination: () => ({ draw: cannot }),
  takes: async () => ({ images: false, documents: false }),
}

/** What a prompt's end tells where nothing is known. */
export const untold = { input: null, output: null, cached: null, made: null } as const

/** A house without prices, ceilings and eyes for files. */
export const plain: Pick<EquipDeps, 'prices' | 'documents' | 'dailyTokens'> = {
  prices: { of: async () => null },
  documents: {
    sense: async () => ({ kind: 'absent' }),
    read: async () => ({ kind: 'refused', reason: 'missing', words: 'nobody reads here' }),
  },
  dailyTokens: null,
}

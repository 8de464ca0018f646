/** Assigns an error of a model to the field that it belongs to, with words that say what to do. */
import type { Fault } from '../shared/answer.ts'
import type { Provider } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

export type OrganPart = 'provider' | 'api_key' | 'model' | 'url'

export interface OrganTrouble {
  readonly part: OrganPart
  readonly words: string
  /** What else can be done; empty for nothing. */
  readonly advice: string
  /** The daemon's own message; empty if the words contain it. */
  readonly reason: string
}

const partTable: Readonly<Record<Fault, OrganPart>> = {
  key_missing: 'api_key',
  key_refused: 'api_key',
  key_malformed: 'api_key',
  no_credit: 'api_key',
  address_wrong: 'url',
  model_unknown: 'model',
  no_list: 'model',
  unreachable: 'provider',
  busy: 'provider',
  failed: 'provider',
}

export interface TroubleAt {
  readonly provider: Provider
  /** True if the user gave an address. */
  readonly hasOwnUrl: boolean
  /** True if the user typed a key. */
  readonly hasTypedKey: boolean
}

export const toTrouble = (fault: Fault, reason: string, at: TroubleAt): OrganTrouble => {
  const { provider, hasOwnUrl, hasTypedKey } = at
  const isLocal = provider === 'local'
  const house = isLocal || hasOwnUrl ? text.organ.server : text.organ.house[provider]
  const trouble = { part: partTable[fault], words: text.organ.fault[fault](house), advice: '', reason }
  // A local organ has no field for a key.
  if (isLocal && trouble.part === 'api_key') return { ...trouble, part: 'provider' }
  if (fault === 'key_refused' && !hasTypedKey) return { ...trouble, words: text.organ.storedRefused(house) }
  if (fault !== 'unreachable' || !hasOwnUrl) return trouble
  const advice = isLocal ? text.organ.ollamaOutside : ''
  return { ...trouble, part: 'url', words: text.organ.nothingThere, advice }
}

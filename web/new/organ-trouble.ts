/** Assigns an error of a model to the field that it belongs to, with words that say what to do. */
import type { Fault, Provider } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

export type OrganPart = 'provider' | 'api_key' | 'model' | 'url'

export interface OrganTrouble {
  readonly part: OrganPart
  readonly words: string
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
  readonly model: string
  /** True if the user gave an address. */
  readonly hasOwnUrl: boolean
  /** True if the user typed a key. */
  readonly hasTypedKey: boolean
}

/** `reason`: the daemon's own message. */
export const toTrouble = (fault: Fault, reason: string, at: TroubleAt): OrganTrouble => {
  const { provider, model, hasOwnUrl, hasTypedKey } = at
  const isHere = provider === 'local' && !hasOwnUrl
  const house = provider === 'local' || hasOwnUrl ? text.organ.server : text.organ.house[provider]
  const trouble = { part: partTable[fault], words: text.organ.fault[fault](house, model), reason }
  if (fault === 'unreachable' && isHere) return { ...trouble, words: text.organ.silentRuntime }
  if (fault === 'model_unknown' && isHere) return { ...trouble, words: text.organ.notFetched(model) }
  if (fault === 'unreachable' && hasOwnUrl) {
    const advice = provider === 'local' ? ` ${text.organ.ollamaOutside}` : ''
    return { ...trouble, part: 'url', words: `${text.organ.nothingThere}${advice}` }
  }
  // A local organ has no field for a key.
  if (trouble.part === 'api_key' && provider === 'local') return { ...trouble, part: 'provider' }
  if (fault === 'key_refused' && !hasTypedKey) return { ...trouble, words: text.organ.storedRefused(house) }
  return trouble
}

/** Assigns an error of a model to the field that it belongs to, with words that say what to do. */
import type { Fault, Provider } from '../shared/shapes.ts'
import { newText } from '../strings/new-words.ts'

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
  const house = provider === 'local' || hasOwnUrl ? newText.organ.server : newText.organ.house[provider]
  const trouble = { part: partTable[fault], words: newText.organ.fault[fault](house, model), reason }
  if (fault === 'unreachable' && isHere) return { ...trouble, words: newText.organ.silentRuntime }
  if (fault === 'model_unknown' && isHere) return { ...trouble, words: newText.organ.notFetched(model) }
  if (fault === 'unreachable' && hasOwnUrl) {
    const advice = provider === 'local' ? ` ${newText.organ.ollamaOutside}` : ''
    return { ...trouble, part: 'url', words: `${newText.organ.nothingThere}${advice}` }
  }
  // A local organ has no field for a key.
  if (trouble.part === 'api_key' && provider === 'local') return { ...trouble, part: 'provider' }
  if (fault === 'key_refused' && !hasTypedKey)
    return { ...trouble, words: newText.organ.storedRefused(house) }
  return trouble
}

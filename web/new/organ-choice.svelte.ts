/** The form state of one organ: provider, key, model, and address if it is not the default. */
import type { Failure } from '../shared/answer.ts'
import type { OrganBody } from '../shared/api.ts'
import { cleanKey, getKeyOwner, type KeyOwner } from '../shared/key-text.ts'
import type { Provider, Slot } from '../shared/shapes.ts'
import { newText } from '../strings/new-words.ts'
import {
  emptyOffer,
  isHere,
  loadOffer,
  type Offer,
  type OfferedModel,
  practiceModel,
  suggestLocalMind,
  type Whereabouts,
} from './offered-models.ts'
import { type OrganPart, type OrganTrouble, toTrouble } from './organ-trouble.ts'
import { offeredProviders, practice } from './providers.ts'

export interface OrganChoiceOptions {
  readonly slot: Slot
  /** The current organ. Without it, the form starts with "none". */
  readonly from?: { readonly provider: Provider; readonly model: string; readonly url?: string } | undefined
  readonly required?: boolean
  /** Returns a key from the Mind's fields of the same form that fits the provider. */
  readonly borrowKey?: (provider: Provider) => string
  /** Returns the organs of the persona, which may have stored keys. */
  readonly getStored?: () => StoredOrgans
}

export interface StoredOrgans {
  readonly personaId: string
  /** The address is empty if it is the provider's default. */
  readonly organs: readonly { readonly slot: Slot; readonly provider: Provider; readonly url: string }[]
}

export class OrganChoice {
  readonly slot: Slot
  readonly required: boolean
  provider = $state<Provider | ''>('')
  model = $state('')
  key = $state('')
  url = $state('')
  /** The invalid field, which the component then focuses. */
  wrongPart = $state<OrganPart | null>(null)
  hasOwnUrl = $state(false)
  offer = $state.raw<Offer | null>(null)
  /** The last error of the daemon about this organ. */
  #refusal = $state.raw<OrganTrouble | null>(null)
  readonly #from: OrganChoiceOptions['from']
  readonly #getStored: OrganChoiceOptions['getStored']
  readonly #borrow: (provider: Provider) => string
  #asked = 0
  #touched: boolean

  constructor({ slot, from, required = false, borrowKey = () => '', getStored }: OrganChoiceOptions) {
    this.slot = slot
    this.required = required
    this.#from = from
    this.#getStored = getStored
    this.#borrow = borrowKey
    this.provider = from?.provider ?? (required ? 'local' : '')
    this.model = from?.model ?? ''
    this.url = from?.url ?? ''
    this.hasOwnUrl = this.url !== ''
    this.#touched = from !== undefined
  }

  get providers(): readonly Provider[] {
    return offeredProviders[this.slot]
  }

  /** Null while they are loading. */
  get models(): readonly OfferedModel[] | null {
    if (!this.offer) return null
    const { models } = this.offer
    // The practice model is a local Mind.
    return this.isHere && this.slot === 'thinking' ? [...models, practiceModel] : models
  }

  get isHere(): boolean {
    return isHere(this.at)
  }

  get at(): Whereabouts {
    const api_key = this.typedKey || this.borrowedKey
    const persona_id = !api_key && this.keySlot !== null ? (this.#getStored?.().personaId ?? '') : ''
    return { provider: this.provider, url: this.url.trim(), api_key, persona_id }
  }

  get typedKey(): string {
    return cleanKey(this.key)
  }

  /** The owner of the typed key, if it is not this provider. Another server may accept any key. */
  get foreignOwner(): KeyOwner | null {
    const owner = this.url.trim() === '' ? getKeyOwner(this.typedKey) : null
    return owner === this.provider ? null : owner
  }

  /** The organ of the persona with the same provider and address, whose stored key can be used. */
  get keySlot(): Slot | null {
    if (this.provider === '' || this.provider === 'local') return null
    const organs = this.#getStored?.().organs ?? []
    const url = this.url.trim()
    const organsThere = organs.filter((organ) => organ.provider === this.provider && organ.url === url)
    const own = organsThere.find(({ slot }) => slot === this.slot)
    return (own ?? organsThere[0])?.slot ?? null
  }

  /** Another organ whose key is used if none is typed. */
  get sharedSlot(): Slot | null {
    if (this.typedKey || this.isSame) return null
    return this.borrowedKey ? 'thinking' : this.keySlot
  }

  get trouble(): OrganTrouble | null {
    if (this.#refusal) return this.#refusal
    const { foreignOwner, offer, provider } = this
    if (foreignOwner !== null)
      return { part: 'api_key', words: newText.organ.keyOf[foreignOwner], reason: '' }
    if (provider === '' || !offer?.fault || offer.fault === 'no_list') return null
    // No error: the user has not given a key yet, or the list of models explains how to get a runtime.
    if (offer.fault === 'key_missing' && !this.typedKey && provider !== 'local') return null
    if (this.isHere) return null
    return this.#toTrouble(offer.fault, offer.reason ?? '', provider)
  }

  /** Only for the default address: a key must not be sent to another server than it was given for. */
  get borrowedKey(): string {
    return this.provider !== '' && this.url.trim() === '' ? this.#borrow(this.provider) : ''
  }

  /** True if the stored key is still valid for this choice. */
  get isSame(): boolean {
    return this.provider === this.#from?.provider && this.url.trim() === (this.#from?.url ?? '')
  }

  /** These organs need another server than the Mind: local ones are rarely served by Ollama. */
  get isBeside(): boolean {
    return this.slot === 'ear' || this.slot === 'mouth' || this.slot === 'imagination'
  }

  /** True if the model is known not to be installed. */
  get isToFetch(): boolean {
    const { offer, model } = this
    const name = model.trim()
    if (!this.isHere || this.isBeside || !offer || offer.reason !== null || !name) return false
    return (
      !name.startsWith('embedded/') && !offer.models.some((other) => trimTag(other.name) === trimTag(name))
    )
  }

  /** Returns null if no organ is chosen. */
  read(): OrganBody | null {
    const { provider, url } = this.at
    if (provider === '') return null
    const organ = { model: this.model.trim(), provider: provider === 'local' ? '' : provider, url }
    if (this.typedKey) return { ...organ, api_key: this.typedKey }
    return this.sharedSlot ? { ...organ, api_key_from: this.sharedSlot } : organ
  }

  /** Shows an error of the daemon at its field. Returns false if it belongs to no field of this organ. */
  complain({ fault, message }: Failure): boolean {
    if (!fault || this.provider === '' || (fault.slot !== null && fault.slot !== this.slot)) return false
    this.#refusal = this.#toTrouble(fault.code, message, this.provider)
    this.wrongPart = this.#refusal.part
    return true
  }

  #toTrouble(fault: NonNullable<Failure['fault']>['code'], reason: string, provider: Provider): OrganTrouble {
    const hasTypedKey = this.typedKey !== '' || this.borrowedKey !== ''
    const { url, model } = this
    return toTrouble(fault, reason, {
      provider,
      model: model.trim(),
      hasOwnUrl: url.trim() !== '',
      hasTypedKey,
    })
  }

  clear(): void {
    this.wrongPart = null
    this.#refusal = null
  }

  /** Returns a message about the missing field and marks it, or an empty string if the form is complete. */
  findProblem(): string {
    if (this.provider === '' || this.model.trim() !== '') return ''
    this.wrongPart = 'model'
    return this.slot === 'thinking'
      ? newText.organ.mindMissing
      : newText.organ.modelMissing(newText.organ.name[this.slot])
  }

  /** Called after the key was sent: keys are never shown again. */
  dropKey(): void {
    this.key = ''
  }

  moveTo(provider: Provider | ''): void {
    // A model name and an address are only valid for their own provider.
    const knownOrgan = this.#from?.provider === provider ? this.#from : undefined
    this.provider = provider
    this.model = knownOrgan?.model ?? ''
    this.url = knownOrgan?.url ?? ''
    this.hasOwnUrl = this.url !== '' || (this.isBeside && provider === 'local')
    this.key = ''
    this.clear()
    this.#touched = knownOrgan !== undefined
    void this.loadOffer()
  }

  onModelInput(model: string): void {
    this.model = model
    this.#touched = true
    if (this.#refusal?.part === 'model') this.#refusal = null
  }

  /** Removes what was pasted around the key, and loads the models that it gives access to. */
  onKeyChange(): void {
    this.key = this.typedKey
    void this.loadOffer()
  }

  /** Chooses the provider that the typed key belongs to. */
  moveWithKey(provider: Provider): void {
    const key = this.typedKey
    this.moveTo(provider)
    this.key = key
    void this.loadOffer()
  }

  /** Loads the offered models. Drops responses to older requests. */
  async loadOffer(): Promise<void> {
    this.#asked += 1
    const request = this.#asked
    this.offer = null
    this.#refusal = null
    if (this.provider === '') return
    // A key is not sent to another provider than its own.
    const offer = this.foreignOwner === null ? await loadOffer(this.slot, this.at) : emptyOffer
    if (request !== this.#asked) return
    this.offer = offer
    this.#suggest(offer)
  }

  /** Preselects a model unless the user has chosen one. The practice model is the last resort of a Mind. */
  #suggest({ models }: Offer): void {
    if (this.#touched) return
    if (this.isHere && this.slot === 'thinking') this.model = suggestLocalMind(models) || practice
    else if (!this.isHere) this.model = models.find(({ isSuggested }) => isSuggested)?.name ?? this.model
  }
}

const trimTag = (name: string) => name.replace(/:latest$/, '')

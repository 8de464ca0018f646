/** The form state of one organ: provider, key, model, and address if it is not the default. */
import type { OrganBody } from '../shared/api.ts'
import type { Provider, Slot } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import {
  isHere,
  loadOffer,
  type Offer,
  type OfferedModel,
  practiceModel,
  suggestModel,
  type Whereabouts,
} from './offered-models.ts'
import { offeredProviders, practice } from './providers.ts'

export interface OrganChoiceOptions {
  readonly slot: Slot
  /** The current organ. Without it, the form starts with "none". */
  readonly from?: { readonly provider: Provider; readonly model: string; readonly url?: string } | undefined
  readonly required?: boolean
  /** Returns a key from elsewhere in the form that fits the provider. */
  readonly borrowKey?: (provider: Provider) => string
}

export type OrganPart = 'model' | 'api_key' | 'url'

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
  readonly #from: OrganChoiceOptions['from']
  readonly #borrow: (provider: Provider) => string
  #asked = 0
  #touched: boolean

  constructor({ slot, from, required = false, borrowKey = () => '' }: OrganChoiceOptions) {
    this.slot = slot
    this.required = required
    this.#from = from
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
    return { provider: this.provider, url: this.url.trim(), api_key: this.key.trim() || this.borrowedKey }
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
    const { provider, url, api_key } = this.at
    if (provider === '') return null
    const organ = { model: this.model.trim(), provider: provider === 'local' ? '' : provider, url }
    return api_key ? { ...organ, api_key } : organ
  }

  /** Returns a message about the missing field and marks it, or an empty string if the form is complete. */
  findProblem(): string {
    if (this.provider === '' || this.model.trim() !== '') return ''
    this.wrongPart = 'model'
    return this.slot === 'thinking'
      ? text.organ.mindMissing
      : text.organ.modelMissing(text.organ.name[this.slot])
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
    this.wrongPart = null
    this.#touched = knownOrgan !== undefined
    void this.loadOffer()
  }

  onModelInput(model: string): void {
    this.model = model
    this.#touched = true
  }

  /** Loads the offered models. Drops responses to older requests. */
  async loadOffer(): Promise<void> {
    this.#asked += 1
    const request = this.#asked
    this.offer = null
    if (this.provider === '') return
    const offer = await loadOffer(this.at)
    if (request !== this.#asked) return
    this.offer = offer
    this.#suggest(offer)
  }

  /** Preselects a local Mind unless the user has chosen one. The practice model is the last resort. */
  #suggest({ models }: Offer): void {
    if (this.slot !== 'thinking' || !this.isHere || this.#touched) return
    this.model = suggestModel(models) || practice
  }
}

const trimTag = (name: string) => name.replace(/:latest$/, '')

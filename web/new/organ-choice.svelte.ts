/** The form state of one organ: provider, key, model, and address if it is not the default. */
import type { OrganBody } from '../shared/api.ts'
import type { Provider, Slot } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import {
  isHere,
  type Offer,
  type OfferedModel,
  offerOf,
  practiceModel,
  suggested,
  type Whereabouts,
} from './offered-models.ts'
import { offered, practice } from './providers.ts'

export interface OrganChoiceOptions {
  readonly slot: Slot
  /** The current organ. Without it, the form starts with "none". */
  readonly from?: { readonly provider: Provider; readonly model: string; readonly url?: string } | undefined
  readonly required?: boolean
  /** Returns a key from elsewhere in the form that fits the provider. */
  readonly borrow?: (provider: Provider) => string
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
  wrong = $state<OrganPart | null>(null)
  elsewhere = $state(false)
  offer = $state.raw<Offer | null>(null)
  readonly #from: OrganChoiceOptions['from']
  readonly #borrow: (provider: Provider) => string
  #asked = 0
  #touched: boolean

  constructor({ slot, from, required = false, borrow = () => '' }: OrganChoiceOptions) {
    this.slot = slot
    this.required = required
    this.#from = from
    this.#borrow = borrow
    this.provider = from?.provider ?? (required ? 'local' : '')
    this.model = from?.model ?? ''
    this.url = from?.url ?? ''
    this.elsewhere = this.url !== ''
    this.#touched = from !== undefined
  }

  get providers(): readonly Provider[] {
    return offered[this.slot]
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
    return { provider: this.provider, url: this.url.trim(), api_key: this.key.trim() || this.lent }
  }

  /** Only for the default address: a key must not be sent to another server than it was given for. */
  get lent(): string {
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
    return !name.startsWith('embedded/') && !offer.models.some((other) => bare(other.name) === bare(name))
  }

  /** Returns null if no organ is chosen. */
  read(): OrganBody | null {
    const { provider, url, api_key } = this.at
    if (provider === '') return null
    const organ = { model: this.model.trim(), provider: provider === 'local' ? '' : provider, url }
    return api_key ? { ...organ, api_key } : organ
  }

  /** Returns a message about the missing field and marks it, or an empty string if the form is complete. */
  missing(): string {
    if (this.provider === '' || this.model.trim() !== '') return ''
    this.wrong = 'model'
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
    const known = this.#from?.provider === provider ? this.#from : undefined
    this.provider = provider
    this.model = known?.model ?? ''
    this.url = known?.url ?? ''
    this.elsewhere = this.url !== '' || (this.isBeside && provider === 'local')
    this.key = ''
    this.wrong = null
    this.#touched = known !== undefined
    void this.look()
  }

  typed(model: string): void {
    this.model = model
    this.#touched = true
  }

  /** Loads the offered models. Drops responses to older requests. */
  async look(): Promise<void> {
    this.#asked += 1
    const mine = this.#asked
    this.offer = null
    if (this.provider === '') return
    const offer = await offerOf(this.at)
    if (mine !== this.#asked) return
    this.offer = offer
    this.#suggest(offer)
  }

  /** Preselects a local Mind unless the user has chosen one. The practice model is the last resort. */
  #suggest({ models }: Offer): void {
    if (this.slot !== 'thinking' || !this.isHere || this.#touched) return
    this.model = suggested(models) || practice
  }
}

const bare = (name: string) => name.replace(/:latest$/, '')

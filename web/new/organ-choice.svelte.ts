/**
 * One organ as a person chooses it: who serves it, with which key, which model, and at which address if not
 * the usual one.
 */
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
  /** What is there now; without it a choice to have none stands first. */
  readonly from?: { readonly provider: Provider; readonly model: string; readonly url?: string } | undefined
  readonly required?: boolean
  /** A key given elsewhere in the form that serves here too. */
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
  /** Which field is wrong; whoever draws it puts the keyboard there. */
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

  /** Null while it is looked for. */
  get models(): readonly OfferedModel[] | null {
    if (!this.offer) return null
    const { models } = this.offer
    // The stand-in is a Mind, and of this machine.
    return this.isHere && this.slot === 'thinking' ? [...models, practiceModel] : models
  }

  get isHere(): boolean {
    return isHere(this.at)
  }

  get at(): Whereabouts {
    return { provider: this.provider, url: this.url.trim(), api_key: this.key.trim() || this.lent }
  }

  /** Only for the usual address: a key goes nowhere it was not given for. */
  get lent(): string {
    return this.provider !== '' && this.url.trim() === '' ? this.#borrow(this.provider) : ''
  }

  /** Where it was left as it is, a kept key stays. */
  get isSame(): boolean {
    return this.provider === this.#from?.provider && this.url.trim() === (this.#from?.url ?? '')
  }

  /** Not spoken to, but served beside what is: on this machine seldom by Ollama. */
  get isBeside(): boolean {
    return this.slot === 'ear' || this.slot === 'mouth' || this.slot === 'imagination'
  }

  /** It is known not to be here yet. */
  get isToFetch(): boolean {
    const { offer, model } = this
    const name = model.trim()
    if (!this.isHere || this.isBeside || !offer || offer.reason !== null || !name) return false
    return !name.startsWith('embedded/') && !offer.models.some((one) => bare(one.name) === bare(name))
  }

  /** Null where no organ was chosen. */
  read(): OrganBody | null {
    const { provider, url, api_key } = this.at
    if (provider === '') return null
    const said = { model: this.model.trim(), provider: provider === 'local' ? '' : provider, url }
    return api_key ? { ...said, api_key } : said
  }

  /** What keeps it from being asked for, in words; empty when nothing does. */
  missing(): string {
    if (this.provider === '' || this.model.trim() !== '') return ''
    this.wrong = 'model'
    return this.slot === 'thinking'
      ? text.organ.mindMissing
      : text.organ.modelMissing(text.organ.name[this.slot])
  }

  /** A key is shown to nobody again, and goes once it was sent. */
  dropKey(): void {
    this.key = ''
  }

  moveTo(provider: Provider | ''): void {
    // A name and an address of one provider are none in another.
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

  /** Asks anew what is offered; an answer that was overtaken is dropped. */
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

  /** Only where nobody has chosen: practice is for a machine that has nothing else. */
  #suggest({ models }: Offer): void {
    if (this.slot !== 'thinking' || !this.isHere || this.#touched) return
    this.model = suggested(models) || practice
  }
}

const bare = (name: string) => name.replace(/:latest$/, '')

/**
 * The providers: what is known of each beside how it is spoken to, which its adapter knows. Another one is a
 * row here, its name among the facts' `Provider`, and the file of its adapter. In the order in which they are
 * listed.
 */
import type { Provider } from '../../../journal/facts/fact-values.ts'
import type { Takes } from '../sense-models.ts'
import type { Adapter } from './adapter.ts'

/** `openai` is the real one; `compatible` any other server that speaks its protocol. */
export type Service = Provider | 'compatible'

/** Organs that are not spoken to. */
export type Craft = 'Ear' | 'Mouth' | 'Imagination'

interface ServiceRow {
  /** What a sentence calls it. */
  readonly title: string
  /** The path behind its address. */
  readonly version: 'v1' | 'v1beta'
  readonly keyHeader: (key: string) => Readonly<Record<string, string>>
  /** Where a person gets a key. */
  readonly keyPage: string | null
  readonly takes: Takes
  /** Tokens that its models hold at least. */
  readonly holds: number | null
  /** Loaded when it is first spoken to. */
  readonly adapter: () => Promise<{ readonly adapter: Adapter }>
}

interface ProviderRow extends ServiceRow {
  /** Where the provider itself is. */
  readonly url: string
  readonly urlVariable: string
  /** The first that is set counts. */
  readonly keyVariables: readonly string[]
  /** Whether it makes vectors of texts. */
  readonly embeds: boolean
  /** What it does not offer, in a sentence. */
  readonly cannot: Readonly<Partial<Record<Craft, string>>>
}

/** Source: https://ai.google.dev/gemini-api/docs/image-understanding#supported-formats. */
const geminiPictures = ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']
/** Source: https://docs.x.ai/docs/guides/image-understanding. */
const xaiPictures = ['image/png', 'image/jpeg']

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

export const providerTable: Readonly<Record<Provider, ProviderRow>> = {
  anthropic: {
    title: 'Anthropic',
    url: 'https://api.anthropic.com',
    urlVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
    version: 'v1',
    keyHeader: (key) => ({ 'x-api-key': key }),
    keyPage: 'https://console.anthropic.com/settings/keys',
    takes: { images: true, documents: true },
    holds: 200_000,
    embeds: false,
    cannot: {
      Ear: 'Anthropic cannot listen to recordings.',
      Mouth: 'Anthropic offers no speech.',
      Imagination: 'Anthropic draws no pictures.',
    },
    adapter: () => import('./anthropic.ts'),
  },
  gemini: {
    title: 'Gemini',
    url: 'https://generativelanguage.googleapis.com',
    urlVariable: 'GEMINI_BASE_URL',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    version: 'v1beta',
    keyHeader: (key) => ({ 'x-goog-api-key': key }),
    keyPage: 'https://aistudio.google.com/apikey',
    takes: { images: true, pictures: geminiPictures, documents: true },
    holds: 1_000_000,
    embeds: true,
    cannot: {},
    adapter: () => import('./gemini.ts'),
  },
  openai: {
    title: 'OpenAI',
    url: 'https://api.openai.com',
    urlVariable: 'OPENAI_BASE_URL',
    keyVariables: ['OPENAI_API_KEY'],
    version: 'v1',
    keyHeader: bearer,
    keyPage: 'https://platform.openai.com/api-keys',
    takes: { images: true, documents: true },
    holds: 128_000,
    embeds: true,
    cannot: {},
    adapter: () => import('./openai.ts'),
  },
  xai: {
    title: 'xAI',
    url: 'https://api.x.ai',
    urlVariable: 'XAI_BASE_URL',
    keyVariables: ['XAI_API_KEY'],
    version: 'v1',
    keyHeader: bearer,
    keyPage: 'https://console.x.ai',
    takes: { images: true, pictures: xaiPictures, documents: false },
    holds: 128_000,
    embeds: false,
    cannot: { Ear: 'xAI cannot listen to recordings here.', Mouth: 'xAI offers no speech here.' },
    adapter: () => import('./xai.ts'),
  },
}

/** What a server of somebody's own can look at is known only by showing it. */
const compatible: ServiceRow = {
  title: 'The model server',
  version: 'v1',
  keyHeader: bearer,
  keyPage: null,
  takes: { images: true, documents: false },
  holds: null,
  adapter: () => import('./compatible.ts'),
}

export const serviceTable: Readonly<Record<Service, ServiceRow>> = { ...providerTable, compatible }

export const adapterOf = async (service: Service): Promise<Adapter> =>
  (await serviceTable[service].adapter()).adapter

/** A value for each, in the table's order. */
export const perProvider = <T>(of: (row: ProviderRow, name: Provider) => T): Readonly<Record<Provider, T>> =>
  Object.fromEntries(
    Object.entries(providerTable).map(([name, row]) => [name, of(row, name as Provider)]),
  ) as Readonly<Record<Provider, T>>

/** Configured addresses, without a trailing slash or `/v1`. */
export type ProviderUrls = Readonly<Record<Provider | 'local', string>>

/** Keys for organs that have none of their own; never stored, shown or logged. */
export type ProviderKeys = Readonly<Record<Provider, string | null>>

/**
 * The properties of the providers, except for their protocols, which the adapters implement. In display
 * order. To add one, add a row here, its name and bit in `providerBits` (facts/fact-values.ts), and
 * its adapter.
 */
import type { Provider } from '../../../facts/fact-values.ts'
import type { Takes } from '../sense-models.ts'
import type { Adapter } from './adapter.ts'
import type { Service } from './address.ts'

/** Organs without a chat. */
export type Craft = 'Ear' | 'Mouth' | 'Imagination'

interface ServiceRow {
  /** The name in sentences. */
  readonly title: string
  /** The version path below its address. */
  readonly version: 'v1' | 'v1beta'
  readonly keyHeader: (key: string) => Readonly<Record<string, string>>
  /** The web page on which users get a key. */
  readonly keyPage: string | null
  readonly takes: Takes
  /** The smallest context window of its models, in tokens. */
  readonly holds: number | null
  /** Loaded on the first use. */
  readonly adapter: () => Promise<{ readonly adapter: Adapter }>
}

interface ProviderRow extends ServiceRow {
  /** The provider's own address. */
  readonly url: string
  readonly urlVariable: string
  /** The first variable that is set counts. */
  readonly keyVariables: readonly string[]
  /** Whether it offers embeddings. */
  readonly embeds: boolean
  /** The organs it does not support, each with a sentence. */
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

/** Whether a compatible server accepts pictures is known only after trying. */
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

export const getAdapter = async (service: Service): Promise<Adapter> =>
  (await serviceTable[service].adapter()).adapter

/** Creates a value for each provider, in the table's order. */
export const perProvider = <T>(
  toValue: (row: ProviderRow, name: Provider) => T,
): Readonly<Record<Provider, T>> =>
  Object.fromEntries(
    Object.entries(providerTable).map(([name, row]) => [name, toValue(row, name as Provider)]),
  ) as Readonly<Record<Provider, T>>

/** Configured addresses, without a trailing slash or `/v1`. */
export type ProviderUrls = Readonly<Record<Provider | 'local', string>>

/** For organs without their own key. Never stored, shown or logged. */
export type ProviderKeys = Readonly<Record<Provider, string | null>>

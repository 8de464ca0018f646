/**
 * The search providers. Each has one row here and one adapter file. Prices are US dollars per search, from
 * the pages in `priceSource`.
 */
import type { SearchProvider } from '../../facts/fact-values.ts'
import type { SearchAdapter } from './search-provider.ts'

interface SearchProviderRow {
  readonly title: string
  /** Null if only the user can name the address. */
  readonly url: string | null
  readonly urlVariable: string
  /** The first variable that is set counts. Empty if it takes no key. */
  readonly keyVariables: readonly string[]
  /** The web page on which users get a key. */
  readonly keyPage: string | null
  /** The usual price of one search. Null if it is part of a plan. */
  readonly usd: number | null
  readonly priceSource: string | null
  /** If present, it has only pages of this host and its subdomains. */
  readonly onlySite?: string
  /** Searches per day and persona, if the user sets no other number. */
  readonly dailyLimit: number
  /** Loaded on the first use. */
  readonly adapter: () => Promise<SearchAdapter>
}

/** Date of the prices below. */
export const searchPricesDated = '2026-11-28'

export const searchProviderTable: Readonly<Record<SearchProvider, SearchProviderRow>> = {
  wikipedia: {
    title: 'Wikipedia',
    url: 'https://en.wikipedia.org',
    urlVariable: 'WIKIPEDIA_BASE_URL',
    keyVariables: [],
    keyPage: null,
    usd: 0,
    priceSource: null,
    onlySite: 'wikipedia.org',
    dailyLimit: 100,
    adapter: async () => (await import('./wikipedia.ts')).wikipediaSearch,
  },
  searxng: {
    title: 'SearXNG',
    url: null,
    urlVariable: 'SEARXNG_BASE_URL',
    keyVariables: [],
    keyPage: null,
    usd: 0,
    priceSource: null,
    dailyLimit: 100,
    adapter: async () => (await import('./searxng.ts')).searxngSearch,
  },
  brave: {
    title: 'Brave Search',
    url: 'https://api.search.brave.com',
    urlVariable: 'BRAVE_BASE_URL',
    keyVariables: ['BRAVE_SEARCH_API_KEY', 'BRAVE_API_KEY'],
    keyPage: 'https://api-dashboard.search.brave.com/app/keys',
    usd: 0.005,
    priceSource: 'https://brave.com/search/api/',
    dailyLimit: 50,
    adapter: async () => (await import('./brave.ts')).braveSearch,
  },
  tavily: {
    title: 'Tavily',
    url: 'https://api.tavily.com',
    urlVariable: 'TAVILY_BASE_URL',
    keyVariables: ['TAVILY_API_KEY'],
    keyPage: 'https://app.tavily.com/home',
    usd: 0.008,
    priceSource: 'https://docs.tavily.com/documentation/api-credits',
    dailyLimit: 50,
    adapter: async () => (await import('./tavily.ts')).tavilySearch,
  },
  exa: {
    title: 'Exa',
    url: 'https://api.exa.ai',
    urlVariable: 'EXA_BASE_URL',
    keyVariables: ['EXA_API_KEY'],
    keyPage: 'https://dashboard.exa.ai/api-keys',
    usd: 0.005,
    priceSource: 'https://exa.ai/pricing',
    dailyLimit: 50,
    adapter: async () => (await import('./exa.ts')).exaSearch,
  },
  ollama: {
    title: 'Ollama web search',
    url: 'https://ollama.com',
    urlVariable: 'OLLAMA_SEARCH_BASE_URL',
    keyVariables: ['OLLAMA_API_KEY'],
    keyPage: 'https://ollama.com/settings/keys',
    usd: null,
    priceSource: null,
    dailyLimit: 50,
    adapter: async () => (await import('./ollama.ts')).ollamaSearch,
  },
}

/** Creates a value for each provider, in the table's order. */
export const perSearchProvider = <T>(
  toValue: (row: SearchProviderRow, name: SearchProvider) => T,
): Readonly<Record<SearchProvider, T>> =>
  Object.fromEntries(
    Object.entries(searchProviderTable).map(([name, row]) => [name, toValue(row, name as SearchProvider)]),
  ) as Readonly<Record<SearchProvider, T>>

/** Configured addresses without a trailing slash; null if there is none. */
export type SearchUrls = Readonly<Record<SearchProvider, string | null>>

/** Keys of the environment. Never stored, shown or logged. */
export type SearchKeys = Readonly<Record<SearchProvider, string | null>>

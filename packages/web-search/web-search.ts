/** Searches the web at one provider, within limits of time and size, and checks and cleans the results. */
import type { SearchProvider } from '../../facts/fact-values.ts'
import type { Network } from '../kit/network/network.ts'
import { NetworkError } from '../kit/network/network-error.ts'
import { readLimited } from '../kit/network/read-limited.ts'
import { version } from '../kit/version.ts'
import type { RawAnswer, RawResult, SearchQuery, SearchResult } from './search-provider.ts'
import {
  type SearchKeys,
  type SearchUrls,
  searchPricesDated,
  searchProviderTable,
} from './search-provider-table.ts'

export interface WebSearch {
  /** Returns the address and the key that a search would use, or the reason why none is possible. */
  resolve(choice: SearchChoice): ResolvedSearch
  /** Throws SearchFailed, or the signal's reason. */
  search(choice: SearchChoice, query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer>
}

/** A provider as the user set it up. Null means the environment's address and key. */
export interface SearchChoice {
  readonly provider: SearchProvider
  readonly url: string | null
  readonly key: string | null
}

export type ResolvedSearch =
  | { readonly missing: 'key' | 'url' }
  | { readonly missing: null; readonly url: string; readonly key: string | null }

export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  /** Null if the price is unknown. */
  readonly price: { readonly usd: number; readonly dated: string } | null
}

/**
 * `key`: the provider refuses the key. `limit`: too many searches, or the plan is used up. `unreachable`: no
 * answer. `answer`: an answer that cannot be read. The message is a clause without the key and the query.
 */
export class SearchFailed extends Error {
  override readonly name = 'SearchFailed'
  readonly kind: 'key' | 'limit' | 'unreachable' | 'answer'
  constructor(kind: SearchFailed['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export interface WebSearchDeps {
  readonly network: Pick<Network, 'remote'>
  readonly urls: SearchUrls
  readonly keys: SearchKeys
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Max milliseconds of a search. */
  readonly timeoutMs?: number
}

const maxResults = 8
/** Results that are requested, because duplicates are removed. */
const requestedResults = 10
/** UTF-16 units. */
const maxTitle = 200
const maxExcerpt = 600
const maxUrl = 2000
const maxBytes = 1024 * 1024

export const createWebSearch = ({
  network,
  urls,
  keys,
  now,
  timeoutMs = 15_000,
}: WebSearchDeps): WebSearch => {
  const resolve = ({ provider, url: ownUrl, key: ownKey }: SearchChoice): ResolvedSearch => {
    const { url: usualUrl, keyVariables } = searchProviderTable[provider]
    const url = ownUrl ?? urls[provider] ?? usualUrl
    if (!url) return { missing: 'url' }
    // A key of the environment is only sent to the address that the environment configures.
    const key = ownKey ?? (ownUrl === null ? keys[provider] : null)
    return keyVariables.length > 0 && key === null ? { missing: 'key' } : { missing: null, url, key }
  }

  const request = async (
    choice: SearchChoice,
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<RawAnswer> => {
    const endpoint = resolve(choice)
    if (endpoint.missing !== null) throw new SearchFailed('key', `it has no ${endpoint.missing}`)
    const adapter = await searchProviderTable[choice.provider].adapter()
    const { url, headers = {}, body } = adapter.toRequest(query, endpoint, requestedResults, now())
    const response = await network.remote(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'user-agent': `Daimon/${version} (searches for the person it talks with)`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      credentials: 'omit',
      signal,
    })
    const text = await readText(response)
    if (!response.ok) throw refusalOf(response.status, choice.provider)
    const answer = adapter.read(parseJson(text), query, endpoint)
    if (!answer) throw new SearchFailed('answer', 'its answer has an unknown form')
    return answer
  }

  return {
    resolve,
    search: async (choice, query, signal) => {
      const deadline = AbortSignal.timeout(timeoutMs)
      try {
        const { results, usd } = await request(choice, query, AbortSignal.any([signal, deadline]))
        return { results: cleanResults(results, query), price: getPrice(choice.provider, usd) }
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof SearchFailed) throw error
        if (deadline.aborted)
          throw new SearchFailed('unreachable', `it did not answer within ${timeoutMs / 1000} s`)
        if (error instanceof NetworkError) throw new SearchFailed('unreachable', error.message)
        throw error
      }
    },
  }
}

const getPrice = (provider: SearchProvider, statedUsd: number | undefined): SearchAnswer['price'] => {
  const usd = statedUsd ?? searchProviderTable[provider].usd
  return usd === null ? null : { usd, dated: searchPricesDated }
}

const readText = async (response: Response): Promise<string> => {
  const bytes = await readLimited(response.body, maxBytes)
  if (!bytes) throw new SearchFailed('answer', 'its answer is larger than 1 MiB')
  return bytes.toString('utf8')
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new SearchFailed('answer', 'its answer is not JSON')
  }
}

/** The statuses 432 and 433 are Tavily's: the limit of the plan, and the limit that the user set there. */
const refusalOf = (status: number, provider: SearchProvider): SearchFailed => {
  if (status === 403 && provider === 'searxng')
    return new SearchFailed(
      'answer',
      'it does not offer JSON (status 403): add json to search.formats in its settings',
    )
  if (status === 401 || status === 403)
    return new SearchFailed('key', `it refuses the key (status ${status})`)
  if ([402, 429, 432, 433].includes(status))
    return new SearchFailed('limit', `its limit is reached (status ${status})`)
  return new SearchFailed('unreachable', `it answers with status ${status}`)
}

/** Removes results without a usable address, duplicates, and pages of other hosts than the requested one. */
const cleanResults = (results: readonly RawResult[], { site }: SearchQuery): readonly SearchResult[] => {
  const identities = new Set<string>()
  const cleaned: SearchResult[] = []
  for (const result of results) {
    const url = toPageUrl(result.url)
    if (!url || (site !== null && !isOfSite(url, site))) continue
    const identity = identify(url)
    if (identities.has(identity)) continue
    identities.add(identity)
    const title = toLine(result.title, maxTitle)
    cleaned.push({
      title: title === '' ? url.host : title,
      url: url.href,
      date: toDate(result.date),
      excerpt: toLine(result.excerpt, maxExcerpt),
    })
    if (cleaned.length === maxResults) break
  }
  return cleaned
}

/** Returns null unless it is a web address without credentials. */
const toPageUrl = (value: unknown): URL | null => {
  if (typeof value !== 'string' || value.length > maxUrl || !URL.canParse(value)) return null
  const url = new URL(value)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url
}

const isOfSite = ({ hostname }: URL, site: string): boolean =>
  hostname === site || hostname.endsWith(`.${site}`)

/** The same page has one identity, with or without `www.`, a final slash, and parameters of campaigns. */
const identify = ({ hostname, pathname, searchParams }: URL): string => {
  const parameters = [...searchParams].filter(([name]) => !/^(?:utm_\w+|fbclid|gclid)$/.test(name)).sort()
  return JSON.stringify([hostname.replace(/^(?:www|m)\./, ''), pathname.replace(/\/$/, ''), parameters])
}

const toLine = (value: unknown, maxUnits: number): string => {
  if (typeof value !== 'string') return ''
  const line = value
    .slice(0, maxUnits * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > maxUnits ? `${line.slice(0, maxUnits - 1).toWellFormed()}…` : line.toWellFormed()
}

/** Returns `YYYY-MM-DD`, or null for anything else than a date between 1990 and 2100. */
const toDate = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 60) return null
  const timeMs = Date.parse(value)
  if (Number.isNaN(timeMs)) return null
  const date = /^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? new Date(timeMs).toISOString().slice(0, 10)
  return date >= '1990' && date < '2100' ? date : null
}

/** Normalizes a site such as `https://www.Example.org/path` to its host. Returns null if it is no host. */
export const toSite = (text: string): string | null => {
  const name = text.trim().toLowerCase()
  const address = /^https?:\/\//.test(name) ? name : `https://${name}`
  if (!URL.canParse(address)) return null
  const { hostname } = new URL(address)
  return hostname.includes('.') ? hostname.replace(/^www\./, '') : null
}

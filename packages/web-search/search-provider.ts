/** The interface of a search provider, and the forms of queries and results. */
import type * as z from 'zod'

export const recencies = ['day', 'week', 'month', 'year'] as const
export type Recency = (typeof recencies)[number]

export interface SearchQuery {
  readonly words: string
  /** Only pages of this age, if the provider supports it. */
  readonly recency: Recency | null
  /** Only pages of this host and its subdomains. */
  readonly site: string | null
}

export interface SearchResult {
  readonly title: string
  readonly url: string
  /** `YYYY-MM-DD`; null if the provider states none. */
  readonly date: string | null
  readonly excerpt: string
}

/** A result as the provider sent it, not checked yet. */
export interface RawResult {
  readonly title?: unknown
  readonly url?: unknown
  readonly date?: unknown
  readonly excerpt?: unknown
}

export interface SearchEndpoint {
  /** Without a trailing slash. */
  readonly url: string
  readonly key: string | null
}

interface SearchRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON. Absent for a GET request. */
  readonly body?: unknown
}

export interface RawAnswer {
  readonly results: readonly RawResult[]
  /** US dollars, if the provider states the cost of this search. */
  readonly usd?: number
}

export interface SearchAdapter {
  /** `now` in epoch milliseconds. */
  toRequest(query: SearchQuery, endpoint: SearchEndpoint, maxResults: number, now: number): SearchRequest
  /** Returns null if the answer has another form. */
  read(body: unknown, query: SearchQuery, endpoint: SearchEndpoint): RawAnswer | null
}

/** For providers that understand `site:` in the query. */
export const withSite = ({ words, site }: SearchQuery): string => (site ? `${words} site:${site}` : words)

/** Creates a `read` for answers of a schema. It returns null for answers of another form. */
export const createRead =
  <Body>(
    schema: z.ZodType<Body>,
    toAnswer: (body: Body, query: SearchQuery, endpoint: SearchEndpoint) => RawAnswer,
  ): SearchAdapter['read'] =>
  (body, query, endpoint) => {
    const answer = schema.safeParse(body)
    return answer.success ? toAnswer(answer.data, query, endpoint) : null
  }

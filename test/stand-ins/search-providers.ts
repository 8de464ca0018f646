/**
 * All search providers on one port, each with its own path, method, key and form of answer, as their public
 * documentation states. A request in another form is answered as the provider would answer it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SearchProvider } from '../../facts/fact-values.ts'
import { perSearchProvider, type SearchUrls } from '../../packages/web-search/search-provider-table.ts'

interface FoundPage {
  readonly title: string
  readonly url: string
  readonly text: string
  readonly date?: string
}

export interface SearchRequest {
  readonly provider: SearchProvider
  readonly query: string
  readonly recency: string | null
  readonly sites: readonly string[]
}

export interface SearchProviders {
  readonly urls: SearchUrls
  readonly requests: SearchRequest[]
  /** The pages that every provider finds. */
  pages: readonly FoundPage[]
  /** Answers of the provider instead of its results. */
  readonly answers: Partial<Record<SearchProvider, (response: ServerResponse) => void>>
  close(): Promise<void>
}

export const searchKey = 'search-key-4711'

export const openSearchProviders = async (): Promise<SearchProviders> => {
  const requests: SearchRequest[] = []
  const answers: SearchProviders['answers'] = {}

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://stand.in')
    const [, name = '', ...rest] = url.pathname.split('/')
    const provider = name as SearchProvider
    const asked = await readRequest(provider, `/${rest.join('/')}`, url, request)
    if (typeof asked === 'number') return send(response, asked, { error: 'refused' })
    requests.push({ provider, ...asked })
    const special = answers[provider]
    if (special) return special(response)
    send(response, 200, toAnswer(provider, providers.pages))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const providers: SearchProviders = {
    urls: perSearchProvider((_, name) => `http://127.0.0.1:${port}/${name}`),
    requests,
    pages: [],
    answers,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return providers
}

const send = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

type Asked = Omit<SearchRequest, 'provider'>

/** Returns a status if the provider would refuse the request. */
const readRequest = async (
  provider: SearchProvider,
  path: string,
  { searchParams }: URL,
  request: IncomingMessage,
): Promise<Asked | number> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const json = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}
  const { headers, method } = request
  const bearer = headers.authorization === `Bearer ${searchKey}`
  switch (provider) {
    case 'brave':
      if (method !== 'GET' || path !== '/res/v1/web/search') return 404
      if (headers['x-subscription-token'] !== searchKey) return 401
      return fromQuery(searchParams, { pd: 'day', pw: 'week', pm: 'month', py: 'year' }, 'freshness')
    case 'tavily':
      if (method !== 'POST' || path !== '/search') return 404
      if (!bearer) return 401
      return { query: json.query, recency: json.time_range ?? null, sites: json.include_domains ?? [] }
    case 'exa':
      if (method !== 'POST' || path !== '/search') return 404
      if (headers['x-api-key'] !== searchKey) return 401
      return {
        query: json.query,
        recency: json.startPublishedDate ?? null,
        sites: json.includeDomains ?? [],
      }
    case 'ollama':
      if (method !== 'POST' || path !== '/api/web_search') return 404
      return bearer ? { query: json.query, recency: null, sites: [] } : 401
    case 'searxng':
      if (method !== 'GET' || path !== '/search') return 404
      return searchParams.get('format') === 'json'
        ? fromQuery(searchParams, { day: 'day', week: 'week', month: 'month', year: 'year' }, 'time_range')
        : 403
    case 'wikipedia':
      if (method !== 'GET' || path !== '/w/rest.php/v1/search/page') return 404
      return fromQuery(searchParams, {}, '')
  }
}

const fromQuery = (
  query: URLSearchParams,
  recencies: Readonly<Record<string, string>>,
  recencyName: string,
): Asked | number => {
  const words = query.get('q')
  if (!words) return 422
  const [, text = '', site] = /^(.*?)(?: site:(\S+))?$/.exec(words) ?? []
  const recency = query.get(recencyName)
  return {
    query: text,
    recency: recency === null ? null : (recencies[recency] ?? 'unknown'),
    sites: site ? [site] : [],
  }
}

const toAnswer = (provider: SearchProvider, pages: readonly FoundPage[]): unknown => {
  switch (provider) {
    case 'brave':
      return {
        type: 'search',
        web: {
          results: pages.map(({ title, url, text, date }) => ({
            title,
            url,
            description: text,
            ...(date && { age: 'some time ago', page_age: `${date}T08:00:00` }),
          })),
        },
      }
    case 'tavily':
      return {
        answer: null,
        results: pages.map(({ title, url, text: content, date }) => ({
          title,
          url,
          content,
          score: 0.8,
          ...(date && { published_date: new Date(`${date}T10:00:00Z`).toUTCString() }),
        })),
      }
    case 'exa':
      return {
        requestId: 'r1',
        results: pages.map(({ title, url, text, date }) => ({
          id: url,
          title,
          url,
          publishedDate: date ? `${date}T00:00:00.000Z` : null,
          highlights: [text],
        })),
        costDollars: { total: 0.0071 },
      }
    case 'ollama':
      return { results: pages.map(({ title, url, text: content }) => ({ title, url, content })) }
    case 'searxng':
      return {
        query: 'q',
        number_of_results: 0,
        results: pages.map(({ title, url, text: content, date }) => ({
          title,
          url,
          content,
          engine: 'stand-in',
          publishedDate: date ? `${date}T00:00:00` : null,
        })),
      }
    case 'wikipedia':
      return {
        pages: pages.map(({ title, url, text }, id) => ({
          id,
          key: url.split('/').at(-1) ?? '',
          title,
          excerpt: text,
          description: 'an article',
        })),
      }
  }
}

/** Searches at each provider over a real socket, and what a wrong answer leads to. */
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { SearchProvider } from '../../../facts/fact-values.ts'
import {
  openSearchProviders,
  type SearchProviders,
  searchKey,
} from '../../../test/stand-ins/search-providers.ts'
import { createNetwork, type Network } from '../../kit/network/network.ts'
import type { SearchQuery } from '../search-provider.ts'
import { perSearchProvider, searchProviderTable } from '../search-provider-table.ts'
import { createWebSearch, SearchFailed, toSite, type WebSearch } from '../web-search.ts'

let providers: SearchProviders
let network: Network
let search: WebSearch

const now = Date.UTC(2026, 10, 28)

test.before.each(async () => {
  providers = await openSearchProviders()
  network = createNetwork({ env: {} })
  const keys = perSearchProvider(({ keyVariables }) => (keyVariables.length > 0 ? searchKey : null))
  search = createWebSearch({ network, urls: providers.urls, keys, now: () => now, timeoutMs: 2000 })
})
test.after.each(async () => {
  await network.close()
  await providers.close()
})

const lighthouse = {
  title: 'Lighthouse',
  url: 'https://en.wikipedia.org/wiki/Lighthouse',
  text: 'A lighthouse is a tower.',
  date: '2026-05-12',
}
const query = (fields: Partial<SearchQuery> = {}): SearchQuery => ({
  words: 'lighthouse near me',
  recency: null,
  site: null,
  ...fields,
})
const toOwnChoice = (provider: SearchProvider) => ({ provider, url: null, key: null })
const ask = (provider: SearchProvider, fields?: Partial<SearchQuery>) =>
  search.search(toOwnChoice(provider), query(fields), new AbortController().signal)
const failure = async (provider: SearchProvider): Promise<SearchFailed> => {
  const error = await ask(provider).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof SearchFailed)) throw new Error(`no failure of ${provider}: ${error}`)
  return error
}

for (const provider of SearchProvider.options)
  test(`reads title, address, date and excerpt from ${provider}`, async () => {
    providers.pages = [lighthouse]
    const { results, price } = await ask(provider)
    const [firstResult] = results
    is(results.length, 1)
    is(firstResult?.title, 'Lighthouse')
    match(firstResult?.url ?? '', '/wiki/Lighthouse')
    match(firstResult?.excerpt ?? '', 'A lighthouse is a tower.')
    is(firstResult?.date, ['wikipedia', 'ollama'].includes(provider) ? null : '2026-05-12')
    is(price?.usd ?? null, provider === 'exa' ? 0.0071 : searchProviderTable[provider].usd)
    equal(
      providers.requests.map((request) => request.query),
      ['lighthouse near me'],
    )
  })

test('restricts a search to an age and a site where the provider supports it', async () => {
  for (const provider of SearchProvider.options)
    await ask(provider, { recency: 'week', site: 'en.wikipedia.org' })
  const byProvider = Object.fromEntries(providers.requests.map(({ provider, ...rest }) => [provider, rest]))
  is(byProvider.brave?.recency, 'week')
  is(byProvider.tavily?.recency, 'week')
  is(byProvider.searxng?.recency, 'week')
  is(byProvider.exa?.recency, '2026-11-21T00:00:00.000Z')
  for (const provider of ['brave', 'tavily', 'exa', 'searxng'])
    equal(byProvider[provider]?.sites, ['en.wikipedia.org'], provider)
})

test('removes markup, duplicates, unusable addresses and pages of other sites', async () => {
  providers.pages = [
    { title: '<b>A &amp; B</b>', url: 'https://www.a.example/x/?utm_source=n', text: 'one\n<i>two</i>' },
    { title: 'again', url: 'https://a.example/x#part', text: '' },
    { title: '', url: 'http://user:word@a.example/', text: '' },
    { title: '', url: 'javascript:alert(1)', text: '' },
    { title: '', url: 'https://b.example/', text: '' },
    { title: 'x'.repeat(5000), url: 'https://shop.a.example/', text: 'y'.repeat(5000) },
  ]
  const { results } = await ask('brave', { site: 'a.example' })
  equal(
    results.map(({ url }) => url),
    ['https://www.a.example/x/?utm_source=n', 'https://shop.a.example/'],
  )
  equal([results[0]?.title, results[0]?.excerpt], ['A & B', 'one two'])
  ok((results[1]?.title.length ?? 0) <= 200 && (results[1]?.excerpt.length ?? 0) <= 600)
})

test('returns at most eight results, and none without a match', async () => {
  providers.pages = Array.from({ length: 30 }, (_, n) => ({
    title: `${n}`,
    url: `https://a.example/${n}`,
    text: '',
  }))
  is((await ask('searxng')).results.length, 8)
  providers.pages = []
  equal((await ask('brave')).results, [])
  providers.answers.brave = (response) => void response.end('{"type":"search"}')
  equal((await ask('brave')).results, [])
})

test('names the cause of a failure, without the key and the query', async () => {
  const rows: readonly (readonly [status: number, kind: SearchFailed['kind']])[] = [
    [401, 'key'],
    [403, 'key'],
    [402, 'limit'],
    [429, 'limit'],
    [432, 'limit'],
    [433, 'limit'],
    [500, 'unreachable'],
  ]
  for (const [status, kind] of rows) {
    providers.answers.tavily = (response) =>
      void response.writeHead(status).end(JSON.stringify({ detail: `${searchKey} lighthouse near me` }))
    const { kind: faultKind, message } = await failure('tavily')
    is(faultKind, kind, String(status))
    match(message, String(status))
    not.match(message, searchKey)
    not.match(message, 'lighthouse')
  }
  providers.answers.searxng = (response) => void response.writeHead(403).end()
  match((await failure('searxng')).message, 'search.formats')
})

test('fails on answers that are no JSON, too large, in another form, redirects, or too slow', async () => {
  const rows: readonly (readonly [
    answer: NonNullable<SearchProviders['answers']['exa']>,
    message: RegExp,
  ])[] = [
    [(response) => void response.end('<html>'), /not JSON/],
    [(response) => void response.end('x'.repeat(1024 * 1024 + 1)), /larger than 1 MiB/],
    [(response) => void response.end('{"results":"none"}'), /unknown form/],
    [
      (response) => void response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
      /elsewhere/,
    ],
    [(response) => void response.flushHeaders(), /within 2 s/],
    [(response) => void response.destroy(), /./],
  ]
  for (const [answer, message] of rows) {
    providers.answers.exa = answer
    match((await failure('exa')).message, message)
  }
})

test('stops when the signal is aborted', async () => {
  const controller = new AbortController()
  providers.answers.exa = () => controller.abort(new Error('stopped by the test'))
  const error = await search
    .search(toOwnChoice('exa'), query(), controller.signal)
    .catch((reason: unknown) => reason)
  match(String(error), 'stopped by the test')
})

test('sends a key of the environment only to the address of the environment', () => {
  is(search.resolve({ provider: 'brave', url: 'https://proxy.example', key: null }).missing, 'key')
  equal(search.resolve({ provider: 'brave', url: 'https://proxy.example', key: 'own' }), {
    missing: null,
    url: 'https://proxy.example',
    key: 'own',
  })
  const empty = createWebSearch({
    network,
    urls: perSearchProvider(() => null),
    keys: perSearchProvider(() => null),
    now: () => now,
  })
  is(empty.resolve(toOwnChoice('searxng')).missing, 'url')
  is(empty.resolve(toOwnChoice('tavily')).missing, 'key')
  equal(empty.resolve(toOwnChoice('wikipedia')), {
    missing: null,
    url: 'https://en.wikipedia.org',
    key: null,
  })
})

test('reads a host from a site', () => {
  equal(['example.org', 'https://www.Example.org/path?q=1', 'localhost', 'a b', ''].map(toSite), [
    'example.org',
    'example.org',
    null,
    null,
    null,
  ])
})

test.run()

/** The search providers of a persona over HTTP: choice, keys, permissions, and a test search. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { SearchProvider } from '../../facts/fact-values.ts'
import { searchProviderTable } from '../../packages/web-search/search-provider-table.ts'
import { call } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { openSearchProviders, searchKey } from '../stand-ins/search-providers.ts'
import { json, shareSetup } from './setup.ts'

const standIns = await openSearchProviders()
const env = Object.fromEntries(
  SearchProvider.options.map((name) => [searchProviderTable[name].urlVariable, standIns.urls[name] ?? '']),
)
const setup = shareSetup(test, { env })
test.after(() => standIns.close())

const send = async (method: string, path: string, body: unknown) => {
  const reply = await setup.send({ method, path, headers: json, body: JSON.stringify(body) })
  return [reply.status, JSON.parse(reply.text)] as const
}
const put = (home: string, body: unknown) => send('PUT', `${home}/search-providers`, body)
const find = (view: { providers: { provider: string }[] }, name: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the bodies
  view.providers.find(({ provider }) => provider === name) as any

test('searches Wikipedia without a choice, and asks before the first search', async () => {
  const home = await setup.home()
  const [status, view] = await setup.get(`${home}/search-providers`)
  is(status, 200)
  equal(
    view.providers.map(({ provider, position, mode }: Record<string, unknown>) => [provider, position, mode]),
    [
      ['wikipedia', 1, 'ask'],
      ...['searxng', 'brave', 'tavily', 'exa', 'ollama'].map((name) => [name, null, 'ask']),
    ],
  )
  is(find(view, 'brave').missing, 'key')
  is(view.reads_results, false)
})

test('stores the order, limits and keys, and never returns a key', async () => {
  const home = await setup.home()
  const [status, view] = await put(home, {
    providers: [
      { provider: 'brave', key: searchKey, daily_limit: 3 },
      { provider: 'searxng', url: 'http://localhost:8888/' },
    ],
    reads_results: true,
  })
  is(status, 200)
  not.match(JSON.stringify(view), searchKey)
  equal(
    [find(view, 'brave').position, find(view, 'brave').key, find(view, 'brave').daily_limit],
    [1, 'own', 3],
  )
  equal([find(view, 'searxng').position, find(view, 'searxng').url], [2, 'http://localhost:8888'])
  is(find(view, 'wikipedia').position, null)
  is(view.reads_results, true)

  // Without a key, or with the mask, the stored key stays. With null, it is removed from the disk.
  const secrets = join(setup.daemon.home, 'personas', home.split('/').at(-1) ?? '', 'secrets')
  for (const key of [undefined, '***'])
    is(find((await put(home, { providers: [{ provider: 'brave', key }] }))[1], 'brave').key, 'own')
  match((await readFile(secrets)).toString('latin1'), searchKey)
  is(find((await put(home, { providers: [{ provider: 'brave', key: null }] }))[1], 'brave').key, null)
  is((await put(home, { providers: [] }))[1].reads_results, true)
  const facts = (await setup.facts(home.split('/').at(-1) ?? '')).join('\n')
  not.match(facts, searchKey)
  not.match((await readFile(secrets)).toString('latin1'), searchKey)
})

test('does not send a stored key to another address', async () => {
  const home = await setup.home()
  await put(home, { providers: [{ provider: 'brave', key: searchKey }] })
  const [, view] = await put(home, { providers: [{ provider: 'brave', url: 'https://proxy.example' }] })
  equal([find(view, 'brave').key, find(view, 'brave').missing], [null, 'key'])
})

test('refuses lists that are not valid', async () => {
  const home = await setup.home()
  const rows: readonly (readonly [body: unknown, status: number])[] = [
    [{}, 422],
    [{ providers: [{ provider: 'bing' }] }, 422],
    [{ providers: [{ provider: 'exa' }, { provider: 'exa' }] }, 422],
    [{ providers: [{ provider: 'searxng', url: 'ftp://a.example' }] }, 422],
    [{ providers: [{ provider: 'searxng', url: 'http://user:word@a.example' }] }, 422],
    [{ providers: [{ provider: 'exa', key: 'two words' }] }, 422],
    [{ providers: [{ provider: 'exa', daily_limit: -1 }] }, 422],
    [{ providers: [{ provider: 'wikipedia', key: 'k' }] }, 400],
  ]
  for (const [body, expected] of rows) is((await put(home, body))[0], expected, JSON.stringify(body))
  is((await setup.get('/api/persona/nobody/search-providers'))[0], 404)
})

test('sets the permission of a provider, which another address ends', async () => {
  const home = await setup.home()
  const patch = (name: string, mode: string) => send('PATCH', `${home}/search-providers/${name}`, { mode })
  is(find((await patch('exa', 'off'))[1], 'exa').mode, 'off')
  is(find((await patch('searxng', 'allow'))[1], 'searxng').mode, 'allow')
  const moved = await put(home, { providers: [{ provider: 'searxng', url: 'http://other.example' }] })
  is(find(moved[1], 'searxng').mode, 'changed')
  is((await patch('bing', 'allow'))[0], 404)
  is((await patch('exa', 'sometimes'))[0], 422)
})

test('tests an address and a key before they are stored, and names the fault', async () => {
  const home = await setup.home()
  standIns.pages = [{ title: 'Lighthouse', url: 'https://a.example/', text: '' }]
  const run = (name: string, body = {}) => send('POST', `${home}/search-providers/${name}/test`, body)
  equal(await run('wikipedia'), [200, { found: 1, fault: null, reason: null }])
  equal((await run('brave', { key: searchKey }))[1].found, 1)
  is((await run('brave', { key: 'wrong' }))[1].fault, 'key')
  is((await run('brave'))[1].fault, 'key')
  match((await run('searxng', { url: 'http://127.0.0.1:9' }))[1].reason, 'SearXNG: ')
  await put(home, { providers: [{ provider: 'tavily', key: searchKey }] })
  equal((await run('tavily'))[1].found, 1)
  ok(standIns.requests.every(({ query }) => query === 'lighthouse'))
})

test('offers no search if it is switched off', async () => {
  const daemon = await startDaemon({ models: setup.models, env: { DAIMON_WEB_SEARCH: 'off' } })
  try {
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Bo',
      thinking_model: 'llama',
    })
    const home = `/api/persona/${body.persona.id}`
    is((await call(daemon.url, 'GET', `${home}/search-providers`)).status, 404)
    const { body: tools } = await call(daemon.url, 'GET', `${home}/tools`)
    ok(!tools.builtin.some(({ name }: { name: string }) => name === 'search_web'))
  } finally {
    await daemon.close()
  }
})

test.run()

/** The practice mind searches the web when the user asks for it, over a daemon with a stand-in provider. */
import { test } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { call, type Reply, waitFor } from '../calls.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { openSearchProviders, type SearchProviders, searchKey } from '../stand-ins/search-providers.ts'

interface Talk {
  readonly providers: SearchProviders
  /** Returns the answer of the persona. */
  say(message: string): Promise<string>
  allow(mode: 'allow' | 'ask' | 'off'): Promise<unknown>
  request(method: 'GET' | 'PATCH' | 'POST' | 'PUT', path: string, body?: object): Promise<Reply>
}

const withTalk = async (play: (talk: Talk) => Promise<void>) => {
  const providers = await openSearchProviders()
  providers.pages = [
    { title: 'Lighthouses', url: 'https://www.a.example/lighthouses', text: 'Towers by the sea.' },
    { title: '', url: 'https://b.example/', text: '' },
  ]
  const env = { DAIMON_GREETING: 'off', BRAVE_BASE_URL: providers.urls.brave ?? '' }
  const daemon: TestDaemon = await startDaemon({ env })
  try {
    const created = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'embedded/practice',
    })
    const path = `/api/persona/${created.body.persona.id}`
    const request: Talk['request'] = (method, subPath, body) =>
      call(daemon.url, method, `${path}${subPath}`, body)
    await request('PUT', '/search-providers', { providers: [{ provider: 'brave', key: searchKey }] })
    await play({
      providers,
      request,
      say: async (message) => (await request('POST', '/read?wait=30', { message })).body.reply.content,
      allow: (mode) => request('PATCH', '/search-providers/brave', { mode }),
    })
  } finally {
    await daemon.close()
    await providers.close()
  }
}

test('answers with the first results and their hosts, in the language of the user', () =>
  withTalk(async ({ allow, say, providers }) => {
    await allow('allow')
    match(
      await say('Please look up old lighthouses'),
      'I searched the web for “old lighthouses”. I only repeat what these pages say:\n- Lighthouses (a.example): Towers by the sea.\n- b.example (b.example)',
    )
    match(await say('search the web for the tallest lighthouse'), 'Lighthouses (a.example)')
    match(
      await say('Such im Netz nach Leuchttürmen'),
      /im Netz nach „Leuchttürmen“ gesucht.*\n- Lighthouses \(a\.example\)/,
    )
    equal(
      providers.requests.map(({ query }) => query),
      ['old lighthouses', 'the tallest lighthouse', 'Leuchttürmen'],
    )
  }))

test('says that nothing was found, and that searching is switched off', () =>
  withTalk(async ({ allow, say, providers }) => {
    await allow('allow')
    providers.pages = []
    match(await say('look up glimmerfish'), 'I searched the web for “glimmerfish” and found nothing.')
    await allow('off')
    match(await say('look up glimmerfish again'), /could not search the web: no search service can be used/)
    match(await say('suche im Internet nach Glimmerfischen'), /konnte nicht im Netz suchen/)
    is(providers.requests.length, 1)
  }))

test('says that it may not search if the user declines', () =>
  withTalk(async ({ say, request, providers }) => {
    const answer = say('look up lighthouses')
    const listOpen = async () => (await request('GET', '/approvals')).body.approvals
    await waitFor('the question', async () => (await listOpen()).length > 0)
    await request('POST', `/approvals/${(await listOpen())[0].id}`, { decision: 'no' })
    match(await answer, /may not search the web: you have not allowed it/)
    is(providers.requests.length, 0)
  }))

test.run()

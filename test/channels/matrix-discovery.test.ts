/** How the address of a homeserver is found from the text that a user types. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Fetch } from '../../packages/kit/network/network.ts'
import { NetworkError } from '../../packages/kit/network/network-error.ts'
import type { Zone } from '../../packages/kit/network/zone.ts'
import { discoverHomeserver } from '../../src/channels/matrix/discover-homeserver.ts'
import { TokenRefused } from '../../src/commands/bots.ts'
import { neverAborts } from './telegram-house.ts'

/** Answers by address. Records each request with its zone. */
const createAnswers = (answers: Readonly<Record<string, () => Response | Error>>) => {
  const requests: string[] = []
  const getNamedFetch =
    (zone: Zone): Fetch =>
    async (input) => {
      requests.push(`${zone} ${input}`)
      const answer = answers[String(input)]?.() ?? new Response(null, { status: 404 })
      if (answer instanceof Error) throw answer
      return answer
    }
  return { requests, find: (text: string) => discoverHomeserver(text, { getNamedFetch }, neverAborts) }
}

const getError = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

const wellKnown = 'https://example.org/.well-known/matrix/client'
const delegate = (url: unknown) => () => Response.json({ 'm.homeserver': { base_url: url } })
const redirect = (location: string) => () => new Response(null, { status: 302, headers: { location } })

test('uses an address with a scheme as it is, without a request', async () => {
  const { find, requests } = createAnswers({})
  for (const [text, base] of [
    [' https://matrix.example.org// ', 'https://matrix.example.org'],
    ['https://example.org/matrix/', 'https://example.org/matrix'],
    ['http://127.0.0.1:8008', 'http://127.0.0.1:8008'],
    ['http://synapse:8008', 'http://synapse:8008'],
  ] as const)
    assert.equal(await find(text), { base, zone: 'machine' })
  assert.equal(requests, [])
})

test('asks the server of a name or a user id for the address', async () => {
  const { find, requests } = createAnswers({ [wellKnown]: delegate('https://matrix.example.org/') })
  const found = { base: 'https://matrix.example.org', zone: 'internet' }
  assert.equal(await find('example.org'), found)
  assert.equal(await find('@ada:example.org'), found)
  assert.equal(requests, [`machine ${wellKnown}`, `machine ${wellKnown}`])
  const near = createAnswers({
    'https://nas.local/.well-known/matrix/client': delegate('http://192.168.1.5:8008'),
  })
  assert.equal(await near.find('nas.local'), { base: 'http://192.168.1.5:8008', zone: 'network' })
})

test('takes the name itself if the server names no other address', async () => {
  const ownAddress = { base: 'https://example.org', zone: 'machine' }
  for (const answer of [
    () => new Response(null, { status: 404 }),
    () => new NetworkError('nothing answers there'),
  ])
    assert.equal(await createAnswers({ [wellKnown]: answer }).find('example.org'), ownAddress)
  assert.equal(await createAnswers({}).find('example.org:8448'), {
    base: 'https://example.org:8448',
    zone: 'machine',
  })
})

test('follows redirects to https only, at most three of them', async () => {
  const other = 'https://www.example.org/matrix'
  const { find, requests } = createAnswers({
    [wellKnown]: redirect(other),
    [other]: delegate('https://matrix.example.org'),
  })
  assert.is((await find('example.org')).base, 'https://matrix.example.org')
  assert.equal(requests, [`machine ${wellKnown}`, `internet ${other}`])
  for (const location of ['http://127.0.0.1/', 'file:///etc/passwd', wellKnown]) {
    const answers = createAnswers({ [wellKnown]: redirect(location) })
    assert.is((await answers.find('example.org')).base, 'https://example.org')
    assert.ok(answers.requests.length <= 4)
  }
})

test('refuses an answer that names no usable address', async () => {
  for (const answer of [
    ...[5, '', 'matrix.example.org', 'ftp://example.org', 'https://ada:secret@example.org'].map(delegate),
    () => Response.json({}),
    () => new Response('no JSON'),
    () => new Response('x'.repeat(100_000)),
    delegate('http://matrix.example.org'),
  ])
    assert.instance(await getError(createAnswers({ [wellKnown]: answer }).find('example.org')), TokenRefused)
})

test('refuses a text that is no address', async () => {
  const { find, requests } = createAnswers({})
  for (const text of [
    ...['', ' ', 'two words', 'example.org/path', 'a@b:c', '@ada', 'javascript://x', 'https://', 'ftp://x'],
    ...['https://ada:secret@example.org', 'https://example.org/?a=b', 'http://example.org', 'x'.repeat(600)],
  ])
    assert.instance(await getError(find(text)), TokenRefused, text)
  assert.equal(requests, [])
})

test.run()

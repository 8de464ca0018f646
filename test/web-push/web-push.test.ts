/**
 * Notifications to a browser with a closed page, through a push service that decrypts them like a browser.
 */
import { randomBytes } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { type Overrides, startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { listenTo } from '../listener.ts'
import { openPushService, type PushBrowser, type PushService, pushReach } from '../stand-ins/push-service.ts'

interface World {
  service: PushService
  home: string
  lines: string[]
  ends: (() => Promise<unknown>)[]
}
const test = suite<World>('web push')
test.before.each(async (world) => {
  world.service = await openPushService()
  world.home = await tempHome()
  world.lines = []
  world.ends = [() => rm(world.home, { recursive: true, force: true }), world.service.close]
})
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

const startDaemonFor = async (world: World, overrides: Overrides = {}): Promise<TestDaemon> => {
  const { home, lines } = world
  const loggedLines = { logTo: (line: string) => void lines.push(line), env: { DAIMON_LOG_LEVEL: 'trace' } }
  const daemon = await startDaemon({ home, reach: pushReach, ...loggedLines, ...overrides })
  world.ends.push(daemon.close)
  return daemon
}

const born = async ({ url }: TestDaemon, name = 'Mira'): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })).body.persona
    .id

const getKey = async ({ url }: TestDaemon): Promise<string> =>
  (await call(url, 'GET', '/api/push')).body.public_key

/** Returns a browser with a subscription. */
const subscribe = async (daemon: TestDaemon, service: PushService): Promise<PushBrowser> => {
  const browser = service.browser(await getKey(daemon))
  assert.equal((await call(daemon.url, 'POST', '/api/push', browser.subscription)).body, {
    status: 'subscribed',
  })
  return browser
}

const tell = ({ url }: TestDaemon, id: string, message: string) =>
  call(url, 'POST', `/api/persona/${id}/read?wait=20`, { message })

const getPayloads = ({ pushedMessages }: PushService) =>
  pushedMessages.map(({ payload }) => payload as Record<string, unknown>)

test('pushes an encrypted answer if no page is connected, and none otherwise', async (world) => {
  const { service } = world
  const daemon = await startDaemonFor(world)
  const id = await born(daemon)
  const browser = await subscribe(daemon, service)
  await tell(daemon, id, 'My name is Mia.')
  await waitFor('it is told', () => service.pushedMessages.length > 0 || service.wrong[0])
  assert.equal(service.wrong, [])
  const [{ browser: pushedBrowser, ttl, urgency } = { browser: '', ttl: '', urgency: '' }] =
    service.pushedMessages
  assert.equal([pushedBrowser, ttl, urgency], [browser.name, '86400', 'high'])
  const [words] = getPayloads(service)
  assert.equal([words?.kind, words?.persona, words?.name], ['said', id, 'Mira'])
  assert.match(String(words?.words), /^Nice to meet you, Mia\./)

  const listener = await listenTo(daemon.url, `/ws/${id}`)
  const callCountBefore = service.getRequestCount()
  await tell(daemon, id, 'Thanks!')
  await waitFor('it is heard', () => listener.frames.some(({ type }) => type === 'chat_message'))
  listener.leave()
  // Messages are sent in order: this one would come after the answer.
  await call(daemon.url, 'POST', '/api/push/try', { endpoint: browser.subscription.endpoint })
  assert.equal(getPayloads(service).at(-1), { kind: 'trial' })
  assert.is(service.getRequestCount(), callCountBefore + 1)
})

test('pushes due entries to every browser, even if a page is connected', async (world) => {
  const { service } = world
  const clock = createFakeClock()
  const daemon = await startDaemonFor(world, { clock })
  const id = await born(daemon)
  await subscribe(daemon, service)
  await subscribe(daemon, service)
  const listener = await listenTo(daemon.url, `/ws/${id}`)
  await tell(daemon, id, 'Remind me in 2 minutes to water the plants')
  const answeredCount = service.getRequestCount()
  await waitFor('it is told', async () => {
    await clock.advance(30_000)
    return service.pushedMessages.length >= answeredCount + 2
  })
  listener.leave()
  assert.is(answeredCount, 0)
  assert.is(new Set(service.pushedMessages.map(({ browser }) => browser)).size, 2)
  for (const payload of getPayloads(service)) assert.match(String(payload.words), /water the plants/)
})

test('truncates long texts and names between characters to fit a push', async (world) => {
  const { service } = world
  const daemon = await startDaemonFor(world)
  const id = await born(daemon, '🌱'.repeat(60))
  await subscribe(daemon, service)
  await tell(daemon, id, `My name is ${'🌱'.repeat(200)}.`)
  await waitFor('it is told', () => service.pushedMessages.length > 0 || service.wrong[0])
  assert.equal(service.wrong, [])
  const [words] = getPayloads(service)
  assert.ok(String(words?.name).length <= 80 && String(words?.words).length <= 240)
  assert.ok(String(words?.name).isWellFormed() && String(words?.words).isWellFormed())
})

test('retries a busy push service later and in order, and not one that refuses', async (world) => {
  const { service } = world
  const clock = createFakeClock()
  const daemon = await startDaemonFor(world, { clock, random: () => 1 })
  const id = await born(daemon)
  await subscribe(daemon, service)
  service.answers.push([503], [429, { 'retry-after': '120' }])
  await tell(daemon, id, 'My name is Mia.')
  await tell(daemon, id, 'What do you know about me?')
  await waitFor('it is asked', () => service.getRequestCount() === 1)
  await clock.advance(4_999)
  assert.is(service.getRequestCount(), 1)
  await clock.advance(1)
  await waitFor('it is asked again', () => service.getRequestCount() === 2)
  await clock.advance(129_999)
  assert.is(service.getRequestCount(), 2, 'respects the delay that the push service requests')
  await clock.advance(1)
  await waitFor('both are told', () => service.pushedMessages.length === 2)
  assert.match(String(getPayloads(service)[0]?.words), /^Nice to meet you/)
  assert.match(String(getPayloads(service)[1]?.words), /^Here is what I know/)

  service.answers.push([403])
  await tell(daemon, id, 'Thanks!')
  await waitFor('it is refused', () => service.getRequestCount() === 5)
  await clock.advance(60 * 60_000)
  assert.is(service.getRequestCount(), 5)
})

test('removes a browser that unsubscribed; the others and the key persist over a restart', async (world) => {
  const { service, home } = world
  const first = await startDaemonFor(world)
  const key = await getKey(first)
  const goneSubscriber = await subscribe(first, service)
  const stays = await subscribe(first, service)
  service.answers.push([410])
  const tryReply = await call(first.url, 'POST', '/api/push/try', {
    endpoint: goneSubscriber.subscription.endpoint,
  })
  assert.equal([tryReply.status, tryReply.body.detail], [404, 'This browser is not subscribed.'])
  await first.close()
  assert.is((await stat(join(home, 'push'))).mode & 0o777, 0o600)

  const second = await startDaemonFor(world)
  assert.is(await getKey(second), key)
  const id = await born(second)
  await tell(second, id, 'My name is Mia.')
  await waitFor('it is told', () => service.pushedMessages.length > 0)
  assert.equal(
    service.pushedMessages.map(({ browser }) => browser),
    [stays.name],
  )

  const { endpoint } = stays.subscription
  assert.equal((await call(second.url, 'POST', '/api/push/forget', { endpoint })).body, {
    status: 'forgotten',
  })
  assert.is((await call(second.url, 'POST', '/api/push/forget', { endpoint })).status, 404)
  const callCountBefore = service.getRequestCount()
  await tell(second, id, 'Thanks!')
  assert.is((await call(second.url, 'POST', '/api/push/try', { endpoint })).status, 404)
  assert.is(service.getRequestCount(), callCountBefore)
})

test('logs no endpoint, and of a failure only the host', async (world) => {
  const { service, lines } = world
  const daemon = await startDaemonFor(world)
  const id = await born(daemon)
  const browser = await subscribe(daemon, service)
  await service.close()
  const { endpoint } = browser.subscription
  const tryReply = await call(daemon.url, 'POST', '/api/push/try', { endpoint })
  assert.equal(
    [tryReply.status, tryReply.body.detail],
    [400, 'The push service of this browser could not be reached: nothing answers there.'],
  )
  await tell(daemon, id, 'My name is Mia.')
  await waitFor('it is logged', () => lines.find((line) => line.includes('failed to notify a browser')))
  await daemon.close()
  const { p256dh, auth } = browser.subscription.keys
  for (const secret of [browser.name, p256dh, auth])
    assert.equal(
      lines.filter((line) => line.includes(secret)),
      [],
    )
})

test('replaces a damaged file, which blocks nothing', async (world) => {
  await writeFile(join(world.home, 'push'), randomBytes(300))
  const daemon = await startDaemonFor(world)
  const id = await born(daemon)
  assert.is((await tell(daemon, id, 'Hello')).status, 200)
  assert.is(Buffer.from(await getKey(daemon), 'base64url').length, 65)
  await subscribe(daemon, world.service)
  await tell(daemon, id, 'Hello again')
  await waitFor('it is told', () => world.service.pushedMessages.length > 0)
})

const bad = (subscription: PushBrowser['subscription']): readonly (readonly [object, string])[] => {
  const { endpoint, keys } = subscription
  const with_ = (changes: object) => ({ endpoint, keys: { ...keys, ...changes } })
  return [
    [{}, 'endpoint'],
    [{ endpoint }, 'keys'],
    [{ endpoint: 'http://push.example/x', keys }, 'endpoint'],
    [{ endpoint: 'https://mia:word@push.example/x', keys }, 'endpoint'],
    [{ endpoint: 'file:///etc/passwd', keys }, 'endpoint'],
    [{ endpoint: 'push', keys }, 'endpoint'],
    [{ endpoint: `https://push.example/${'x'.repeat(3000)}`, keys }, 'endpoint'],
    [with_({ auth: 'short' }), 'auth'],
    [with_({ auth: `${keys.auth}!` }), 'auth'],
    [with_({ p256dh: keys.auth }), 'p256dh'],
    [with_({ p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64url') }), 'p256dh'],
    [with_({ p256dh: 7 }), 'p256dh'],
  ]
}

test('refuses an invalid subscription with the wrong field, and stores nothing of it', async (world) => {
  const daemon = await startDaemonFor(world)
  const browser = world.service.browser(await getKey(daemon))
  for (const [body, field] of bad(browser.subscription)) {
    const { status, body: pushReply } = await call(daemon.url, 'POST', '/api/push', body)
    assert.equal([status, pushReply.detail[0].loc.at(-1)], [422, field], JSON.stringify(body))
  }
  const { endpoint } = browser.subscription
  assert.is((await call(daemon.url, 'POST', '/api/push/try', { endpoint })).status, 404)
  assert.is(world.service.getRequestCount(), 0)
})

test.run()

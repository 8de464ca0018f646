/** Delivery of facts to webhooks: order, retries, dead letters, replay, secrets and erasure. */
import { mkdir, readFile, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { sign } from '../../src/subscriptions/webhook.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { isSignedWith, openReceiver } from './receiver.ts'
import {
  createPersona,
  put,
  readJournal,
  remember,
  show,
  start,
  subscriptionSuite,
  waitUntilDelivered,
} from './setup.ts'

const test = subscriptionSuite('webhooks of subscriptions')

test('signs the vector of the specification', async () => {
  const signedBytes = Buffer.from('msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}')
  assert.is(
    await sign('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signedBytes),
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('delivers every fact from the beginning in order, as the journal shows it, signed', async (world) => {
  const { receiver } = world
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  await remember(daemon, ada, 'Likes tea.')
  const { status, body } = await put(daemon, 'audit', {
    webhook: { url: receiver.url },
    words: true,
    start: 'beginning',
  })
  assert.is(status, 200)
  assert.match(body.secret, /^whsec_/)
  assert.equal(body.subscription.webhook, { url: receiver.url, secret: '***' })
  const bea = await createPersona(daemon, 'Bea')
  for (let n = 0; n < 20; n++) await remember(daemon, n % 2 ? ada : bea, `Thing ${n}.`)
  await waitUntilDelivered(daemon, 'audit')
  for (const id of [ada, bea]) assert.equal(receiver.facts(id), await readJournal(daemon, id))
  for (const batch of receiver.requests) {
    assert.ok(isSignedWith(body.secret, batch))
    assert.is(batch.data.subscription, 'audit')
  }
  assert.is(new Set(receiver.requests.map(({ id }) => id)).size, receiver.requests.length)
})

test('begins now by default, and leaves out text and facts that are not for readers outside', async (world) => {
  const { receiver } = world
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  await remember(daemon, ada, 'Before.')
  const [{ seq: last }] = (await readJournal(daemon, ada)).slice(-1)
  await put(daemon, 'outside', { webhook: { url: receiver.url } })
  await remember(daemon, ada, 'Likes marzipan.')
  await waitFor('a fact', () => receiver.facts(ada).length > 0)
  await waitUntilDelivered(daemon, 'outside')
  const facts = receiver.facts(ada)
  assert.ok(facts.every(({ seq }) => seq > last))
  assert.ok(facts.some(({ type }) => type === 'MemoryKept'))
  assert.not.match(receiver.requests.map(({ text }) => text).join(), /marzipan/)
})

test('delivers only the wanted kinds and personas', async (world) => {
  const { receiver } = world
  const daemon = await start(world)
  const [ada, bea] = [await createPersona(daemon), await createPersona(daemon, 'Bea')]
  await put(daemon, 'kinds', {
    webhook: { url: receiver.url },
    personas: [ada],
    kinds: ['PersonaCreated', 'MemoryKept'],
    start: 'beginning',
  })
  await remember(daemon, ada, 'Likes tea.')
  await remember(daemon, bea, 'Likes coffee.')
  await waitUntilDelivered(daemon, 'kinds')
  assert.equal(
    receiver.facts(ada).map(({ type }) => type),
    ['PersonaCreated', 'MemoryKept'],
  )
  assert.equal(receiver.facts(bea), [])
})

test('sends a batch again with the same id, with growing pauses, also after a restart', async (world) => {
  const { receiver } = world
  receiver.usual = [503]
  const clock = createFakeClock()
  const daemon = await start(world, { clock })
  const ada = await createPersona(daemon)
  await put(daemon, 'retry', { webhook: { url: receiver.url }, start: 'beginning' })
  await waitFor('the first attempt', () => receiver.requests.length === 1)
  await waitFor('it is failing', async () => (await show(daemon, 'retry')).state === 'failing')
  assert.match((await show(daemon, 'retry')).reason, /^127\.0\.0\.1:\d+: it answered with 503\.$/)
  const diagnosis = await call(daemon.url, 'GET', `/api/persona/${ada}/diagnose`)
  assert.is(diagnosis.body.subscriptions[0].name, 'retry')
  await clock.advance(2_400)
  assert.is(receiver.requests.length, 1)
  await waitFor('the second attempt', async () => {
    await clock.advance(1_000)
    return receiver.requests.length === 2
  })
  await remember(daemon, ada, 'Likes tea.')
  assert.is(receiver.requests.length, 2)
  await waitFor('the third attempt is planned', async () => {
    const { lag, state } = await show(daemon, 'retry')
    return state === 'failing' && lag.facts > 0
  })
  await daemon.close()
  receiver.usual = [204]
  const later = await start(world, { clock })
  await waitFor('it is accepted', async () => {
    await clock.advance(5_000)
    return receiver.accepted.length >= 2
  })
  await waitUntilDelivered(later, 'retry')
  const ids = receiver.requests.map(({ id }) => id)
  assert.is(new Set(ids.slice(0, 3)).size, 1)
  const seqs = receiver.facts(ada).map(({ seq }) => seq)
  assert.equal(
    seqs,
    [...seqs].sort((a, b) => a - b),
  )
  assert.is(new Set(seqs).size, seqs.length)
  assert.is((await show(later, 'retry')).state, 'well')
})

test('respects Retry-After', async (world) => {
  const { receiver } = world
  receiver.answers.push([429, { 'retry-after': '600' }])
  const clock = createFakeClock()
  const daemon = await start(world, { clock })
  await createPersona(daemon)
  await put(daemon, 'busy', { webhook: { url: receiver.url }, start: 'beginning' })
  await waitFor('the first attempt', async () => (await show(daemon, 'busy')).state === 'failing')
  for (let n = 0; n < 59; n++) await clock.advance(10_000)
  assert.is(receiver.requests.length, 1)
  await waitFor('it is accepted', async () => {
    await clock.advance(10_000)
    return receiver.accepted.length === 1
  })
})

test('makes a dead letter after the last attempt, continues with the next facts, and delivers it on request', async (world) => {
  const { receiver } = world
  receiver.answers.push([500], [400])
  const clock = createFakeClock()
  const daemon = await start(world, { clock })
  const ada = await createPersona(daemon)
  await put(daemon, 'dead', { webhook: { url: receiver.url }, start: 'beginning', max_attempts: 2 })
  await waitFor('the dead letter', async () => {
    await clock.advance(5_000)
    return (await show(daemon, 'dead')).dead === 1
  })
  await remember(daemon, ada, 'Likes tea.')
  await waitFor('the next facts', () => receiver.accepted.length > 0)
  const path = '/api/subscriptions/dead'
  const [letter] = (await call(daemon.url, 'GET', `${path}/dead`)).body.letters
  assert.equal(
    [letter.persona_id, letter.after, letter.attempts, letter.reason],
    [ada, 0, 2, 'it answered with 400'],
  )
  assert.is(letter.id, receiver.requests[0]?.id)
  assert.is(
    (await call(daemon.url, 'GET', '/metrics')).body.match(/daimon_subscription_dead_letters (\d+)/)?.[1],
    '1',
  )
  receiver.answers.push([500])
  await call(daemon.url, 'POST', `${path}/retry`)
  assert.is((await show(daemon, 'dead')).dead, 1)
  await call(daemon.url, 'POST', `${path}/retry`)
  assert.is((await show(daemon, 'dead')).dead, 0)
  assert.is(receiver.accepted.at(-1)?.id, letter.id)
  assert.is(receiver.accepted.at(-1)?.data.facts[0]?.type, 'PersonaCreated')

  receiver.answers.push([500], [500])
  await remember(daemon, ada, 'Likes cake.')
  await waitFor('another dead letter', async () => {
    await clock.advance(5_000)
    return (await show(daemon, 'dead')).dead === 1
  })
  const [other] = (await call(daemon.url, 'GET', `${path}/dead`)).body.letters
  assert.is((await call(daemon.url, 'DELETE', `${path}/dead/${letter.id}`)).status, 404)
  assert.is((await call(daemon.url, 'DELETE', `${path}/dead/${other.id}`)).status, 200)
  assert.is((await show(daemon, 'dead')).dead, 0)
})

test('pauses after 410 until it is resumed', async (world) => {
  const { receiver } = world
  receiver.answers.push([410])
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  await put(daemon, 'gone', { webhook: { url: receiver.url }, start: 'beginning' })
  await waitFor('it is paused', async () => (await show(daemon, 'gone')).state === 'paused')
  await remember(daemon, ada, 'Likes tea.')
  assert.is(receiver.requests.length, 1)
  assert.match((await show(daemon, 'gone')).reason, /it answered with 410\.$/)
  await call(daemon.url, 'POST', '/api/subscriptions/gone/retry')
  await waitUntilDelivered(daemon, 'gone')
  assert.is(receiver.facts(ada)[0]?.seq, 1)
})

test('replays from a position', async (world) => {
  const { receiver } = world
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  await put(daemon, 'again', { webhook: { url: receiver.url }, words: true, start: 'beginning' })
  await remember(daemon, ada, 'Likes tea.')
  await waitUntilDelivered(daemon, 'again')
  const count = receiver.facts(ada).length
  const replay = (body: object) => call(daemon.url, 'POST', '/api/subscriptions/again/replay', body)
  assert.is((await replay({ persona_id: ada, after: 1 })).status, 200)
  await waitUntilDelivered(daemon, 'again')
  assert.equal(receiver.facts(ada).slice(count), receiver.facts(ada).slice(1, count))
  assert.is((await replay({ persona_id: ada, after: 100_000 })).status, 422)
  assert.is((await replay({ persona_id: 'nobody', after: 0 })).status, 404)
  assert.is((await replay({ persona_id: ada, after: -1 })).status, 422)
})

test('signs with both secrets after a change, and shows none', async (world) => {
  const { receiver, home, lines } = world
  const daemon = await start(world, { env: { DAIMON_LOG_LEVEL: 'trace' } })
  const ada = await createPersona(daemon)
  const first = (await put(daemon, 'keys', { webhook: { url: receiver.url } })).body.secret
  const second = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const changed = await put(daemon, 'keys', { webhook: { url: receiver.url, secret: second } })
  assert.is(changed.body.secret, null)
  // Repeating it changes nothing.
  await put(daemon, 'keys', { webhook: { url: receiver.url, secret: second } })
  await put(daemon, 'keys', { webhook: { url: receiver.url, secret: '***' } })
  await remember(daemon, ada, 'Likes tea.')
  await waitFor('a batch', () => receiver.accepted[0])
  const [batch] = receiver.accepted
  assert.ok(batch && isSignedWith(first, batch) && isSignedWith(second, batch))
  const wrong = await put(daemon, 'keys', { webhook: { url: receiver.url, secret: `${second}!` } })
  assert.is(wrong.status, 422)
  const shown = JSON.stringify([
    (await call(daemon.url, 'GET', '/api/subscriptions')).body,
    await show(daemon, 'keys'),
    changed.body,
    wrong.body,
    await readJournal(daemon, ada),
    lines,
  ])
  for (const secret of [first, second]) assert.not.ok(shown.includes(secret.slice('whsec_'.length)))
  assert.is((await stat(join(home, 'subscriptions'))).mode & 0o777, 0o600)
  assert.ok((await readFile(join(home, 'subscriptions'))).includes(second))
  await call(daemon.url, 'DELETE', '/api/subscriptions/keys')
  await stat(join(home, 'subscriptions')).then(
    () => assert.unreachable('the file is still there'),
    () => undefined,
  )
})

test('keeps the stored address when a client sends the shown one back', async (world) => {
  const { receiver, home, lines } = world
  const daemon = await start(world, { env: { DAIMON_LOG_LEVEL: 'trace' } })
  const ada = await createPersona(daemon)
  const url = `${receiver.url}/?token=0pensesame`
  await put(daemon, 'feed', { webhook: { url } })
  const { webhook, personas, kinds, words } = await show(daemon, 'feed')
  assert.match(webhook.url, /\?\*\*\*$/)
  const back = await put(daemon, 'feed', { webhook, personas, kinds, words })
  assert.is(back.status, 200, JSON.stringify(back.body))
  assert.equal(back.body.subscription.webhook, webhook)
  assert.ok((await readFile(join(home, 'subscriptions'))).includes(url))
  await remember(daemon, ada, 'Likes tea.')
  await waitUntilDelivered(daemon, 'feed')
  assert.ok(receiver.facts(ada).length > 0)
  const elsewhere = { ...webhook, url: webhook.url.replace('/?', '/other?') }
  for (const [name, changed] of [
    ['feed', elsewhere],
    ['new', webhook],
  ] as const) {
    const { status, body } = await put(daemon, name, { webhook: changed })
    assert.is(status, 422)
    assert.match(JSON.stringify(body), 'its query is masked')
  }
  assert.ok((await readFile(join(home, 'subscriptions'))).includes(url))
  assert.not.match(JSON.stringify([back.body, lines]), '0pensesame')
})

/** Writes of the subscriptions fail while this folder has the name of their temporary file. */
const refuseWrites = async (home: string) => {
  const folder = join(home, 'subscriptions.tmp')
  await mkdir(folder)
  return () => rmdir(folder)
}

test('changes nothing if the disk refuses the change', async (world) => {
  const { receiver, home } = world
  const other = await openReceiver()
  world.ends.push(other.close)
  receiver.answers.push([410])
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  const bea = await createPersona(daemon, 'Bea')
  await put(daemon, 'feed', { pull: true, start: 'beginning', words: true })
  const { body: firstPage } = await call(daemon.url, 'GET', '/api/subscriptions/feed/facts')
  await put(daemon, 'push', { webhook: { url: receiver.url }, personas: [ada], start: 'beginning' })
  await waitFor('it is paused', async () => (await show(daemon, 'push')).state === 'paused')
  const readAll = async () => {
    const { subscriptions } = (await call(daemon.url, 'GET', '/api/subscriptions')).body
    return subscriptions.map(({ lag, ...rest }: { lag: { facts: number } }) => [lag.facts, rest])
  }
  const before = await readAll()
  const allowWrites = await refuseWrites(home)
  const refusals = [
    await put(daemon, 'push', { webhook: { url: other.url }, personas: [bea], start: 'beginning' }),
    await put(daemon, 'new', { webhook: { url: other.url }, start: 'beginning' }),
    await call(daemon.url, 'DELETE', '/api/subscriptions/push'),
    await call(daemon.url, 'POST', '/api/subscriptions/push/replay', { persona_id: ada, after: 1 }),
    await call(daemon.url, 'POST', '/api/subscriptions/push/retry'),
    await call(daemon.url, 'POST', '/api/subscriptions/feed/ack', { cursor: firstPage.cursor }),
  ]
  for (const { status, body } of refusals) {
    assert.is(status, 500)
    assert.match(body.detail, 'the subscriptions cannot be written')
  }
  assert.equal(await readAll(), before)
  const { body: secondPage } = await call(daemon.url, 'GET', '/api/subscriptions/feed/facts')
  assert.equal(secondPage.facts, firstPage.facts)

  await allowWrites()
  assert.is((await call(daemon.url, 'POST', '/api/subscriptions/push/retry')).status, 200)
  const refuseAgain = await refuseWrites(home)
  const moved = await put(daemon, 'push', { webhook: { url: other.url }, personas: [bea] })
  assert.is(moved.status, 500)
  // The old subscription goes on with its own persona and address.
  await remember(daemon, ada, 'Likes tea.')
  await waitUntilDelivered(daemon, 'push')
  assert.equal(
    receiver.facts(ada).map(({ seq }) => seq),
    (await readJournal(daemon, ada)).map(({ seq }: { seq: number }) => seq),
  )
  await refuseAgain()
  assert.is(other.requests.length, 0)
  assert.is((await put(daemon, 'push', { webhook: { url: other.url }, personas: [bea] })).status, 200)
  await remember(daemon, bea, 'Likes tea.')
  await waitFor('the new address gets facts', () => other.facts(bea).length > 0)
})

test('never sends the text of a fact after it was erased, also in a retry', async (world) => {
  const { receiver } = world
  receiver.usual = [500]
  const clock = createFakeClock()
  const daemon = await start(world, { clock })
  const ada = await createPersona(daemon)
  await call(daemon.url, 'POST', `/api/persona/${ada}/stop`)
  await put(daemon, 'erased', { webhook: { url: receiver.url }, words: true })
  await remember(daemon, ada, 'Likes marzipan.')
  await waitFor('an attempt', async () => (await show(daemon, 'erased')).state === 'failing')
  assert.match(receiver.requests[0]?.text ?? '', /marzipan/)
  const { seq } = (await readJournal(daemon, ada)).find(({ payload }) =>
    JSON.stringify(payload).includes('marzipan'),
  )
  const erased = await call(daemon.url, 'POST', `/api/persona/${ada}/erase`, { seqs: [seq], also: true })
  assert.is(erased.status, 200)
  const countBefore = receiver.requests.length
  receiver.usual = [204]
  await waitFor('it is accepted', async () => {
    await clock.advance(5_000)
    return receiver.facts(ada).some((fact) => fact.seq === seq)
  })
  await waitUntilDelivered(daemon, 'erased')
  assert.equal(receiver.facts(ada).find((fact) => fact.seq === seq)?.payload, null)
  for (const { text } of receiver.requests.slice(countBefore)) assert.not.match(text, /marzipan/)
  assert.is(receiver.requests[countBefore]?.id, receiver.requests[0]?.id)
})

test('forgets a deleted persona', async (world) => {
  const { receiver } = world
  receiver.usual = [500]
  const daemon = await start(world)
  const [ada, bea] = [await createPersona(daemon), await createPersona(daemon, 'Bea')]
  await put(daemon, 'all', { webhook: { url: receiver.url }, start: 'beginning' })
  await waitFor(
    'both were tried',
    () => new Set(receiver.requests.map(({ data }) => data.persona_id)).size === 2,
  )
  await call(daemon.url, 'POST', `/api/persona/${ada}/delete`)
  receiver.usual = [204]
  await call(daemon.url, 'POST', '/api/subscriptions/all/retry')
  await waitUntilDelivered(daemon, 'all')
  assert.equal(receiver.facts(ada), [])
  assert.is(receiver.facts(bea)[0]?.seq, 1)
})

test.run()

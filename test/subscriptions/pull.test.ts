/** Facts that a program pulls and acknowledges. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import type { TestDaemon } from '../daemon.ts'
import { createPersona, put, readJournal, remember, show, start, subscriptionSuite } from './setup.ts'

const test = subscriptionSuite('pulled facts')

const pull = async ({ url }: TestDaemon, query = '') =>
  (await call(url, 'GET', `/api/subscriptions/feed/facts${query}`)).body
const acknowledge = ({ url }: TestDaemon, cursor: string) =>
  call(url, 'POST', '/api/subscriptions/feed/ack', { cursor })

test('returns all facts in order until they are acknowledged, also after a restart', async (world) => {
  const daemon = await start(world)
  const [ada, bea] = [await createPersona(daemon), await createPersona(daemon, 'Bea')]
  await put(daemon, 'feed', { pull: true, words: true, start: 'beginning' })
  for (let n = 0; n < 5; n++) await remember(daemon, n % 2 ? ada : bea, `Thing ${n}.`)
  const first = await pull(daemon, '?max=4')
  assert.equal(await pull(daemon, '?max=4'), first)
  assert.ok(first.more)
  assert.is((await acknowledge(daemon, first.cursor)).status, 200)
  assert.is((await acknowledge(daemon, first.cursor)).status, 200)
  await daemon.close()
  const later = await start(world)
  const pulledFacts: Record<string, unknown>[] = [...first.facts]
  for (;;) {
    const { facts, cursor } = await pull(later, '?max=7')
    if (cursor === null) break
    pulledFacts.push(...facts)
    await acknowledge(later, cursor)
  }
  for (const id of [ada, bea])
    assert.equal(
      pulledFacts.filter((fact) => fact.persona_id === id).map(({ persona_id: _, ...fact }) => fact),
      await readJournal(later, id),
    )
  assert.is((await show(later, 'feed')).lag.facts, 0)
})

test('waits for the next fact, also for two readers at once', async (world) => {
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  await put(daemon, 'feed', { pull: true, kinds: ['MemoryKept'] })
  assert.equal(await pull(daemon), { facts: [], cursor: null, more: false })
  const readers = [pull(daemon, '?wait=30'), pull(daemon, '?wait=30')]
  await remember(daemon, ada, 'Likes tea.')
  const [one, other] = await Promise.all(readers)
  assert.is(one.facts[0].type, 'MemoryKept')
  assert.equal(other, one)
  await Promise.all([acknowledge(daemon, one.cursor), acknowledge(daemon, other.cursor)])
  assert.equal(await pull(daemon), { facts: [], cursor: null, more: false })
})

test('ends a wait after its time, and when the subscription or the daemon ends', async (world) => {
  const daemon = await start(world)
  await put(daemon, 'feed', { pull: true })
  assert.equal(await pull(daemon, '?wait=1'), { facts: [], cursor: null, more: false })
  const waitingPull = call(daemon.url, 'GET', '/api/subscriptions/feed/facts?wait=60')
  await call(daemon.url, 'DELETE', '/api/subscriptions/feed')
  assert.is((await waitingPull).status, 404)
  await put(daemon, 'feed', { pull: true })
  const cut = call(daemon.url, 'GET', '/api/subscriptions/feed/facts?wait=60')
  // The second request is answered after the first one waits.
  await pull(daemon)
  await daemon.close()
  assert.is((await cut).status, 503)
})

test('refuses cursors that are wrong, or older than a replay', async (world) => {
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  await put(daemon, 'feed', { pull: true, start: 'beginning' })
  const { cursor, facts } = await pull(daemon)
  for (const wrong of [
    '',
    'x',
    Buffer.from('[]').toString('base64url'),
    Buffer.from('{"a":1}').toString('base64url'),
  ])
    assert.is((await acknowledge(daemon, wrong)).status, 422, wrong)
  const forge = (seq: number, hash: string) =>
    Buffer.from(JSON.stringify([[ada, seq, hash, 0]])).toString('base64url')
  assert.is((await acknowledge(daemon, forge(2, 'f'.repeat(64)))).status, 409)
  assert.is((await acknowledge(daemon, forge(1_000_000, 'f'.repeat(64)))).status, 409)
  assert.equal((await pull(daemon)).facts, facts)
  const replay = { persona_id: ada, after: 0 }
  assert.is((await call(daemon.url, 'POST', '/api/subscriptions/feed/replay', replay)).status, 200)
  assert.is((await acknowledge(daemon, cursor)).status, 409)
  const again = await pull(daemon)
  assert.equal(again.facts, facts)
  assert.is((await acknowledge(daemon, again.cursor)).status, 200)
})

test('does not mix pulls and webhooks', async (world) => {
  const daemon = await start(world)
  await put(daemon, 'feed', { webhook: { url: world.receiver.url } })
  assert.is((await call(daemon.url, 'GET', '/api/subscriptions/feed/facts')).status, 409)
  assert.is((await acknowledge(daemon, 'x')).status, 409)
  for (const query of ['max=0', 'max=1001', 'max=x', 'wait=61', 'wait=-1'])
    assert.is((await call(daemon.url, 'GET', `/api/subscriptions/feed/facts?${query}`)).status, 422, query)
})

test('does not lose positions or secrets of a damaged file', async (world) => {
  const daemon = await start(world)
  await put(daemon, 'feed', { pull: true })
  await daemon.close()
  const path = join(world.home, 'subscriptions')
  await writeFile(path, 'damaged')
  const later = await start(world)
  const ada = await createPersona(later)
  const readWarnings = async () => (await call(later.url, 'GET', '/api/health')).body.warnings
  await waitFor('the warning', async () => (await readWarnings()).length > 0)
  const sentence =
    /^The subscriptions of other programs cannot be opened: the file "subscriptions" .* again\.$/
  assert.match((await readWarnings()).join(), sentence)
  const [failing] = (await call(later.url, 'GET', `/api/persona/${ada}/diagnose`)).body.subscriptions
  assert.is(failing.name, '*')
  assert.match(failing.reason, sentence)
  const { status, body } = await call(later.url, 'GET', '/api/subscriptions')
  assert.is(status, 500)
  assert.match(body.detail, /is damaged or of a newer version: move it away/)
  assert.is((await put(later, 'feed', { pull: true })).status, 500)
  assert.is(await readFile(path, 'utf8'), 'damaged')
  await waitFor('the log', () =>
    world.lines.some((line) => line.includes('subscriptions could not be opened')),
  )
  await rename(path, join(world.home, 'moved-away'))
  assert.equal(await readWarnings(), [])
  assert.is((await call(later.url, 'GET', `/api/persona/${ada}/diagnose`)).body.subscriptions, undefined)
  assert.is((await put(later, 'feed', { pull: true })).status, 200)
})

test.run()

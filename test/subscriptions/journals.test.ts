/** Long, damaged, replaced, forked and moved journals, and the commands for subscriptions. */
import { Command } from 'commander'
import * as assert from 'uvu/assert'
import { groups } from '../../src/cli/command-table.ts'
import { createDaemonClient } from '../../src/cli/daemon-client.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import type { TestDaemon } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { createName, fillHome } from '../ordeal/homes.ts'
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

const test = subscriptionSuite('journals of subscriptions')

test('delivers a long journal in batches of at most 500 facts', async (world) => {
  const { receiver, home } = world
  await fillHome(home, [1300])
  const daemon = await start(world)
  const id = createName(0)
  await put(daemon, 'long', { webhook: { url: receiver.url }, words: true, start: 'beginning' })
  await waitUntilDelivered(daemon, 'long')
  assert.equal(receiver.facts(id), await readJournal(daemon, id))
  assert.ok(receiver.accepted.length >= 3)
  for (const { data } of receiver.accepted) {
    assert.ok(data.facts.length <= 500)
    assert.is(data.after, (data.facts[0]?.seq ?? 0) - 1)
    assert.is(data.upto, data.facts.at(-1)?.seq)
  }
})

test('delivers up to damage, and begins again after a salvage', async (world) => {
  const { receiver, home } = world
  const clock = createFakeClock()
  const daemon = await start(world, { clock })
  const ada = await createPersona(daemon)
  await call(daemon.url, 'POST', `/api/persona/${ada}/stop`)
  for (let n = 0; n < 5; n++) await remember(daemon, ada, `Thing ${n}.`)
  const before = await readJournal(daemon, ada)
  const badSeq = before.length - 2
  await put(daemon, 'audit', {
    webhook: { url: receiver.url },
    words: true,
    start: 'beginning',
    kinds: ['MemoryKept', 'Salvaged'],
  })
  await waitUntilDelivered(daemon, 'audit')
  await call(daemon.url, 'POST', '/api/subscriptions/audit/replay', { persona_id: ada, after: 0 })
  await waitUntilDelivered(daemon, 'audit')
  await daemon.close()
  await damageJournal(home, ada, badSeq)
  const later = await start(world, { clock })
  await call(later.url, 'POST', '/api/subscriptions/audit/replay', { persona_id: ada, after: 0 })
  await waitFor('the damage is reported', async () => {
    await clock.advance(5_000)
    return /is damaged/.test((await show(later, 'audit')).reason ?? '')
  })
  const countBefore = receiver.facts(ada).length
  assert.is((await call(later.url, 'POST', `/api/persona/${ada}/salvage`)).status, 200)
  await waitFor('it continues', async () => {
    await clock.advance(5_000)
    return receiver.facts(ada).some(({ type }) => type === 'Salvaged')
  })
  await waitUntilDelivered(later, 'audit')
  const salvaged = (await readJournal(later, ada)).filter(({ type }) => /MemoryKept|Salvaged/.test(type))
  const delivered = receiver.facts(ada).slice(countBefore)
  for (const fact of salvaged)
    assert.ok(
      receiver.facts(ada).some(({ hash }) => hash === fact.hash),
      `${fact.seq}`,
    )
  assert.is(delivered.at(-1)?.hash, salvaged.at(-1).hash)
  assert.is((await show(later, 'audit')).state, 'well')
})

test('delivers the whole past of a fork', async (world) => {
  const { receiver } = world
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  await remember(daemon, ada, 'Likes tea.')
  await put(daemon, 'audit', { webhook: { url: receiver.url }, words: true })
  const { status, body } = await call(daemon.url, 'POST', `/api/persona/${ada}/fork`, { name: 'Twin' })
  assert.is(status, 200)
  const twin = body.persona.id
  await waitFor('the fork is delivered', () =>
    receiver.facts(twin).some(({ type }) => type === 'PersonaForked'),
  )
  await waitUntilDelivered(daemon, 'audit')
  assert.equal(receiver.facts(twin), await readJournal(daemon, twin))
  assert.equal(
    receiver.facts(ada).filter(({ type }) => type === 'MemoryKept'),
    [],
  )
})

/** Runs a command in this process and returns its output. */
const typeCommand = async (daemon: TestDaemon, ...words: readonly string[]): Promise<string> => {
  const group = groups.find(({ names }) => names.includes('subscriptions'))
  const program = new Command().exitOverride()
  const client = createDaemonClient(new URL(daemon.url))
  ;(await group?.load())?.(program, { daemon: () => client, isJson: () => false })
  const { write } = process.stdout
  let output = ''
  process.stdout.write = (text: string | Uint8Array) => {
    output += text
    return true
  }
  try {
    await program.parseAsync(['subscriptions', ...words], { from: 'user' })
  } finally {
    process.stdout.write = write
  }
  return output
}

test('is controlled by commands', async (world) => {
  const { receiver } = world
  const daemon = await start(world)
  const ada = await createPersona(daemon)
  assert.is(await typeCommand(daemon), 'there are no subscriptions\n')
  receiver.answers.push([500])
  const url = receiver.url
  const addOutput = await typeCommand(
    daemon,
    ...['add', 'audit', '--webhook', url, '--personas', 'Ada', '--kinds', 'PersonaCreated, MemoryKept'],
    ...['--from-start', '--max-attempts', '1', '--words'],
  )
  assert.match(addOutput, /^audit: http:.*\nsecret, shown only now: whsec_/)
  await waitFor('a dead letter', async () => (await show(daemon, 'audit')).dead === 1)
  const { personas, kinds, words } = await show(daemon, 'audit')
  assert.equal([personas, kinds, words], [[ada], ['PersonaCreated', 'MemoryKept'], true])
  assert.match(await typeCommand(daemon, 'list'), /^audit +http:\S+ +\d+ facts behind +1 dead +well\n$/)
  const dead = await typeCommand(daemon, 'dead', 'audit')
  assert.match(
    dead,
    new RegExp(`^facts_\\w+ .*${ada} 1 to \\d+ +1 facts +1 attempts: it answered with 500\\n$`),
  )
  assert.match(await typeCommand(daemon, 'retry', 'audit'), / 0 dead /)
  assert.is(await typeCommand(daemon, 'replay', 'audit', 'ada', '--after', '1'), 'audit: Ada again after 1\n')
  const letter = dead.split(' ')[0] ?? ''
  await typeCommand(daemon, 'drop', 'audit', letter).then(
    () => assert.unreachable('it was delivered'),
    (error: Error) => assert.match(error.message, /no dead letter with this id/),
  )
  assert.is(await typeCommand(daemon, 'remove', 'audit'), 'removed: audit\n')
  assert.is(await typeCommand(daemon, 'add', 'feed', '--pull'), 'feed: facts are pulled\n')
})

test.run()

/**
 * Planned entries are delivered on time: between heartbeats, after clock changes and after the machine has
 * slept.
 */
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { localTimeAt } from '../../packages/kit/time/local-time.ts'
import { emptyKeyed, withValue } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import { createReminders } from '../../src/agents/reminders.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import { JournalUnavailable } from '../../src/persona/refusals.ts'
import { waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon } from '../daemon.ts'
import { createWordParts, filterFacts, has, openStage, type Stage, type StagedScript } from './stage.ts'

const zone = 'Europe/Berlin'
const start = Date.parse('2026-11-23T10:15:00+01:00')
const second = 1000

const planEntry = (stage: Stage, id: string, time: number) => {
  const wall = localTimeAt(time, zone)
  return stage.execute({
    type: 'WriteEntry',
    entry: { id, kind: 'reminder', wall, zone, content: `the ${id}`, recurrence: null, anchor: wall },
  })
}
const getDueIds = async (stage: Stage) => filterFacts(await stage.facts(), 'EntryDue').map(({ id }) => id)

const playing = (claim: string, play: (stage: Stage) => Promise<void>) =>
  test(claim, async () => {
    const stage = await openStage({
      script: () => createWordParts('It is time.'),
      clock: createFakeClock(start, zone),
    })
    try {
      await play(stage)
    } finally {
      await stage.close()
    }
  })

playing('comes on its second, and not with the next heartbeat', async (stage) => {
  const { clock } = stage
  await planEntry(stage, 'egg', start + 78 * second)
  await planEntry(stage, 'tea', start + 20 * second)
  await clock.advance(19 * second)
  equal(await getDueIds(stage), [])
  await clock.advance(second)
  await stage.until('the tea', (facts) => filterFacts(facts, 'EntryDue').length === 1)
  await clock.advance(57 * second)
  equal(await getDueIds(stage), ['tea'])
  await clock.advance(second)
  await stage.until('the egg', (facts) => filterFacts(facts, 'EntryDue').length === 2)
  await clock.advance(120 * second)
  equal(await getDueIds(stage), ['tea', 'egg'])
})

playing('comes at its new second when it is moved, and not at all when it is cancelled', async (stage) => {
  const { clock } = stage
  await planEntry(stage, 'tea', start + 20 * second)
  await planEntry(stage, 'egg', start + 25 * second)
  const wall = localTimeAt(start + 31 * second, zone)
  await stage.execute({
    type: 'MoveEntry',
    entry: { id: 'tea', kind: 'reminder', wall, zone, content: 'tea', recurrence: null, anchor: wall },
  })
  await stage.execute({ type: 'CancelEntry', id: 'egg' })
  await clock.advance(30 * second)
  equal(await getDueIds(stage), [])
  await clock.advance(second)
  await stage.until('the tea', (facts) => filterFacts(facts, 'EntryDue').length === 1)
  await clock.advance(60 * second)
  equal(await getDueIds(stage), ['tea'])
})

playing(
  'never comes early where the clock is put back, and comes within seconds where it was put on or the machine slept',
  async (stage) => {
    const { clock } = stage
    await planEntry(stage, 'egg', start + 20 * second)
    await clock.advance(15 * second)
    clock.leap(-3600 * second)
    await clock.advance(120 * second)
    equal(await getDueIds(stage), [])
    clock.leap(3600 * second - 120 * second)
    // The heartbeat restarts the timer, which then waits for the rest.
    await clock.advance(60 * second)
    await stage.until('the egg', (facts) => filterFacts(facts, 'EntryDue').length === 1)

    await planEntry(stage, 'tea', clock.now() + 50 * second)
    await clock.advance(second)
    clock.leap(40 * second)
    await clock.advance(9 * second)
    await stage.until('the tea', (facts) => filterFacts(facts, 'EntryDue').length === 2)

    await planEntry(stage, 'cake', clock.now() + 50 * second)
    clock.leap(7200 * second)
    await clock.advance(6 * second)
    await stage.until('the cake', (facts) => filterFacts(facts, 'EntryDue').length === 3)
  },
)

/** Plans entries at these times, lets the clock jump past all, and returns the facts of one turn. */
const jumpPast = async (
  entries: readonly (readonly [id: string, kind: 'reminder' | 'schedule', wall: string])[],
  script: StagedScript['script'],
  play: (stage: Stage) => Promise<void>,
) => {
  const stage = await openStage({ script, clock: createFakeClock(start, zone) })
  try {
    for (const [id, kind, wall] of entries)
      await stage.execute({
        type: 'WriteEntry',
        entry: { id, kind, wall, zone, content: `the ${id}`, recurrence: null, anchor: wall },
      })
    stage.clock.leap(3 * 24 * 3600 * second)
    await stage.waitForFacts('a turn', has('TurnEnded'))
    await play(stage)
  } finally {
    await stage.close()
  }
}

// Fails if each plan becomes due in a commit of its own, or in the order of the ids.
test('delivers late entries in one turn, oldest first', () =>
  jumpPast(
    [
      ['cake', 'schedule', '2026-11-24T15:30:00'],
      ['egg', 'reminder', '2026-11-24T10:30:00'],
      ['tea', 'reminder', '2026-11-23T18:00:00'],
    ],
    () => createWordParts('All of them are late.'),
    async (stage) => {
      await stage.clock.advance(180 * second)
      const facts = await stage.facts()
      equal(await getDueIds(stage), ['tea', 'egg', 'cake'])
      is(filterFacts(facts, 'TurnBegan').length, 1)
      const line = stage.prompts[0]?.messages.at(-1)
      equal(
        [...(line?.content ?? '').matchAll(/the (\w+)/g)].map(([, id]) => id),
        ['tea', 'egg', 'cake'],
      )
      not.match(line?.content ?? '', 'answer with nothing')
    },
  ))

test('accepts silence about an appointment, and none about a reminder', async () => {
  await jumpPast(
    [['vet', 'schedule', '2026-11-24T15:30:00']],
    () => createWordParts(),
    async (stage) => {
      const facts = await stage.facts()
      is(stage.prompts.filter(({ system }) => !system.includes('# Your answer')).length, 1)
      match(
        stage.prompts[0]?.messages.at(-1)?.content ?? '',
        /the vet\nIf nothing needs to be said, answer with nothing\.$/,
      )
      equal([filterFacts(facts, 'MessageSpoken').length, filterFacts(facts, 'EntryDone').length], [0, 1])
      is(filterFacts(facts, 'TurnEnded')[0]?.outcome, 'answered')
    },
  )
  await jumpPast(
    [['tea', 'reminder', '2026-11-24T15:30:00']],
    () => createWordParts(),
    async (stage) => {
      // The clock has also reached a night, which has prompts of its own.
      is(stage.prompts.filter(({ system }) => !system.includes('# Your answer')).length, 2)
      match(filterFacts(await stage.facts(), 'MessageSpoken')[0]?.content ?? '', /the tea/)
    },
  )
})

// Fails if the timer also runs for overdue entries: they are retried without a pause.
test('retries a failed write at the next heartbeat, not immediately', async () => {
  const clock = createFakeClock(start, zone)
  const ending = new AbortController()
  let attemptCount = 0
  let deliveredCount = 0
  const refusing = {
    execute: async () => {
      attemptCount++
      throw new JournalUnavailable('The disk is full.')
    },
  } as unknown as PersonaStore
  const wall = localTimeAt(start + 10 * second, zone)
  const plan = {
    seq: 7,
    id: 'tea',
    kind: 'reminder',
    wall,
    zone,
    content: 'tea',
    recurrence: null,
    anchor: wall,
  }
  const persona = {
    plans: { open: withValue(emptyKeyed, plan.id, plan), due: [] },
    life: { failed: {} },
    talk: {},
  } as unknown as Persona
  const reminders = createReminders(
    {
      id: 'ada',
      life: 1,
      personas: refusing,
      clock,
      newId: () => 'x',
      execute: async () => undefined,
      persona: () => persona,
      onFailure: () => deliveredCount++,
      faults: { add: () => {}, clear: () => {}, describe: () => null },
    },
    ending.signal,
  )
  await reminders.check()
  await clock.advance(50 * second)
  equal([attemptCount, deliveredCount], [1, 1])
  await reminders.check().then(
    () => ok(false),
    () => undefined,
  )
  await clock.advance(50 * second)
  equal([attemptCount, deliveredCount], [2, 1])
  ending.abort()
  await reminders.waitForEnd()
})

// The minute begins with the test, so no heartbeat comes before the due time is long past.
test('delivers on the second with a real clock', async () => {
  const clock = systemClock()
  const msToNextMinute = 60_000 - (clock.now() % 60_000)
  const getNow = () => Date.now() + msToNextMinute
  const daemon = await startDaemon({
    clock: {
      zone: 'UTC',
      now: getNow,
      wait: clock.wait,
      every: clock.every,
    },
  })
  try {
    const call = async (path: string, body?: object) => {
      const response = await fetch(`${daemon.url}/api/persona/${path}`, {
        ...(body
          ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
          : {}),
      })
      ok(response.ok, await response.clone().text())
      return JSON.parse(await response.text())
    }
    const { persona } = await call('create', { name: 'Ada', thinking_model: 'embedded/practice' })
    await call(`${persona.id}/read?wait=30`, { message: 'hello' })
    const time = Math.ceil(getNow() / second) * second + 2 * second
    await call(`${persona.id}/calendar`, {
      kind: 'reminder',
      when: localTimeAt(time, 'UTC'),
      content: 'look',
    })
    const reply = await waitFor('the delivery', async () => {
      const { messages } = await call(`${persona.id}/conversation`)
      return messages.find(({ content }: { content: string }) => content.includes('It is time'))
    })
    const deliveredAt = Date.parse(reply.time)
    is(Math.floor(deliveredAt / 60_000), Math.floor(time / 60_000), reply.time)
    ok(deliveredAt >= time, reply.time)
  } finally {
    await daemon.close()
  }
})

test.run()

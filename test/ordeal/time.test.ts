/**
 * Clocks that are set forward and back, days with a change to or from summer time, and a suspended machine.
 */
import { rm } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Recurrence } from '../../facts/fact-values.ts'
import { type Clock, isoWithOffset, systemClock } from '../../packages/kit/time/clock.ts'
import { localTimeAt, nextAfter, toInstant } from '../../packages/kit/time/local-time.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import { type Mind, MindError, type Part, type Prompt } from '../../packages/models/mind.ts'
import { ModelError, type Models } from '../../packages/models/models.ts'
import { createModels } from '../../src/open-models.ts'
import { call, pause, waitFor } from '../calls.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { nowhereUrl, startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { type Listener, listenTo } from '../listener.ts'
import { printFigures, scaleSize } from '../ordeal.ts'
import { providerUrls } from '../provider-urls.ts'
import { createChance } from '../random.ts'
import { seedHome } from './seed-home.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('time', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'] as const
/** Days of 2026 on which the clocks of one of the zones change, and one on which a month ends. */
const days = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2026-12-31',
] as const
const recurrences = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const

/** Reads a local time as if it were UTC, to count days, months and years. */
const parseAsUtc = (wall: string): number => Date.parse(`${wall.slice(0, 16)}:00Z`)
const toTwoDigits = (n: number) => String(n).padStart(2, '0')
const formatAsUtc = (epoch: number): string => `${new Date(epoch).toISOString().slice(0, 16)}:00`

/**
 * Returns the first instant at which the clocks of a zone show a local time. For a time in a gap: the instant
 * after the jump by as much as the time is after the start of the gap.
 */
const findFirstInstant = (wall: string, zone: string): number => {
  const offsets = [offsetAt(parseAsUtc(wall) - day, zone), offsetAt(parseAsUtc(wall) + day, zone)]
  const times = offsets
    .map((offset) => parseAsUtc(wall) - offset * minute)
    .filter((time) => time + offsetAt(time, zone) * minute === parseAsUtc(wall))
  return times.length > 0 ? Math.min(...times) : parseAsUtc(wall) - (offsets[0] ?? 0) * minute
}

/**
 * Returns the n-th day, week, month or year after an anchor. A day that a month does not have becomes its
 * last.
 */
const addPeriods = (anchor: string, recurrence: Exclude<Recurrence, 'hourly'>, n: number): string => {
  if (recurrence === 'daily' || recurrence === 'weekly')
    return formatAsUtc(parseAsUtc(anchor) + n * (recurrence === 'daily' ? 1 : 7) * day)
  const first = new Date(parseAsUtc(anchor))
  const months = first.getUTCFullYear() * 12 + first.getUTCMonth() + n * (recurrence === 'monthly' ? 1 : 12)
  const last = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate()
  return `${Math.floor(months / 12)}-${toTwoDigits((months % 12) + 1)}-${toTwoDigits(Math.min(first.getUTCDate(), last))}${anchor.slice(10)}`
}

/** Finds the next time by trying one occurrence after the other, from the first. */
const findNextByTrying = (anchor: string, zone: string, recurrence: Recurrence, afterSeq: number): number => {
  for (let n = 0; ; n++) {
    const time =
      recurrence === 'hourly'
        ? findFirstInstant(localTimeAt(findFirstInstant(anchor, zone) + n * hour, zone), zone)
        : findFirstInstant(addPeriods(anchor, recurrence, n), zone)
    if (time > afterSeq) return time
  }
}

// Fails if days are counted in the zone: a daily 02:30 that was planned for the day without a 02:30 came at
// 03:30 forever after.
test('a recurring plan keeps its local time when the clocks of its zone change', () => {
  const chance = createChance('recurrences')
  const rounds = scaleSize(20_000, 50)
  const combinations = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const zone = chance.pick(zones)
    const recurrence = chance.pick(recurrences)
    const changeAt = parseAsUtc(`${chance.pick(days)}T02:00`)
    const daysBack = chance.pick([0, 0, 1, 3, recurrence === 'hourly' ? 2 : 35])
    const anchor = formatAsUtc(changeAt - daysBack * day + chance.pickBetween(-8, 8) * 15 * minute)
    const afterTime = changeAt + chance.pickBetween(-30, 60) * hour + chance.pickBetween(0, 3) * 20 * minute
    const next = nextAfter(anchor, zone, recurrence, afterTime)
    const expectedTime = findNextByTrying(anchor, zone, recurrence, afterTime)
    assert.is(
      toInstant(next, zone),
      expectedTime,
      `${recurrence} from ${anchor} in ${zone} after ${new Date(afterTime).toISOString()}: ${next}`,
    )
    combinations.add(`${zone} ${recurrence}`)
  }
  assert.is(combinations.size, zones.length * recurrences.length)
  printFigures('recurrences', `${rounds} plans near a change of the clocks`)
})

test('a monthly plan for the 31st moves to the last day of shorter months, and back', () => {
  const zone = 'America/New_York'
  const walls = ['2026-01-31T23:45:00']
  while (walls.length < 13)
    walls.push(nextAfter('2026-01-31T23:45:00', zone, 'monthly', toInstant(walls.at(-1) ?? '', zone)))
  const lasts = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31]
  assert.equal(
    walls.map((text) => Number(text.slice(8, 10))),
    lasts,
  )
})

// Fails if `wait` compares times: it would wait for the clock to catch up.
test('timers of the system clock are not affected when the clock is set', async ({ ends }) => {
  const { now } = Date
  ends.push(() => {
    Date.now = now
  })
  const clock = systemClock()
  let beats = 0
  const stop = clock.every(5, () => beats++)
  ends.push(stop)
  for (const jump of [3 * day, hour, -hour, -3 * day]) {
    let isOver = false
    void clock.wait(20).then(() => {
      isOver = true
    })
    const beatsBefore = beats
    Date.now = () => now() + jump
    await waitFor('the end of a wait, and a tick', () => isOver && beats > beatsBefore)
  }
})

interface Scene {
  readonly daemon: TestDaemon
  readonly clock: FakeClock
  readonly id: string
  readonly listener: Listener
  /**
   * The model's behaviour. By default it plans the reminders that a message asks for, and repeats due ones.
   */
  think: (prompt: Prompt) => readonly Part[]
  /** True if the endpoint answers. */
  endpoint: boolean
  /** Sends a message and waits until its turn is over. */
  say(content: string, key?: string): Promise<void>
  plan(...plans: readonly Plan[]): Promise<void>
  /** Frames of facts, in order. */
  facts(title: string): readonly Listener['frames'][number][]
  /** Texts of the reminders that were sent. */
  listMessages(): readonly string[]
  /** Sets the clock with a heartbeat at that time, and waits until due reminders are sent. */
  at(wall: number | string): Promise<void>
}

interface Plan {
  readonly when: string
  readonly content: string
  readonly recurrence?: Recurrence
}

const end: Part = { type: 'end', usage: { input: 1, output: 1 } }
const toAnswer = (text: string): readonly Part[] => [{ type: 'words', text }, end]

const answerAsUsual = ({ messages, tools }: Prompt): readonly Part[] => {
  // The nightly consolidation has no tools.
  if (tools.length === 0) return toAnswer('{"operations": []}')
  const last = messages.at(-1)
  if (last?.role !== 'user') return toAnswer('done')
  const toolsJson = /tools (.*)$/s.exec(last.content)?.[1]
  const lastReply = messages.findLastIndex(({ role }) => role !== 'user')
  if (toolsJson === undefined)
    return toAnswer(
      messages
        .slice(lastReply + 1)
        .map(({ content }) => content)
        .join('\n'),
    )
  const calls = (JSON.parse(toolsJson) as { name: string; input: unknown }[]).map(
    (toolCall, n): Part => ({ type: 'call', call: { id: `c${n}`, ...toolCall } }),
  )
  return [...calls, end]
}

const openScene = async (
  start: string,
  zone: string,
  ends: Ends['ends'],
  world: Parameters<typeof startDaemon>[0] = {},
): Promise<Scene> => {
  // Effects of a heartbeat are awaited by their facts, not by the clock.
  const clock = createFakeClock(start, zone, () => pause(1))
  const real = createModels({ urls: providerUrls({ local: nowhereUrl }) })
  const mind: Mind = {
    think: async function* (prompt) {
      yield* scene.think(prompt)
    },
  }
  const models: Models = {
    ...real,
    probe: async () => {
      if (!scene.endpoint) throw new ModelError('Nobody answers there.')
    },
    mind: () => mind,
  }
  const home = world.home ?? (await tempHome())
  ends.push(() => rm(home, { recursive: true, force: true }))
  const [id = ''] = await seedHome(home, clock, 1)
  let pendingCount = 0
  const watchedClock: Clock = {
    ...clock,
    wait: async (ms, signal) => {
      pendingCount++
      await clock.wait(ms, signal)
      pendingCount--
    },
  }
  const daemon = await startDaemon({ clock: watchedClock, models, random: () => 0, ...world, home })
  ends.push(daemon.close)
  const listener = await listenTo(daemon.url, `/ws/${id}?after=0`)
  const facts = (title: string) => listener.frames.filter((frame) => frame.title === title)
  const scene: Scene = {
    daemon,
    clock,
    id,
    listener,
    think: answerAsUsual,
    endpoint: true,
    say: async (message, key) => {
      const countBefore = facts('TurnEnded').length
      const { status } = await call(
        daemon.url,
        'POST',
        `/api/persona/${id}/read`,
        { message },
        key === undefined ? {} : { key },
      )
      assert.is(status, 200)
      await waitFor('the end of a turn', () => facts('TurnEnded').length > countBefore)
    },
    plan: async (...plans) => {
      const plannedCountBefore = facts('EntryPlanned').length
      await scene.say(
        `tools ${JSON.stringify(plans.map((input) => ({ name: 'plan', input: { kind: 'reminder', ...input } })))}`,
      )
      assert.is(
        facts('EntryPlanned').length,
        plannedCountBefore + plans.length,
        JSON.stringify(listener.frames.slice(-4)),
      )
    },
    facts,
    listMessages: () =>
      listener.frames.flatMap(({ type, content }) =>
        type === 'chat_message'
          ? [...content.matchAll(/reminder, planned for (.*)/g)].map(([, words]) => words)
          : [],
      ),
    at: async (whenText) => {
      // The next heartbeat is scheduled when the last one is over.
      await waitFor('the end of the last heartbeat', () => pendingCount > 0)
      clock.leap((typeof whenText === 'number' ? whenText : toInstant(whenText, zone)) - minute - clock.now())
      await clock.advance(minute)
      const waits = () => {
        const dueIds = new Set(facts('EntryDue').map(({ details }) => details.id))
        return facts('EntryPlanned').some(
          ({ details: { id, wall } }) => !dueIds.has(id) && toInstant(wall, zone) <= clock.now(),
        )
      }
      await waitFor(
        'due reminders to be sent',
        () => !waits() && facts('EntryDone').length === facts('EntryDue').length,
      )
    },
  }
  assert.is((await call(daemon.url, 'POST', `/api/persona/${id}/start`)).status, 200)
  return scene
}

/** Local times at which entries were due: `2026-03-29T03:30`. */
const getDueTimes = ({ facts, clock }: Scene): readonly string[] =>
  facts('EntryDue').map(({ time }) => localTimeAt(Date.parse(time), clock.zone).slice(0, 16))

const changes = [
  { zone: 'Europe/Berlin', gap: '2026-03-29T02:30', after: '2026-03-29T03:30', twice: '2026-10-25T02:30' },
  { zone: 'America/New_York', gap: '2026-03-08T02:30', after: '2026-03-08T03:30', twice: '2026-11-01T01:30' },
  {
    zone: 'Australia/Lord_Howe',
    gap: '2026-10-04T02:10',
    after: '2026-10-04T02:40',
    twice: '2026-04-05T01:40',
  },
]

// Fails if later occurrences are counted from the first actual one: a weekly 02:30 that was skipped came at
// 03:30 forever after.
for (const { zone, gap, after, twice } of changes) {
  test(`${zone}: a plan for a skipped local time comes once, and a plan for a repeated local time comes once`, async ({
    ends,
  }) => {
    const days = (wall: string, n: number) => formatAsUtc(parseAsUtc(wall) + n * day).slice(0, 16)
    for (const [wall, comesAt] of [
      [gap, after],
      [twice, twice],
    ] as const) {
      const scene = await openScene(isoWithOffset(toInstant(days(wall, -2), zone), 0), zone, ends)
      const weekly = days(wall, -7)
      await scene.plan(
        { when: wall, content: 'once' },
        { when: days(wall, -1), content: 'daily', recurrence: 'daily' },
        { when: weekly, content: 'weekly', recurrence: 'weekly' },
      )
      await scene.at(days(wall, -1))
      const first = toInstant(wall, zone)
      // Every half hour around the change, in real time.
      for (let step = -4; step <= 6; step++) await scene.at(first + (step * hour) / 2)
      await scene.at(days(wall, 1))
      await scene.at(days(wall, 7))
      assert.equal(getDueTimes(scene), [
        days(wall, -1),
        comesAt,
        comesAt,
        comesAt,
        days(wall, 1),
        days(wall, 7),
        days(wall, 7),
      ])
      scene.listener.leave()
    }
  })
}

test('after three days of suspension each reminder is sent once with its planned time, and the next one is still planned', async ({
  ends,
}) => {
  const scene = await openScene('2026-11-23T10:15:00+01:00', 'Europe/Berlin', ends)
  await scene.plan(
    { when: '2026-11-24T12:00', content: 'the letter' },
    { when: '2026-11-23T11:00', content: 'water', recurrence: 'hourly' },
    { when: '2026-11-24T09:00', content: 'tea', recurrence: 'daily' },
    { when: '2026-11-30T09:00', content: 'the rent' },
  )
  await scene.at('2026-11-26T10:20')
  assert.equal([...scene.listMessages()].sort(), [
    '2026-11-23T11:00, now late: water',
    '2026-11-24T09:00, now late: tea',
    '2026-11-24T12:00, now late: the letter',
  ])
  await scene.clock.advance(1000)
  const next = scene.facts('EntryPlanned').slice(4)
  assert.equal(next.map(({ details }) => details.wall).sort(), ['2026-11-26T11:00:00', '2026-11-27T09:00:00'])
  await scene.say('tools [{"name":"check_calendar","input":{"from":"2026-11-23","to":"2026-12-01"}}]')
  const [calendar] = scene.facts('ToolAnswered').slice(-1)
  assert.equal(
    calendar.details.output.plans.map(({ when }: { when: string }) => when),
    ['Thursday 2026-11-26T11:00', 'Friday 2026-11-27T09:00', 'Monday 2026-11-30T09:00'],
  )
  assert.equal(
    calendar.details.output.past.map(({ when }: { when: string }) => when),
    ['Monday 2026-11-23T11:00', 'Tuesday 2026-11-24T09:00', 'Tuesday 2026-11-24T12:00'],
  )
})

test('a clock that is set forward and back loses no reminder, repeats none, and shows consistent times', async ({
  ends,
}) => {
  const chance = createChance('jumps')
  const start = '2026-11-23T10:15:00+01:00'
  let open = 0
  let closeCount = 0
  const scene = await openScene(start, 'Europe/Berlin', ends, {
    stores: (stores) => ({
      ...stores,
      open: async (id) => {
        const store = await stores.open(id)
        open++
        return {
          ...store,
          close: async () => {
            open--
            closeCount++
            await store.close()
          },
        }
      },
    }),
  })
  const { clock, facts, daemon, id } = scene
  const startsAt = clock.now()
  const wall = (time: number) => localTimeAt(time, clock.zone).slice(0, 16)
  const onces = Array.from({ length: 8 }, (_, n) => ({
    when: wall(startsAt + (n + 1) ** 3 * 10 * minute),
    content: `once ${n}`,
  }))
  await scene.plan(...onces, { when: wall(startsAt + day), content: 'daily', recurrence: 'daily' })
  const waitForRest = async () => {
    await waitFor('the journal to be closed', async () => {
      await clock.advance(minute)
      return open === 0
    })
  }
  const jumps = scaleSize(100, 20)
  let latest = startsAt
  for (let n = 0; n < jumps; n++) {
    const jump = chance.pick([-day, -hour, -5 * minute, 0, 5 * minute, hour, day])
    await scene.at(Math.max(clock.now() + jump, startsAt))
    latest = Math.max(latest, clock.now())
    if (n % 5 === 4) await waitForRest()
    const clockTime = clock.now()
    await scene.say(`hello ${n}`, `key ${n}`)
    const messageFrame = scene.listener.frames.find(
      ({ type, content }) => type === 'person_message' && content === `hello ${n}`,
    )
    assert.ok(
      Math.abs(Date.parse(messageFrame.time) - clockTime) < minute,
      `${messageFrame.time} is shown at ${new Date(clockTime).toISOString()}`,
    )
  }
  for (let n = 0; n < jumps; n++) {
    await call(daemon.url, 'POST', `/api/persona/${id}/read`, { message: `hello ${n}` }, { key: `key ${n}` })
  }
  await scene.say('the last')
  const messageFrames = scene.listener.frames.filter(({ type }) => type === 'person_message')
  assert.is(messageFrames.length, jumps + 2)
  const dueIds = facts('EntryDue').map(({ details }) => details.id)
  assert.is(new Set(dueIds).size, dueIds.length)
  const sentTexts = scene.listMessages().join('\n')
  for (const { when, content } of onces) {
    const times = sentTexts.split(`: ${content}`).length - 1
    assert.is(times, toInstant(when, clock.zone) <= latest ? 1 : 0, `${content}, for ${when}`)
  }
  const seqs = scene.listener.frames.flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []))
  assert.equal(
    seqs,
    seqs.map((_, n) => n + 1),
  )
  await waitForRest()
  printFigures('clock set', `${jumps} times`, `${dueIds.length} due`, `${closeCount} times closed`)
})

// Fails if plans are not recalculated: the daily one comes in a year.
test('a clock that is a year ahead by mistake sends passed reminders once, and daily ones again after it is corrected', async ({
  ends,
}) => {
  const scene = await openScene('2026-11-23T10:15:00+01:00', 'Europe/Berlin', ends)
  await scene.plan(
    { when: '2026-11-24T09:00', content: 'tea', recurrence: 'daily' },
    { when: '2027-03-01T09:00', content: 'once' },
  )
  await scene.at('2027-11-23T10:20')
  assert.equal(getDueTimes(scene), ['2027-11-23T10:20', '2027-11-23T10:20'])
  await scene.at('2026-11-23T10:30')
  // No reminder is due then, so the new time of the plan is awaited.
  await waitFor('the daily plan to move back', () =>
    scene
      .facts('EntryPlanned')
      .slice(2)
      .some(({ details }) => details.wall === '2026-11-24T09:00:00'),
  )
  for (const next of ['2026-11-24T09:00', '2026-11-25T09:00', '2027-03-01T09:00']) await scene.at(next)
  assert.equal(getDueTimes(scene).slice(2), ['2026-11-24T09:00', '2026-11-25T09:00', '2027-03-01T09:00'])
  assert.is(scene.listMessages().filter((text) => text.endsWith('once')).length, 1)
})

test('retries after the given delay, even if the clock is set meanwhile', async ({ ends }) => {
  const scene = await openScene('2026-11-23T10:15:00+01:00', 'Europe/Berlin', ends)
  const { clock } = scene
  for (const jump of [-day, -hour, 3 * day]) {
    let calls = 0
    scene.think = (prompt) => {
      calls++
      if (calls === 1) throw new MindError('unreachable', 'Busy.', { retryAfter: 6000 })
      return answerAsUsual(prompt)
    }
    const pendingSay = scene.say('hello')
    await waitFor('a first try', () => calls === 1)
    clock.leap(jump)
    await clock.advance(5000)
    assert.is(calls, 1)
    await waitFor('a second try', async () => {
      await clock.advance(1000)
      return calls === 2
    })
    await pendingSay
  }
})

test('retries a failed start within seconds, even if the clock is set back a day meanwhile', async ({
  ends,
}) => {
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  const sceneBefore = await openScene('2026-11-23T10:15:00+01:00', 'Europe/Berlin', ends, { home })
  sceneBefore.listener.leave()
  await sceneBefore.daemon.close()
  const clock = createFakeClock('2026-11-24T10:15:00+01:00', 'Europe/Berlin')
  let endpoint = false
  const real = createModels({ urls: providerUrls({ local: nowhereUrl }) })
  const knocks: number[] = []
  const models: Models = {
    ...real,
    probe: async () => {
      knocks.push(clock.now())
      if (!endpoint) throw new ModelError('Nobody answers there.')
    },
  }
  const daemon = await startDaemon({ home, clock, models })
  ends.push(daemon.close)
  const listPersonas = async () => (await call(daemon.url, 'GET', '/api/personas')).body.personas[0].running
  await waitFor('a first try', () => knocks.length === 1)
  await waitFor('a pause', async () => {
    clock.leap(-day)
    endpoint = true
    await clock.advance(5000)
    return listPersonas()
  })
  assert.is(knocks.length, 2)
})

test.run()

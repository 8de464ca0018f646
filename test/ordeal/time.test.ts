/** Clocks that are set forth and back, days on which they change by law, and a lid that stays closed. */
import { rm } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Recurrence } from '../../journal/facts/fact-values.ts'
import { type Clock, isoWithOffset, systemClock } from '../../packages/kit/time/clock.ts'
import { instantOf, localTimeAt, nextAfter } from '../../packages/kit/time/local-time.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import { type Mind, MindError, type Part, type Prompt } from '../../packages/models/mind.ts'
import { ModelError, type Models } from '../../packages/models/models.ts'
import { createModels } from '../../src/open-models.ts'
import { call, pause, until } from '../calls.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { nowhereUrl, startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { type Listener, listenTo } from '../listener.ts'
import { sized, tell } from '../ordeal.ts'
import { providerUrls } from '../provider-urls.ts'
import { createChance } from '../random.ts'
import { seed } from './seeded.ts'

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

/** What the wall says, as if there were no zones: to count days, months and years with. */
const bare = (wall: string): number => Date.parse(`${wall.slice(0, 16)}:00Z`)
const two = (n: number) => String(n).padStart(2, '0')
const wallOfBare = (epoch: number): string => `${new Date(epoch).toISOString().slice(0, 16)}:00`

/**
 * The first instant at which the clocks of a zone show a wall time; where they skip it, that long after they
 * jumped as it lies in the gap.
 */
const comes = (wall: string, zone: string): number => {
  const offsets = [offsetAt(bare(wall) - day, zone), offsetAt(bare(wall) + day, zone)]
  const times = offsets
    .map((offset) => bare(wall) - offset * minute)
    .filter((at) => at + offsetAt(at, zone) * minute === bare(wall))
  return times.length > 0 ? Math.min(...times) : bare(wall) - (offsets[0] ?? 0) * minute
}

/** The n-th day, week, month or year after an anchor: a day that a month lacks is its last. */
const turned = (anchor: string, recurrence: Exclude<Recurrence, 'hourly'>, n: number): string => {
  if (recurrence === 'daily' || recurrence === 'weekly')
    return wallOfBare(bare(anchor) + n * (recurrence === 'daily' ? 1 : 7) * day)
  const first = new Date(bare(anchor))
  const months = first.getUTCFullYear() * 12 + first.getUTCMonth() + n * (recurrence === 'monthly' ? 1 : 12)
  const last = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate()
  return `${Math.floor(months / 12)}-${two((months % 12) + 1)}-${two(Math.min(first.getUTCDate(), last))}${anchor.slice(10)}`
}

/** The next time by looking at one after the other, from the first. */
const nextByLooking = (anchor: string, zone: string, recurrence: Recurrence, after: number): number => {
  for (let n = 0; ; n++) {
    const at =
      recurrence === 'hourly'
        ? comes(localTimeAt(comes(anchor, zone) + n * hour, zone), zone)
        : comes(turned(anchor, recurrence, n), zone)
    if (at > after) return at
  }
}

// Seen failing with days counted in the zone: a daily 02:30 that was planned for the day without a 02:30 came
// at 03:30 ever after.
test('a plan comes again at the same time on the wall, whatever the clocks of its zone do on the way', () => {
  const chance = createChance('recurrences')
  const [rounds, seen] = [sized(20_000), new Set<string>()]
  for (let round = 0; round < rounds; round++) {
    const [zone, recurrence] = [chance.pick(zones), chance.pick(recurrences)]
    const near = bare(`${chance.pick(days)}T02:00`)
    const back = chance.pick([0, 0, 1, 3, recurrence === 'hourly' ? 2 : 35])
    const anchor = wallOfBare(near - back * day + chance.between(-8, 8) * 15 * minute)
    const after = near + chance.between(-30, 60) * hour + chance.between(0, 3) * 20 * minute
    const next = nextAfter(anchor, zone, recurrence, after)
    const found = nextByLooking(anchor, zone, recurrence, after)
    assert.is(
      instantOf(next, zone),
      found,
      `${recurrence} from ${anchor} in ${zone} after ${new Date(after).toISOString()}: ${next}`,
    )
    seen.add(`${zone} ${recurrence}`)
  }
  assert.is(seen.size, zones.length * recurrences.length)
  tell('recurrences', `${rounds} plans beside a change of the clocks`)
})

test('a 31st is the last of a month that has none, and the 31st again after it', () => {
  const zone = 'America/New_York'
  const walls = ['2026-01-31T23:45:00']
  while (walls.length < 13)
    walls.push(nextAfter('2026-01-31T23:45:00', zone, 'monthly', instantOf(walls.at(-1) ?? '', zone)))
  const lasts = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31]
  assert.equal(
    walls.map((text) => Number(text.slice(8, 10))),
    lasts,
  )
})

// Seen failing with a `wait` that looks at the time: it waits for the clock to catch up.
test('what waits by the clock of the system does not mind that it is set', async ({ ends }) => {
  const { now } = Date
  ends.push(() => {
    Date.now = now
  })
  const clock = systemClock()
  let beats = 0
  const stop = clock.every(5, () => beats++)
  ends.push(stop)
  for (const jump of [3 * day, hour, -hour, -3 * day]) {
    let over = false
    void clock.wait(20).then(() => {
      over = true
    })
    const heard = beats
    Date.now = () => now() + jump
    await until('the end of a wait, and a beat', () => over && beats > heard)
  }
})

interface Scene {
  readonly daemon: TestDaemon
  readonly clock: FakeClock
  readonly id: string
  readonly listener: Listener
  /** What its Mind does; by itself it plans what it is told to, and tells what fell due. */
  think: (prompt: Prompt) => readonly Part[]
  /** Whether there is anybody at the endpoint. */
  endpoint: boolean
  /** Says something, and waits until its turn is over. */
  say(content: string, key?: string): Promise<void>
  plan(...plans: readonly Plan[]): Promise<void>
  /** Frames of facts, in the order they came. */
  facts(title: string): readonly Listener['frames'][number][]
  /** What of the planned was told, as it was. */
  told(): readonly string[]
  /** The clock is set, with a heartbeat at that time, and what is due is told. */
  at(when: number | string): Promise<void>
}

interface Plan {
  readonly when: string
  readonly content: string
  readonly recurrence?: Recurrence
}

const end: Part = { type: 'end', usage: { input: 1, output: 1 } }
const says = (text: string): readonly Part[] => [{ type: 'words', text }, end]

const usual = ({ messages, tools }: Prompt): readonly Part[] => {
  // At night it goes over the talk, without tools.
  if (tools.length === 0) return says('{"operations": []}')
  const last = messages.at(-1)
  if (last?.role !== 'user') return says('done')
  const asked = /tools (.*)$/s.exec(last.content)?.[1]
  const spoken = messages.findLastIndex(({ role }) => role !== 'user')
  if (asked === undefined)
    return says(
      messages
        .slice(spoken + 1)
        .map(({ content }) => content)
        .join('\n'),
    )
  const calls = (JSON.parse(asked) as { name: string; input: unknown }[]).map(
    (one, n): Part => ({ type: 'call', call: { id: `c${n}`, ...one } }),
  )
  return [...calls, end]
}

const openScene = async (
  start: string,
  zone: string,
  ends: Ends['ends'],
  world: Parameters<typeof startDaemon>[0] = {},
): Promise<Scene> => {
  // What follows from a beat is waited for by what it leaves behind, not by the clock.
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
  const [id = ''] = await seed(home, clock, 1)
  let waiting = 0
  const watched: Clock = {
    ...clock,
    wait: async (ms, signal) => {
      waiting++
      await clock.wait(ms, signal)
      waiting--
    },
  }
  const daemon = await startDaemon({ clock: watched, models, random: () => 0, ...world, home })
  ends.push(daemon.close)
  const listener = await listenTo(daemon.url, `/ws/${id}?after=0`)
  const facts = (title: string) => listener.frames.filter((frame) => frame.title === title)
  const scene: Scene = {
    daemon,
    clock,
    id,
    listener,
    think: usual,
    endpoint: true,
    say: async (message, key) => {
      const before = facts('TurnEnded').length
      const { status } = await call(
        daemon.url,
        'POST',
        `/api/persona/${id}/read`,
        { message },
        key === undefined ? {} : { key },
      )
      assert.is(status, 200)
      await until('the end of a turn', () => facts('TurnEnded').length > before)
    },
    plan: async (...plans) => {
      const planned = facts('EntryPlanned').length
      await scene.say(
        `tools ${JSON.stringify(plans.map((input) => ({ name: 'plan', input: { kind: 'reminder', ...input } })))}`,
      )
      assert.is(
        facts('EntryPlanned').length,
        planned + plans.length,
        JSON.stringify(listener.frames.slice(-4)),
      )
    },
    facts,
    told: () =>
      listener.frames.flatMap(({ type, content }) =>
        type === 'chat_message'
          ? [...content.matchAll(/\[due\] reminder, planned for (.*)/g)].map(([, words]) => words)
          : [],
      ),
    at: async (when) => {
      // Until the beat before is over, there is none to come.
      await until('a heart at rest', () => waiting > 0)
      clock.leap((typeof when === 'number' ? when : instantOf(when, zone)) - minute - clock.now())
      await clock.advance(minute)
      const waits = () => {
        const fallen = new Set(facts('EntryDue').map(({ details }) => details.id))
        return facts('EntryPlanned').some(
          ({ details: { id, wall } }) => !fallen.has(id) && instantOf(wall, zone) <= clock.now(),
        )
      }
      await until(
        'what fell due to be told',
        () => !waits() && facts('EntryDone').length === facts('EntryDue').length,
      )
    },
  }
  assert.is((await call(daemon.url, 'POST', `/api/persona/${id}/start`)).status, 200)
  return scene
}

/** When each fell due, by the clock of then: `2026-03-29T03:30`. */
const dues = ({ facts, clock }: Scene): readonly string[] =>
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

// Seen failing with later occurrences counted from the first one that came: a weekly 02:30 that was skipped
// came at 03:30 ever after.
for (const { zone, gap, after, twice } of changes) {
  test(`${zone}: what is planned for a time that the clocks skip comes once, and what is planned for one that comes twice too`, async ({
    ends,
  }) => {
    const days = (wall: string, n: number) => wallOfBare(bare(wall) + n * day).slice(0, 16)
    for (const [wall, comesAt] of [
      [gap, after],
      [twice, twice],
    ] as const) {
      const scene = await openScene(isoWithOffset(instantOf(days(wall, -2), zone), 0), zone, ends)
      const weekly = days(wall, -7)
      await scene.plan(
        { when: wall, content: 'once' },
        { when: days(wall, -1), content: 'daily', recurrence: 'daily' },
        { when: weekly, content: 'weekly', recurrence: 'weekly' },
      )
      await scene.at(days(wall, -1))
      const first = instantOf(wall, zone)
      // Every half hour round the change, by the real one.
      for (let step = -4; step <= 6; step++) await scene.at(first + (step * hour) / 2)
      await scene.at(days(wall, 1))
      await scene.at(days(wall, 7))
      assert.equal(dues(scene), [
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

test('after three days under a closed lid each promise is kept once, with the time it was for, and the next is still to come', async ({
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
  assert.equal([...scene.told()].sort(), [
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
    ['2026-11-26T11:00', '2026-11-27T09:00', '2026-11-30T09:00'],
  )
  assert.equal(
    calendar.details.output.past.map(({ when }: { when: string }) => when),
    ['2026-11-23T11:00', '2026-11-24T09:00', '2026-11-24T12:00'],
  )
})

test('a clock that is set forth and back loses no promise, keeps none twice, and tells no other time than it shows', async ({
  ends,
}) => {
  const chance = createChance('jumps')
  const start = '2026-11-23T10:15:00+01:00'
  let [open, closed] = [0, 0]
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
            closed++
            await store.close()
          },
        }
      },
    }),
  })
  const { clock, facts, daemon, id } = scene
  const from = clock.now()
  const wall = (at: number) => localTimeAt(at, clock.zone).slice(0, 16)
  const onces = Array.from({ length: 8 }, (_, n) => ({
    when: wall(from + (n + 1) ** 3 * 10 * minute),
    content: `once ${n}`,
  }))
  await scene.plan(...onces, { when: wall(from + day), content: 'daily', recurrence: 'daily' })
  const rested = async () => {
    await until('her journal to be put away', async () => {
      await clock.advance(minute)
      return open === 0
    })
  }
  const jumps = sized(100)
  let latest = from
  for (let n = 0; n < jumps; n++) {
    const jump = chance.pick([-day, -hour, -5 * minute, 0, 5 * minute, hour, day])
    await scene.at(Math.max(clock.now() + jump, from))
    latest = Math.max(latest, clock.now())
    if (n % 5 === 4) await rested()
    const shown = clock.now()
    await scene.say(`hello ${n}`, `key ${n}`)
    const heard = scene.listener.frames.find(
      ({ type, content }) => type === 'person_message' && content === `hello ${n}`,
    )
    assert.ok(
      Math.abs(Date.parse(heard.time) - shown) < minute,
      `${heard.time} is shown at ${new Date(shown).toISOString()}`,
    )
  }
  for (let n = 0; n < jumps; n++) {
    await call(daemon.url, 'POST', `/api/persona/${id}/read`, { message: `hello ${n}` }, { key: `key ${n}` })
  }
  await scene.say('the last')
  const heard = scene.listener.frames.filter(({ type }) => type === 'person_message')
  assert.is(heard.length, jumps + 2)
  const due = facts('EntryDue').map(({ details }) => details.id)
  assert.is(new Set(due).size, due.length)
  const told = scene.told().join('\n')
  for (const { when, content } of onces) {
    const times = told.split(`: ${content}`).length - 1
    assert.is(times, instantOf(when, clock.zone) <= latest ? 1 : 0, `${content}, for ${when}`)
  }
  const seqs = scene.listener.frames.flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []))
  assert.equal(
    seqs,
    seqs.map((_, n) => n + 1),
  )
  await rested()
  tell('clock set', `${jumps} times`, `${due.length} fell due`, `${closed} times put away`)
})

// Seen failing with what was planned left as it is: the daily one comes in a year.
test('a clock that was a year ahead by mistake tells what it passes once, and every day again when it is put right', async ({
  ends,
}) => {
  const scene = await openScene('2026-11-23T10:15:00+01:00', 'Europe/Berlin', ends)
  await scene.plan(
    { when: '2026-11-24T09:00', content: 'tea', recurrence: 'daily' },
    { when: '2027-03-01T09:00', content: 'once' },
  )
  await scene.at('2027-11-23T10:20')
  assert.equal(dues(scene), ['2027-11-23T10:20', '2027-11-23T10:20'])
  await scene.at('2026-11-23T10:30')
  // Nothing falls due by it, so the time to come is what is waited for.
  await until('the daily one to be put back', () =>
    scene
      .facts('EntryPlanned')
      .slice(2)
      .some(({ details }) => details.wall === '2026-11-24T09:00:00'),
  )
  for (const next of ['2026-11-24T09:00', '2026-11-25T09:00', '2027-03-01T09:00']) await scene.at(next)
  assert.equal(dues(scene).slice(2), ['2026-11-24T09:00', '2026-11-25T09:00', '2027-03-01T09:00'])
  assert.is(scene.told().filter((words) => words.endsWith('once')).length, 1)
})

test('what is tried again after a while is tried after that while, however the clock is set meanwhile', async ({
  ends,
}) => {
  const scene = await openScene('2026-11-23T10:15:00+01:00', 'Europe/Berlin', ends)
  const { clock } = scene
  for (const jump of [-day, -hour, 3 * day]) {
    let calls = 0
    scene.think = (prompt) => {
      calls++
      if (calls === 1) throw new MindError('unreachable', 'Busy.', 6000)
      return usual(prompt)
    }
    const said = scene.say('hello')
    await until('a first try', () => calls === 1)
    clock.leap(jump)
    await clock.advance(5000)
    assert.is(calls, 1)
    await until('a second try', async () => {
      await clock.advance(1000)
      return calls === 2
    })
    await said
  }
})

test('who could not be woken at the start is tried again in seconds, also when the clock is set back a day meanwhile', async ({
  ends,
}) => {
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  const before = await openScene('2026-11-23T10:15:00+01:00', 'Europe/Berlin', ends, { home })
  before.listener.leave()
  await before.daemon.close()
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
  const running = async () => (await call(daemon.url, 'GET', '/api/personas')).body.personas[0].running
  await until('a first try', () => knocks.length === 1)
  await until('a pause', async () => {
    clock.leap(-day)
    endpoint = true
    await clock.advance(5000)
    return running()
  })
  assert.is(knocks.length, 2)
})

test.run()

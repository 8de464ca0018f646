/** The minutes of a persona's last day, stored in a small file. */
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { minutesFile, personaFolder } from '../../home/places.ts'
import { isoWithOffset } from '../../packages/kit/time/clock.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import { createBus } from '../../src/bus.ts'
import { formatMarks, noMarks } from '../../src/health/marks.ts'
import { createMinutes, type Minutes, toMinute } from '../../src/health/minutes.ts'
import { getUptime } from '../../src/health/uptime.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { createModelFailed } from '../create-journal.ts'
import { tempHome } from '../daemon.ts'

const start = Date.parse('2026-11-23T10:15:20+01:00')
const minute = 60_000
const ada = [
  { type: 'PersonaCreated', id: 'ada', name: 'Ada', birthday: '2026-01-01', idleTimeout: 60, recipient: '' },
  {
    type: 'OrganReplaced',
    slot: 'thinking',
    organ: { model: 'opus', provider: 'anthropic', url: null, key: null },
  },
] as const
const born = ada.reduce<Persona | undefined>(
  (persona, event, n) => evolve(persona, { seq: n + 1, at: 0, event }),
  undefined,
) as Persona

interface Ring {
  home: string
  clock: FakeClock
  lines: string[]
  open(): Minutes
  minutes: Minutes
  /** Publishes the facts of one commit, by default with the current time. */
  commit(events: readonly PersonaEvent[], time?: number): void
  forgetHost(): void
  /** Reads the marks of the minute `n` minutes ago. */
  ago(n: number): Promise<ReturnType<typeof formatMarks>>
}

const test = suite<Ring>('minutes', {} as Ring)
test.before.each(async (ring) => {
  const home = await tempHome()
  const clock = createFakeClock(start)
  const bus = createBus()
  const say = (_: unknown, sentence: string) => void ring.lines.push(sentence)
  Object.assign(ring, { home, clock, lines: [] })
  ring.open = () => createMinutes({ home, clock, bus, log: { debug: say, info: say, warn: say, error: say } })
  ring.minutes = ring.open()
  ring.commit = (events, time = clock.now()) => {
    const entries = events.map(
      (event): Entry => ({
        seq: 1,
        commit: '',
        type: event.type,
        at: time,
        offset: 0,
        cause: { by: 'host' },
        event,
      }),
    )
    bus.publish({ id: 'ada', entries, head: { seq: 1, hash: '' }, persona: born })
  }
  ring.forgetHost = () => bus.sign({ type: 'gone', id: 'ada' })
  ring.ago = async (n) => {
    const cells = await ring.minutes.read('ada')
    return formatMarks(cells.find((cell) => cell.minute === toMinute(clock.now()) - n)?.marks ?? noMarks)
  }
  await mkdir(personaFolder(home, 'ada'), { recursive: true })
})
test.after.each(async ({ home, minutes }) => {
  await minutes.close()
  await rm(home, { recursive: true, force: true })
})

const emptyMinute = { tick: false, fault: false, providers: [], signals: [] }
const servedMinute = { ...emptyMinute, tick: true }

test('returns a served minute immediately, after a minute and after a restart', async (ring) => {
  ring.minutes.beat(['ada'])
  equal(await ring.ago(0), servedMinute)
  ring.clock.setTime(start + minute)
  ring.minutes.beat(['ada'])
  equal([await ring.ago(0), await ring.ago(1), await ring.ago(2)], [servedMinute, servedMinute, emptyMinute])
  await ring.minutes.close()
  ring.minutes = ring.open()
  equal([await ring.ago(0), await ring.ago(1)], [servedMinute, servedMinute])
  const { size, mode } = await stat(minutesFile(ring.home, 'ada'))
  equal([size, mode & 0o777], [1440 * 16, 0o600])
})

test('keeps the marks of a minute from before a restart', async (ring) => {
  ring.minutes.beat(['ada'])
  await ring.minutes.close()
  ring.minutes = ring.open()
  ring.commit([{ type: 'Woke', life: 1 }])
  equal(await ring.ago(0), { ...servedMinute, signals: ['woke'] })
  await ring.minutes.close()
  ring.minutes = ring.open()
  equal(await ring.ago(0), { ...servedMinute, signals: ['woke'] })
})

test('marks failures as faults with their place, but no place for embedded models and refused content', async (ring) => {
  const failings: readonly [PersonaEvent, object][] = [
    [createModelFailed(), { fault: true, providers: ['local'], signals: ['turn'] }],
    [
      createModelFailed({ provider: 'xai', cause: 'api' }),
      { fault: true, providers: ['xai'], signals: ['program'] },
    ],
    [
      createModelFailed({ model: 'embedded/practice', cause: 'consolidation' }),
      { fault: true, signals: ['consolidation'] },
    ],
    [createModelFailed({ provider: 'gemini', kind: 'refused' }), { fault: true, signals: ['turn'] }],
    [
      { type: 'OrganFailed', slot: 'thinking', reason: 'x' },
      { fault: true, providers: ['anthropic'], signals: ['organ failed'] },
    ],
    [
      { type: 'OrganFailed', slot: 'eye', reason: 'x' },
      { fault: true, signals: ['organ failed'] },
    ],
    [
      { type: 'WakingFailed', reason: 'x' },
      { fault: true, providers: ['anthropic'], signals: ['waking failed'] },
    ],
    [
      { type: 'TurnEnded', turn: 1, outcome: 'unreachable', reason: null },
      { fault: true, signals: ['turn'] },
    ],
    [{ type: 'TurnEnded', turn: 1, outcome: 'answered', reason: null }, { signals: ['turn'] }],
    [
      { type: 'SleepEnded', life: 1, outcome: 'failed', reason: 'x' },
      { fault: true, signals: ['sleep'] },
    ],
    [{ type: 'SleepEnded', life: 1, outcome: 'slept', reason: null }, { signals: ['sleep'] }],
    [
      { type: 'Woke', life: 1 },
      { tick: true, signals: ['woke'] },
    ],
    [{ type: 'StatusSet', status: 'sick', reason: 'x' }, { signals: ['sick'] }],
    [{ type: 'StatusSet', status: 'active', reason: null }, {}],
    [{ type: 'Renamed', name: 'Bea' }, {}],
  ]
  for (const [n, [event]] of failings.entries()) ring.commit([event], start + n * minute)
  ring.clock.setTime(start + (failings.length - 1) * minute)
  for (const [n, [event, expected]] of failings.entries())
    equal(await ring.ago(failings.length - 1 - n), { ...emptyMinute, ...expected }, JSON.stringify(event))
})

test('combines all marks of a minute', async (ring) => {
  ring.minutes.beat(['ada'])
  ring.commit([createModelFailed(), { type: 'OrganFailed', slot: 'thinking', reason: 'x' }])
  ring.commit([{ type: 'Salvaged', kept: 1, lost: 0, first: null }])
  equal(await ring.ago(0), {
    tick: true,
    fault: true,
    providers: ['local', 'anthropic'],
    signals: ['turn', 'organ failed', 'salvaged'],
  })
})

test('reuses the slot of a minute after a day', async (ring) => {
  ring.minutes.beat(['ada'])
  ring.clock.setTime(start + 1439 * minute)
  equal(await ring.ago(1439), servedMinute)
  ring.clock.setTime(start + 1440 * minute)
  equal((await ring.minutes.read('ada')).length, 0)
  ring.commit([{ type: 'Woke', life: 1 }])
  await ring.minutes.close()
  ring.minutes = ring.open()
  equal(await ring.minutes.read('ada').then((cells) => cells.map(({ marks }) => formatMarks(marks))), [
    { ...servedMinute, signals: ['woke'] },
  ])
})

// Fails if slots are read without their checksum: the torn minute is then shown as served.
test('ignores a torn slot and keeps the others', async (ring) => {
  for (const n of [0, 1, 2]) {
    ring.clock.setTime(start + n * minute)
    ring.minutes.beat(['ada'])
  }
  await ring.minutes.close()
  const file = minutesFile(ring.home, 'ada')
  const bytes = await readFile(file)
  const tornOffset = (toMinute(start + minute) % 1440) * 16
  for (const offset of [0, 4, 7, 8, 15]) {
    const spoilt = Buffer.from(bytes)
    spoilt.writeUInt8(spoilt.readUInt8(tornOffset + offset) ^ 1, tornOffset + offset)
    await writeFile(file, spoilt)
    equal(
      [await ring.ago(2), await ring.ago(1), await ring.ago(0)],
      [servedMinute, emptyMinute, servedMinute],
      `byte ${offset}`,
    )
  }
})

test('ignores and recreates an invalid file or that of another persona', async (ring) => {
  const file = minutesFile(ring.home, 'ada')
  ring.minutes.beat(['ada'])
  await ring.minutes.close()
  const validBytes = await readFile(file)
  await mkdir(personaFolder(ring.home, 'bea'))
  await writeFile(minutesFile(ring.home, 'bea'), validBytes)
  equal(await ring.open().read('bea'), [])
  const spoils: readonly (() => Promise<unknown>)[] = [
    () => writeFile(file, ''),
    () => writeFile(file, 'not at all what it was'),
    () => writeFile(file, Buffer.alloc(1440 * 16, 0xa5)),
    () => writeFile(file, Buffer.concat([validBytes, validBytes])),
    () => truncate(file, 100),
    () => rm(file).then(() => mkdir(file)),
  ]
  for (const spoil of spoils) {
    await writeFile(file, validBytes)
    await spoil()
    ring.minutes = ring.open()
    equal(await ring.ago(0), emptyMinute)
    ring.minutes.beat(['ada'])
    await ring.minutes.close()
    ring.minutes = ring.open()
    equal(await ring.ago(0), servedMinute)
  }
  equal(ring.lines, [])
})

test('loses no past minute when the clock jumps', async (ring) => {
  ring.minutes.beat(['ada'])
  ring.clock.setTime(start - 120 * minute)
  ring.minutes.beat(['ada'])
  equal([await ring.ago(0), (await ring.minutes.read('ada')).length], [servedMinute, 1])
  ring.clock.setTime(start)
  ring.commit([{ type: 'Woke', life: 1 }])
  equal([await ring.ago(0), await ring.ago(120)], [{ ...servedMinute, signals: ['woke'] }, servedMinute])
  ring.clock.setTime(start + 1_000_000 * minute)
  ring.minutes.beat(['ada'])
  equal((await ring.minutes.read('ada')).length, 1)
  for (const invalidTime of [-minute, Number.NaN, 2 ** 32 * minute]) {
    ring.clock.setTime(invalidTime)
    ring.minutes.beat(['ada'])
    equal(await ring.minutes.read('ada'), [])
  }
  ring.clock.setTime(start + minute)
  equal((await ring.ago(1)).tick, true)
})

test('does not recreate files of deleted personas, and logs nothing', async (ring) => {
  ring.minutes.beat(['ada'])
  ring.commit([{ type: 'PersonaDeleted', purge: false }])
  equal(await ring.minutes.read('ada'), [])
  ring.minutes.beat(['ada'])
  ring.forgetHost()
  equal(await ring.minutes.read('ada'), [])
  // The persona is marked once more before its agent stops.
  ring.minutes.beat(['ada'])
  await rm(personaFolder(ring.home, 'ada'), { recursive: true })
  ring.clock.setTime(start + minute)
  ring.minutes.beat([])
  ring.minutes.beat(['../ada'])
  await ring.minutes.close()
  equal(await readdir(`${ring.home}/personas`), [])
  equal(await ring.minutes.read('ada'), [])
})

test('logs a write error once and writes later minutes after the disk works again', async (ring) => {
  await rm(personaFolder(ring.home, 'ada'), { recursive: true })
  await writeFile(personaFolder(ring.home, 'ada'), 'a file in the place of her folder')
  for (const n of [0, 1, 2, 3]) {
    ring.clock.setTime(start + n * minute)
    ring.minutes.beat(['ada'])
    await ring.minutes.read('ada')
  }
  await rm(personaFolder(ring.home, 'ada'))
  await ring.minutes.close()
  is(ring.lines.length, 1)
})

test('writes a minute of hundreds of personas to their files', async (ring) => {
  const ids = Array.from({ length: 300 }, (_, n) => `p${n}`)
  await Promise.all(ids.map((id) => mkdir(personaFolder(ring.home, id))))
  ring.minutes.beat(ids)
  await ring.minutes.close()
  const reopened = ring.open()
  for (const id of ['p0', 'p150', 'p299']) equal((await reopened.read(id)).length, 1)
  const files = await Promise.all(ids.map((id) => stat(minutesFile(ring.home, id))))
  ok(files.every(({ size }) => size === 1440 * 16))
})

test('returns elapsed minutes in rows, newest first, also over clock changes', () => {
  const nowEpoch = Date.parse('2026-10-25T03:30:59+01:00')
  const { rows } = getUptime([{ minute: toMinute(nowEpoch) - 61, marks: 1 }], nowEpoch, 'Europe/Berlin')
  equal([rows.length, ...new Set(rows.map(({ cells }) => cells.length))], [24, 60])
  equal([rows[0]?.from, rows[0]?.to], ['2026-10-25T02:31:00.000+01:00', '2026-10-25T03:31:00.000+01:00'])
  equal([rows[1]?.from, rows[1]?.to], ['2026-10-25T02:31:00.000+02:00', '2026-10-25T02:31:00.000+01:00'])
  equal(rows[0]?.cells[0], { at: '2026-10-25T03:30:00.000+01:00', ...emptyMinute })
  equal(rows[1]?.cells[1], { at: '2026-10-25T02:29:00.000+01:00', ...servedMinute })
  const times = rows.flatMap(({ cells }) => cells.map(({ at }) => Date.parse(at)))
  ok(times.every((time, n) => n === 0 || time === (times[n - 1] ?? 0) - minute))
  is(new Set(rows.flatMap(({ cells }) => cells.map(({ at }) => at))).size, 1440)
})

test('formats local times, also with half-hour offsets and far in the past', () => {
  for (const zone of [
    'UTC',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Pacific/Apia',
  ])
    for (const minuteTime of [
      '2026-10-03T15:47:00Z',
      '2026-04-04T15:10:00Z',
      '2011-12-30T12:00:00Z',
      '2026-11-01T07:00:00Z',
    ].map(Date.parse))
      for (const { cells } of getUptime([], minuteTime, zone).rows)
        for (const { at } of cells)
          is(at, isoWithOffset(Date.parse(at), offsetAt(Date.parse(at), zone)), zone)
})

// The bits as existing homes store them. A bit never changes its meaning.
test('decodes each stored bit with its original meaning', () => {
  const meanings = Array.from({ length: 32 }, (_, bit) => {
    const { tick, fault, providers, signals: decodedSignals } = formatMarks((1 << bit) >>> 0)
    return [...(tick ? ['served'] : []), ...(fault ? ['failed'] : []), ...providers, ...decodedSignals].join()
  })
  const low = meanings.slice(0, 8)
  const places = meanings.slice(8, 16)
  const high = meanings.slice(16)
  equal(low, ['served', 'failed', '', '', '', '', '', ''])
  equal(places, ['local', 'anthropic', 'openai', 'xai', 'gemini', '', '', ''])
  equal(high.slice(0, 5), ['woke', 'stopped', 'waking failed', 'turn', 'perception'])
  equal(high.slice(5, 10), ['program', 'reminder', 'consolidation', 'sleep', 'organ failed'])
  equal(high.slice(10), ['recovered', 'sick', 'salvaged', '', '', ''])
})

test.run()

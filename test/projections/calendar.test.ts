/** Past reminders and days, read from journals of every length. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventOf, PersonaEvent } from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { toInstant } from '../../packages/kit/time/local-time.ts'
import { daysWithin, fallenWithin, type Span } from '../../projections/past-calendar.ts'
import { createJournal, type WrittenEvents } from '../create-journal.ts'
import { renamed } from '../journal/facts.ts'

type PlannedEntry = EventOf<'EntryPlanned'>

const zone = 'Europe/Berlin'
const planEntry = (id: string, wall: string, changes: Partial<PlannedEntry> = {}): PlannedEntry => ({
  type: 'EntryPlanned',
  id,
  kind: 'reminder',
  wall: `${wall}:00`,
  zone,
  content: `the ${id}`,
  recurrence: null,
  anchor: `${wall}:00`,
  ...changes,
})
const createEntryMoved = (id: string, wall: string, content: string): PersonaEvent => ({
  ...planEntry(id, wall),
  type: 'EntryMoved',
  content,
})
const createEntryDue = (id: string): PersonaEvent => ({ type: 'EntryDue', id })
const createEntryDone = (id: string): PersonaEvent => ({ type: 'EntryDone', id })
const cancelled = (id: string): PersonaEvent => ({ type: 'EntryCancelled', id })
const toIso = (wall: string) => new Date(toInstant(wall, zone)).toISOString()
const createWritten = (wall: string, ...events: readonly PersonaEvent[]): WrittenEvents => ({
  at: toIso(wall),
  events,
})

const span = (startWall: string, endWall: string): Span => ({
  from: toInstant(startWall, zone),
  to: toInstant(endWall, zone),
})
const fullSpan = span('2000-01-01T00:00', '2100-01-01T00:00')
const readDoneEntries = async (journal: Pick<Journal, 'head' | 'read'>, range: Span, untilSeq?: number) =>
  (
    await fallenWithin(journal, {
      span: range,
      waiting: [],
      toInstant,
      ...(untilSeq === undefined ? {} : { upTo: untilSeq }),
    })
  ).map(({ plan }) => `${plan.wall.slice(0, 16)} ${plan.content}`)

test('returns a due plan at its planned time, even if it fell due later', async () => {
  const journal = await createJournal([
    createWritten(
      '2026-03-01T10:00',
      planEntry('tea', '2026-03-02T09:00'),
      planEntry('rent', '2026-03-03T09:00'),
      planEntry('later', '2027-01-01T09:00'),
    ),
    createWritten('2026-03-09T12:00', createEntryDue('rent'), createEntryDue('tea')),
    createWritten('2026-03-09T12:01', createEntryDone('rent')),
  ])
  assert.equal(await readDoneEntries(journal, fullSpan), [
    '2026-03-02T09:00 the tea',
    '2026-03-03T09:00 the rent',
  ])
  assert.equal(await readDoneEntries(journal, span('2026-03-02T09:00', '2026-03-03T09:00')), [
    '2026-03-02T09:00 the tea',
  ])
  assert.equal(await readDoneEntries(journal, span('2026-03-09T00:00', '2026-03-10T00:00')), [])
})

test('returns the last version of a moved plan, and no cancelled ones', async () => {
  const journal = await createJournal([
    createWritten(
      '2026-03-01T10:00',
      planEntry('tea', '2026-03-02T09:00'),
      planEntry('a', '2026-03-02T10:00'),
      planEntry('b', '2026-03-02T11:00'),
    ),
    createWritten('2026-03-01T11:00', createEntryMoved('tea', '2026-03-04T17:00', 'coffee'), cancelled('a')),
    createWritten('2026-03-02T11:00', createEntryDue('b')),
    createWritten('2026-03-02T11:01', cancelled('b')),
    createWritten('2026-03-04T17:00', createEntryDue('tea')),
  ])
  assert.equal(await readDoneEntries(journal, fullSpan), ['2026-03-04T17:00 coffee'])
})

test('returns the plans as of a position', async () => {
  const journal = await createJournal([
    createWritten(
      '2026-03-01T10:00',
      planEntry('tea', '2026-03-02T09:00'),
      planEntry('rent', '2026-03-02T09:00'),
    ),
    createWritten('2026-03-02T09:00', createEntryDue('tea')),
    createWritten('2026-03-02T09:01', createEntryDue('rent')),
  ])
  assert.equal(await readDoneEntries(journal, fullSpan, journal.head.seq - 1), ['2026-03-02T09:00 the tea'])
})

test('skips a plan that was lost to damage', async () => {
  const journal = await createJournal([
    createWritten('2026-03-02T09:00', createEntryDue('gone')),
    createWritten('2026-03-02T09:00', planEntry('tea', '2026-03-02T09:00'), createEntryDue('tea')),
  ])
  assert.equal(await readDoneEntries(journal, fullSpan), ['2026-03-02T09:00 the tea'])
})

/** Counts the facts that are read. */
const createCountingJournal = (journal: Journal) => {
  const counts = { entries: 0 }
  const readEntries: Journal['read'] = async function* (range) {
    for await (const entry of journal.read(range)) {
      counts.entries++
      yield entry
    }
  }
  return { head: journal.head, read: readEntries, seen: counts }
}

const hour = 60 * 60_000

/** An hourly plan that fell due `count` times, each with its own id. */
const hourly = (count: number, changes: readonly WrittenEvents[] = []): readonly WrittenEvents[] => [
  ...changes,
  ...Array.from({ length: count }, (_, n): WrittenEvents => {
    const moment = Date.parse('2025-01-01T00:00:00Z') + n * hour
    const wall = (epoch: number) => new Date(epoch).toISOString().slice(0, 16)
    const next = planEntry(`h${n + 1}`, wall(moment + hour), {
      zone: 'UTC',
      recurrence: 'hourly',
      anchor: '2025-01-01T00:00:00',
    })
    return {
      at: new Date(moment).toISOString(),
      events: [createEntryDue(`h${n}`), next, createEntryDone(`h${n}`)],
    }
  }),
]

// Fails if the reader continues to the beginning of the journal, and if it stops before it has found a plan
// from long ago.
test('reads the last days of a long journal without reading all of it, and finds plans from long ago', async () => {
  const journal = await createJournal(
    hourly(1500, [
      createWritten('2024-12-31T10:00', planEntry('wedding', '2025-03-03T15:00')),
      createWritten('2024-12-31T10:00', renamed('Eva')),
    ]),
  )
  const lastDay = span('2025-03-03T00:00', '2025-03-04T00:00')
  const recent = createCountingJournal(journal)
  assert.is((await readDoneEntries(recent, lastDay)).length, 24)
  assert.ok(recent.seen.entries < 2000, `${recent.seen.entries} read`)

  const longJournal = await createJournal([
    ...hourly(1500, [createWritten('2024-12-31T10:00', planEntry('wedding', '2025-03-03T15:00'))]),
    createWritten('2025-03-03T15:00', createEntryDue('wedding')),
  ])
  const plans = await readDoneEntries(longJournal, lastDay)
  assert.is(plans.length, 25)
  assert.ok(plans.includes('2025-03-03T15:00 the wedding'))
  const waitingEntries = [{ ...planEntry('wedding', '2025-03-03T15:00'), seq: 3 }]
  const countedJournal = createCountingJournal(longJournal)
  assert.is(
    (await fallenWithin(countedJournal, { span: lastDay, waiting: waitingEntries, toInstant })).length,
    25,
  )
  assert.ok(countedJournal.seen.entries < 2000, `${countedJournal.seen.entries} read`)
})

const createDayClosed = (endedAt: string, summary: string): PersonaEvent => ({
  type: 'DayClosed',
  after: 0,
  upTo: 1,
  began: toInstant(endedAt, zone) - hour,
  ended: toInstant(endedAt, zone),
  summary,
  by: 'mind',
})
const days = async (commits: readonly WrittenEvents[], range: Span = fullSpan, offset = 60) =>
  (await daysWithin(await createJournal(commits), range, () => offset)).map(
    ({ at: endedAt, body }) => `${new Date(endedAt + offset * 60_000).toISOString().slice(0, 16)} ${body}`,
  )

test('joins the parts of a date into one day at the time of its last message', async () => {
  const commits = [
    createWritten('2026-01-02T03:00', createDayClosed('2026-01-01T22:00', 'One.')),
    createWritten('2026-01-02T15:00', createDayClosed('2026-01-02T12:00', 'Two.')),
    createWritten('2026-01-03T03:00', createDayClosed('2026-01-02T23:30', 'Three.')),
    createWritten('2026-01-04T03:00', createDayClosed('2026-01-03T08:00', ' ')),
  ]
  assert.equal(await days(commits), [
    '2026-01-01T22:00 One.',
    '2026-01-02T23:30 Two.\n\nThree.',
    '2026-01-03T08:00 ',
  ])
  assert.equal(await days(commits, span('2026-01-02T13:00', '2026-01-03T00:00')), [
    '2026-01-02T23:30 Two.\n\nThree.',
  ])
  assert.equal(await days(commits, span('2026-01-02T00:00', '2026-01-02T23:00')), [])
  assert.equal(await days(commits, span('2026-01-03T00:00', '2026-01-02T00:00')), [])
})

test('uses the local date in the zone of that time', async () => {
  const commits = [
    createWritten(
      '2026-01-03T03:00',
      createDayClosed('2026-01-02T00:30', 'Late.'),
      createDayClosed('2026-01-02T20:00', 'Then.'),
    ),
  ]
  assert.equal(await days(commits), ['2026-01-02T20:00 Late.\n\nThen.'])
  assert.equal(await days(commits, fullSpan, -300), ['2026-01-01T18:30 Late.', '2026-01-02T14:00 Then.'])
})

test.run()

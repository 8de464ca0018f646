/** Past reminders and days, read from journals of every length. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventOf, PersonaEvent } from '../../journal/facts/facts.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { toInstant } from '../../packages/kit/time/local-time.ts'
import { daysWithin, fallenWithin, type Span } from '../../projections/past-calendar.ts'
import { renamed } from '../journal/facts.ts'
import { createJournal, type WrittenEvents } from '../written.ts'

type Planned = EventOf<'EntryPlanned'>

const zone = 'Europe/Berlin'
const planned = (id: string, wall: string, more: Partial<Planned> = {}): Planned => ({
  type: 'EntryPlanned',
  id,
  kind: 'reminder',
  wall: `${wall}:00`,
  zone,
  content: `the ${id}`,
  recurrence: null,
  anchor: `${wall}:00`,
  ...more,
})
const moved = (id: string, wall: string, content: string): PersonaEvent => ({
  ...planned(id, wall),
  type: 'EntryMoved',
  content,
})
const due = (id: string): PersonaEvent => ({ type: 'EntryDue', id })
const done = (id: string): PersonaEvent => ({ type: 'EntryDone', id })
const cancelled = (id: string): PersonaEvent => ({ type: 'EntryCancelled', id })
const at = (wall: string) => new Date(toInstant(wall, zone)).toISOString()
const writtenAt = (wall: string, ...events: readonly PersonaEvent[]): WrittenEvents => ({
  at: at(wall),
  events,
})

const span = (from: string, to: string): Span => ({ from: toInstant(from, zone), to: toInstant(to, zone) })
const always = span('2000-01-01T00:00', '2100-01-01T00:00')
const readFallen = async (journal: Pick<Journal, 'head' | 'read'>, range: Span, upTo?: number) =>
  (
    await fallenWithin(journal, {
      span: range,
      waiting: [],
      toInstant,
      ...(upTo === undefined ? {} : { upTo }),
    })
  ).map(({ plan }) => `${plan.wall.slice(0, 16)} ${plan.content}`)

test('returns a due plan at its planned time, even if it fell due later', async () => {
  const journal = await createJournal([
    writtenAt(
      '2026-03-01T10:00',
      planned('tea', '2026-03-02T09:00'),
      planned('rent', '2026-03-03T09:00'),
      planned('later', '2027-01-01T09:00'),
    ),
    writtenAt('2026-03-09T12:00', due('rent'), due('tea')),
    writtenAt('2026-03-09T12:01', done('rent')),
  ])
  assert.equal(await readFallen(journal, always), ['2026-03-02T09:00 the tea', '2026-03-03T09:00 the rent'])
  assert.equal(await readFallen(journal, span('2026-03-02T09:00', '2026-03-03T09:00')), [
    '2026-03-02T09:00 the tea',
  ])
  assert.equal(await readFallen(journal, span('2026-03-09T00:00', '2026-03-10T00:00')), [])
})

test('returns the last version of a moved plan, and no cancelled ones', async () => {
  const journal = await createJournal([
    writtenAt(
      '2026-03-01T10:00',
      planned('tea', '2026-03-02T09:00'),
      planned('a', '2026-03-02T10:00'),
      planned('b', '2026-03-02T11:00'),
    ),
    writtenAt('2026-03-01T11:00', moved('tea', '2026-03-04T17:00', 'coffee'), cancelled('a')),
    writtenAt('2026-03-02T11:00', due('b')),
    writtenAt('2026-03-02T11:01', cancelled('b')),
    writtenAt('2026-03-04T17:00', due('tea')),
  ])
  assert.equal(await readFallen(journal, always), ['2026-03-04T17:00 coffee'])
})

test('returns the plans as of a position', async () => {
  const journal = await createJournal([
    writtenAt('2026-03-01T10:00', planned('tea', '2026-03-02T09:00'), planned('rent', '2026-03-02T09:00')),
    writtenAt('2026-03-02T09:00', due('tea')),
    writtenAt('2026-03-02T09:01', due('rent')),
  ])
  assert.equal(await readFallen(journal, always, journal.head.seq - 1), ['2026-03-02T09:00 the tea'])
})

test('skips a plan that was lost to damage', async () => {
  const journal = await createJournal([
    writtenAt('2026-03-02T09:00', due('gone')),
    writtenAt('2026-03-02T09:00', planned('tea', '2026-03-02T09:00'), due('tea')),
  ])
  assert.equal(await readFallen(journal, always), ['2026-03-02T09:00 the tea'])
})

/** Counts the facts that are read. */
const counting = (journal: Journal) => {
  const counts = { entries: 0 }
  const read: Journal['read'] = async function* (range) {
    for await (const entry of journal.read(range)) {
      counts.entries++
      yield entry
    }
  }
  return { head: journal.head, read, seen: counts }
}

const hour = 60 * 60_000

/** An hourly plan that fell due `count` times, each with its own id. */
const hourly = (count: number, more: readonly WrittenEvents[] = []): readonly WrittenEvents[] => [
  ...more,
  ...Array.from({ length: count }, (_, n): WrittenEvents => {
    const moment = Date.parse('2025-01-01T00:00:00Z') + n * hour
    const wall = (epoch: number) => new Date(epoch).toISOString().slice(0, 16)
    const next = planned(`h${n + 1}`, wall(moment + hour), {
      zone: 'UTC',
      recurrence: 'hourly',
      anchor: '2025-01-01T00:00:00',
    })
    return { at: new Date(moment).toISOString(), events: [due(`h${n}`), next, done(`h${n}`)] }
  }),
]

// Fails if the reader continues to the beginning of the journal, and if it stops before it has found a plan
// from long ago.
test('reads the last days of a long journal without reading all of it, and finds plans from long ago', async () => {
  const journal = await createJournal(
    hourly(1500, [
      writtenAt('2024-12-31T10:00', planned('wedding', '2025-03-03T15:00')),
      writtenAt('2024-12-31T10:00', renamed('Eva')),
    ]),
  )
  const lastDay = span('2025-03-03T00:00', '2025-03-04T00:00')
  const recent = counting(journal)
  assert.is((await readFallen(recent, lastDay)).length, 24)
  assert.ok(recent.seen.entries < 2000, `${recent.seen.entries} read`)

  const longJournal = await createJournal([
    ...hourly(1500, [writtenAt('2024-12-31T10:00', planned('wedding', '2025-03-03T15:00'))]),
    writtenAt('2025-03-03T15:00', due('wedding')),
  ])
  const plans = await readFallen(longJournal, lastDay)
  assert.is(plans.length, 25)
  assert.ok(plans.includes('2025-03-03T15:00 the wedding'))
  const waiting = [{ ...planned('wedding', '2025-03-03T15:00'), seq: 3 }]
  const known = counting(longJournal)
  assert.is((await fallenWithin(known, { span: lastDay, waiting, toInstant })).length, 25)
  assert.ok(known.seen.entries < 2000, `${known.seen.entries} read`)
})

const closed = (ended: string, summary: string): PersonaEvent => ({
  type: 'DayClosed',
  after: 0,
  upTo: 1,
  began: toInstant(ended, zone) - hour,
  ended: toInstant(ended, zone),
  summary,
  by: 'mind',
})
const days = async (written: readonly WrittenEvents[], range: Span = always, offset = 60) =>
  (await daysWithin(await createJournal(written), range, () => offset)).map(
    ({ at: ended, body }) => `${new Date(ended + offset * 60_000).toISOString().slice(0, 16)} ${body}`,
  )

test('joins the parts of a date into one day at the time of its last message', async () => {
  const written = [
    writtenAt('2026-01-02T03:00', closed('2026-01-01T22:00', 'One.')),
    writtenAt('2026-01-02T15:00', closed('2026-01-02T12:00', 'Two.')),
    writtenAt('2026-01-03T03:00', closed('2026-01-02T23:30', 'Three.')),
    writtenAt('2026-01-04T03:00', closed('2026-01-03T08:00', ' ')),
  ]
  assert.equal(await days(written), [
    '2026-01-01T22:00 One.',
    '2026-01-02T23:30 Two.\n\nThree.',
    '2026-01-03T08:00 ',
  ])
  assert.equal(await days(written, span('2026-01-02T13:00', '2026-01-03T00:00')), [
    '2026-01-02T23:30 Two.\n\nThree.',
  ])
  assert.equal(await days(written, span('2026-01-02T00:00', '2026-01-02T23:00')), [])
  assert.equal(await days(written, span('2026-01-03T00:00', '2026-01-02T00:00')), [])
})

test('uses the local date in the zone of that time', async () => {
  const written = [
    writtenAt('2026-01-03T03:00', closed('2026-01-02T00:30', 'Late.'), closed('2026-01-02T20:00', 'Then.')),
  ]
  assert.equal(await days(written), ['2026-01-02T20:00 Late.\n\nThen.'])
  assert.equal(await days(written, always, -300), ['2026-01-01T18:30 Late.', '2026-01-02T14:00 Then.'])
})

test.run()

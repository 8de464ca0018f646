/** The persona's calendar as other programs read it. */
import ICAL from 'ical.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Recurrence } from '../../facts/fact-values.ts'
import { nextAfter, toInstant } from '../../packages/kit/time/local-time.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import { type Feed, type FeedEntry, toICalendar } from '../../src/calendar/icalendar.ts'
import { getInner, getProperty, getTextValue, happenings, readCalendar } from './reader.ts'

const nowEpoch = Date.parse('2026-11-23T10:15:00+01:00')
const aDay = 24 * 60 * 60_000
const aYear = 365 * aDay
const berlin = 'Europe/Berlin'

const createEntry = (fields: Partial<FeedEntry['entry']> = {}, isPast = false): FeedEntry => {
  const wall = `${fields.wall ?? '2026-11-24T09:00'}:00`
  const entry = {
    id: 'p1',
    kind: 'reminder',
    zone: berlin,
    content: 'tea',
    recurrence: null,
    ...fields,
  } as const
  return { entry: { ...entry, wall, anchor: fields.anchor ?? wall }, written: nowEpoch, past: isPast }
}
const createFeed = (entries: readonly FeedEntry[], changes: Partial<Feed> = {}): string =>
  toICalendar({ id: 'ada', name: 'Ada', zone: berlin, now: nowEpoch, entries, ...changes })
const readOnlyEntry = (entry: FeedEntry) => {
  const calendar = readCalendar(createFeed([entry]))
  const [event] = getInner(calendar, 'VEVENT')
  if (!event) throw new Error('no event')
  return { calendar, event }
}

test('a reminder has an alarm at its time; appointments and past entries have none', () => {
  const { calendar, event } = readOnlyEntry(createEntry())
  assert.equal(happenings(calendar, event, nowEpoch + aYear), [Date.parse('2026-11-24T09:00:00+01:00')])
  assert.equal(event.properties.DTSTART, [{ params: { TZID: berlin }, value: '20261124T090000' }])
  assert.equal(
    [getProperty(event, 'UID'), getProperty(event, 'DTSTAMP'), getProperty(event, 'SUMMARY')],
    ['p1@ada', '20261123T091500Z', 'tea'],
  )
  const [alarm] = getInner(event, 'VALARM')
  assert.equal(alarm && [getProperty(alarm, 'ACTION'), getProperty(alarm, 'TRIGGER')], ['DISPLAY', 'PT0S'])
  assert.equal(readOnlyEntry(createEntry({ kind: 'schedule' })).event.inner, [])
  assert.equal(readOnlyEntry(createEntry({ wall: '2026-11-20T09:00' }, true)).event.inner, [])
})

test('an appointment without an hour is an event of the day in every zone', () => {
  const trip = { kind: 'schedule', wall: '2026-12-05T09:00', allDay: true } as const
  const { event } = readOnlyEntry(createEntry(trip))
  assert.equal(event.properties.DTSTART, [{ params: { VALUE: 'DATE' }, value: '20261205' }])
  const yearly = readOnlyEntry(createEntry({ ...trip, recurrence: 'yearly' })).event
  assert.equal(yearly.properties.DTSTART, [{ params: { VALUE: 'DATE' }, value: '20261205' }])
  assert.match(getProperty(yearly, 'RRULE') ?? '', /FREQ=YEARLY/)
})

test('an empty calendar is valid', () => {
  for (const zone of [berlin, 'UTC', 'Asia/Kolkata']) {
    const calendar = readCalendar(createFeed([], { zone, name: 'Ada; "the, one"\\' }))
    assert.equal(getInner(calendar, 'VEVENT'), [])
    assert.is(getTextValue(calendar, 'X-WR-CALNAME'), 'Ada; "the, one"\\')
  }
})

// Fails if lines are cut at 75 UTF-16 units, and if a comma is not escaped.
test('keeps any text in lines of 75 octets that split no character', () => {
  const contents = [
    'a, b; c\\d\\n: "e"',
    'line one\r\nline two\rline three\n\n- and a list, of things',
    'ä'.repeat(200),
    `${'x'.repeat(60)}${'👩‍👩‍👧'.repeat(40)}`,
    `bell\u0007 and\u0000 null, tab\t.`,
    'BEGIN:VEVENT\r\nEND:VCALENDAR',
    ...Array.from({ length: 12 }, (_, n) => 'y'.repeat(60 + n) + '漢'.repeat(30)),
  ]
  for (const content of contents) {
    const { event } = readOnlyEntry(createEntry({ content }))
    const plainContent = content.replace(/\r\n?/g, '\n').replaceAll('\u0007', ' ').replaceAll('\u0000', ' ')
    assert.is(getTextValue(event, 'SUMMARY'), plainContent.split('\n')[0])
    if (plainContent.includes('\n')) assert.is(getTextValue(event, 'DESCRIPTION'), plainContent)
    const text = createFeed([createEntry({ content })])
    for (const line of Buffer.from(text).toString('latin1').split('\r\n'))
      assert.not(Buffer.from(line, 'latin1').toString().includes('\ufffd'), line)
  }
})

type Recurring = readonly [zone: string, anchor: string, recurrence: Recurrence]
const recurring: readonly Recurring[] = [
  [berlin, '2026-11-20T02:30', 'daily'],
  [berlin, '2024-03-31T02:30', 'weekly'],
  [berlin, '2026-01-31T23:45', 'monthly'],
  [berlin, '2026-01-30T09:00', 'monthly'],
  [berlin, '2026-01-29T09:00', 'monthly'],
  [berlin, '2026-01-28T09:00', 'monthly'],
  [berlin, '2024-02-29T08:00', 'yearly'],
  [berlin, '1955-05-31T08:00', 'monthly'],
  [berlin, '1952-02-29T08:00', 'yearly'],
  [berlin, '2026-11-20T01:30', 'hourly'],
  [berlin, '1999-12-31T23:50', 'hourly'],
  ['America/New_York', '2026-11-01T01:30', 'daily'],
  ['America/New_York', '2026-10-31T12:10', 'hourly'],
  ['Australia/Lord_Howe', '2026-10-01T02:10', 'daily'],
  ['Australia/Lord_Howe', '2026-10-01T01:45', 'daily'],
  ['Australia/Lord_Howe', '2026-10-01T01:45', 'hourly'],
  ['Africa/Cairo', '2026-04-01T00:15', 'daily'],
  ['Africa/Casablanca', '2026-01-01T02:30', 'daily'],
  ['Asia/Kolkata', '2026-08-31T05:30', 'monthly'],
  ['UTC', '2026-08-31T05:30', 'monthly'],
  ['Europe/Dublin', '2026-01-01T01:30', 'weekly'],
]

/** Three years in full; for frequent entries only the days around the DST changes in them. */
const looked = ([zone, , recurrence]: Recurring): readonly (readonly [from: number, to: number])[] => {
  const endTime = nowEpoch + 3 * aYear
  if (recurrence === 'monthly' || recurrence === 'yearly') return [[nowEpoch, endTime]]
  const days = Array.from({ length: 3 * 365 }, (_, n) => nowEpoch + n * aDay)
  const changing = days.filter((time) => offsetAt(time, zone) !== offsetAt(time + aDay, zone))
  return [nowEpoch, ...changing].map((time) => [
    time - aDay / 4,
    time + { hourly: 0.5, daily: 3, weekly: 20 }[recurrence] * aDay,
  ])
}

// Fails if rules skip the months without a 31st, if repeated hours count twice, and if zones have one offset.
test('a subscribed calendar shows the plans of the persona', () => {
  for (const [zone, anchor, recurrence] of recurring) {
    const calendar = readCalendar(
      createFeed([createEntry({ zone, recurrence, anchor: `${anchor}:00`, wall: anchor })]),
    )
    const all = getInner(calendar, 'VEVENT').flatMap((event) =>
      happenings(calendar, event, nowEpoch + 3 * aYear),
    )
    for (const [from, to] of looked([zone, anchor, recurrence])) {
      const scheduledTimes: number[] = []
      for (let last = from; last <= to; ) {
        last = toInstant(nextAfter(`${anchor}:00`, zone, recurrence, last), zone)
        if (last <= to) scheduledTimes.push(last)
      }
      const visibleTimes = all.filter((time) => time > from && time <= to)
      assert.ok(scheduledTimes.length >= 2)
      assert.equal(
        getDifference(visibleTimes, scheduledTimes),
        [[], []],
        `${recurrence} from ${anchor} in ${zone}: only the feed, only she`,
      )
    }
  }
})

/** Returns local times as this library reads them. */
const readByIcal = (text: string, endTime: string): readonly string[] => {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const walls = calendar.getAllSubcomponents('vevent').flatMap((event) => {
    const all: string[] = []
    const times = new ICAL.Event(event).iterator()
    for (let time = times.next(); time && time.toString() <= endTime; time = times.next())
      all.push(time.toString().slice(0, 16))
    return all
  })
  return walls.sort()
}

// Fails with the last of several days of a month, which ical.js treats as all of them.
test('ical.js reads recurrences at the end of a month correctly, also in leap years', () => {
  const ends = [
    '2026-01-31',
    '2026-01-30',
    '2026-01-29',
    '2027-12-31',
    '2024-02-29',
    '2026-11-30',
    '2026-10-29',
    '2026-02-28',
    '1955-05-30',
  ]
  const endTime = '2033-03-31T00:00'
  for (const end of ends)
    for (const recurrence of ['monthly', 'yearly'] as const) {
      const anchor = `${end}T09:00:00`
      const expectedTimes: string[] = []
      const first = end < '1970' ? 0 : toInstant(anchor, 'UTC') - 1
      for (let wall = nextAfter(anchor, 'UTC', recurrence, first); wall <= endTime; ) {
        expectedTimes.push(wall.slice(0, 16))
        wall = nextAfter(anchor, 'UTC', recurrence, toInstant(wall, 'UTC'))
      }
      for (const zone of ['UTC', berlin]) {
        const text = createFeed([createEntry({ zone, recurrence, anchor, wall: `${end}T09:00` })])
        assert.equal(readByIcal(text, endTime), expectedTimes, `${recurrence} from ${end} in ${zone}`)
      }
    }
})

const getDifference = (left: readonly number[], right: readonly number[]) => [
  getMissing(left, right),
  getMissing(right, left),
]
const getMissing = (left: readonly number[], right: readonly number[]) =>
  left
    .filter((time, place) => !right.includes(time) || left.indexOf(time) !== place)
    .map((time) => new Date(time).toISOString())

// Fails if zones begin at the day before now.
test('the text is constant without changes, and zones cover ten years', () => {
  const entries = [
    createEntry(),
    createEntry({ id: 'p2', recurrence: 'daily' }),
    createEntry({ id: 'p3', recurrence: 'hourly', wall: '2026-01-01T09:00' }),
  ]
  for (const all of [[], entries]) {
    const text = createFeed(all)
    assert.is(createFeed(all, { now: nowEpoch + 1000 }), text)
    assert.is(createFeed(all, { now: nowEpoch + aDay / 2 }), text)
    assert.match(text, '20361026T030000')
  }
  assert.is(createFeed(entries.slice(0, 2), { now: nowEpoch + 30 * aDay }), createFeed(entries.slice(0, 2)))
})

test('defines a zone once for all its entries, from before the first of them', () => {
  const calendar = readCalendar(
    createFeed([
      createEntry({
        id: 'p1',
        recurrence: 'yearly',
        anchor: '1971-05-03T00:00:00',
        wall: '2027-05-03T00:00',
      }),
      createEntry({ id: 'p2' }),
      createEntry({ id: 'p3', zone: 'Asia/Tokyo' }),
      createEntry({ id: 'p4', zone: 'UTC' }),
      createEntry({ id: 'p5', wall: '2999-01-01T09:00' }),
      createEntry({ id: 'p6', wall: '9999-12-31T23:59', recurrence: 'yearly' }),
    ]),
  )
  assert.equal(
    getInner(calendar, 'VTIMEZONE')
      .map((zone) => getProperty(zone, 'TZID'))
      .sort(),
    ['Asia/Tokyo', berlin],
  )
  const [first, , , utc, far] = getInner(calendar, 'VEVENT')
  assert.is(first && happenings(calendar, first, nowEpoch)[0], Date.parse('1971-05-03T00:00:00+01:00'))
  assert.equal(
    [utc, far].map((event) => event && getProperty(event, 'DTSTART')),
    ['20261124T090000Z', '29990101T080000Z'],
  )
})

test.run()

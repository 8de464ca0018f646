import { test } from 'uvu'
import { equal, is, not, ok } from 'uvu/assert'
import { createChance } from '../../../../test/random.ts'
import { formatPast, isLocalTime, nextAfter, sayNow, toInstant } from '../../time/local-time.ts'
import { zoneNamed } from '../../time/zone-name.ts'
import { offsetAt } from '../../time/zone-offset.ts'

const berlin = 'Europe/Berlin'
const toMs = (iso: string) => Date.parse(iso)

test('a daily reminder at nine stays at nine when the clocks change', () => {
  is(
    nextAfter('2026-10-24T09:00:00', berlin, 'daily', toMs('2026-10-24T10:00:00+02:00')),
    '2026-10-25T09:00:00',
  )
  is(toInstant('2026-10-25T09:00:00', berlin), toMs('2026-10-25T09:00:00+01:00'))
  is(
    nextAfter('2026-03-28T09:00:00', berlin, 'daily', toMs('2026-03-28T10:00:00+01:00')),
    '2026-03-29T09:00:00',
  )
})
test('the 31st monthly is counted from the anchor, not from a shorter month', () => {
  const nextDays = ['2026-02-01', '2026-03-01', '2026-04-01'].map((day) =>
    nextAfter('2026-01-31T08:00:00', berlin, 'monthly', toMs(`${day}T12:00:00Z`)),
  )
  equal(nextDays, ['2026-02-28T08:00:00', '2026-03-31T08:00:00', '2026-04-30T08:00:00'])
})
test('three missed days give one next occurrence', () => {
  is(
    nextAfter('2026-06-01T09:00:00', berlin, 'daily', toMs('2026-06-04T08:00:00+02:00')),
    '2026-06-04T09:00:00',
  )
})
test('hours are real time across a change of the clocks', () => {
  is(
    nextAfter('2026-10-25T01:30:00', berlin, 'hourly', toMs('2026-10-25T01:40:00+02:00')),
    '2026-10-25T02:30:00',
  )
})
test('only the first of a repeated hour counts', () => {
  is(
    nextAfter('2026-10-24T02:30:00', berlin, 'hourly', toMs('2026-10-25T02:30:00+02:00')),
    '2026-10-25T03:30:00',
  )
})
// test/ordeal/time checks a whole year for four zones. These are rare cases.
const rareZones = [
  { zone: 'Pacific/Apia', around: '2011-12-30T12:00', says: 'a day that was left out' },
  { zone: 'America/Sao_Paulo', around: '2017-10-15T00:00', says: 'a midnight that was left out' },
  { zone: 'Africa/Cairo', around: '2023-04-28T00:00', says: 'another' },
  { zone: 'America/Sao_Paulo', around: '2018-02-17T23:30', says: 'an hour before midnight that came twice' },
  { zone: 'Australia/Lord_Howe', around: '2026-04-05T01:45', says: 'half an hour that came twice' },
  { zone: 'Asia/Kolkata', around: '2028-02-29T12:00', says: 'a zone that never changes its clocks' },
] as const

const minute = 60_000
const day = 24 * 60 * minute
const toBareMs = (localTime: string) => toMs(`${localTime.slice(0, 16)}:00Z`)
const writtenOut = (epoch: number) => `${new Date(epoch).toISOString().slice(0, 16)}:00`
/**
 * Finds, by looking at every quarter of an hour, the first time at which clocks show a local time, or a later
 * one if it is skipped.
 */
const findInstant = (localTime: string, zone: string): number => {
  for (let moment = toBareMs(localTime) - 15 * 60 * minute; ; moment += 15 * minute) {
    const shownTime = moment + offsetAt(moment, zone) * minute
    if (shownTime === toBareMs(localTime)) return moment
    // A skipped time: as long after the jump as it is after the begin of the gap.
    const offsetBefore = offsetAt(moment - 15 * minute, zone)
    if (shownTime > toBareMs(localTime) && moment - 15 * minute + offsetBefore * minute < toBareMs(localTime))
      return toBareMs(localTime) - offsetBefore * minute
  }
}

for (const { zone, around, says } of rareZones) {
  test(`${zone}, ${says}: daily and weekly times recur at their time, in order, and only once`, () => {
    const chance = createChance(zone)
    for (let round = 0; round < 8; round++) {
      const recurrence = chance.pick(['daily', 'daily', 'weekly'] as const)
      const intervalDays = recurrence === 'daily' ? 1 : 7
      const anchor = writtenOut(
        toBareMs(around) -
          intervalDays * chance.pickBetween(1, 3) * day +
          chance.pickBetween(-6, 6) * 15 * minute,
      )
      let last = findInstant(anchor, zone) - 1
      for (let n = 0; n < 7; n++) {
        const place = writtenOut(toBareMs(anchor) + n * intervalDays * day)
        const expected = findInstant(place, zone)
        // An occurrence on a skipped day falls on the next one.
        if (expected <= last) continue
        const next = nextAfter(anchor, zone, recurrence, last)
        is(toInstant(next, zone), expected, `${recurrence} from ${anchor}, ${place}`)
        if (toBareMs(place) === expected + offsetAt(expected, zone) * minute) is(next, place)
        ok(expected > last)
        last = expected
      }
      const [a, b] = [0, 0]
        .map(() => toBareMs(around) + chance.pickBetween(-4 * 24, 4 * 24) * 15 * minute)
        .sort((a, b) => a - b) as [number, number]
      const [earlierTime, laterTime] = [a, b].map((afterMs) =>
        toInstant(nextAfter(anchor, zone, recurrence, afterMs), zone),
      ) as [number, number]
      ok(earlierTime <= laterTime && earlierTime > a && laterTime > b)
    }
  })
}

test('a skipped time occurs after the gap, or on the next day', () => {
  is(toInstant('2011-12-30T09:00:00', 'Pacific/Apia'), toMs('2011-12-31T09:00:00+14:00'))
  is(
    nextAfter('2011-12-28T09:00:00', 'Pacific/Apia', 'daily', toMs('2011-12-29T09:00:00-10:00')),
    '2011-12-31T09:00:00',
  )
  is(
    nextAfter('2011-12-28T09:00:00', 'Pacific/Apia', 'daily', toMs('2011-12-31T09:00:00+14:00')),
    '2012-01-01T09:00:00',
  )
  is(
    nextAfter('2011-11-30T09:00:00', 'Pacific/Apia', 'monthly', toMs('2011-12-29T12:00:00-10:00')),
    '2011-12-31T09:00:00',
  )
  is(
    nextAfter('2017-10-01T00:00:00', 'America/Sao_Paulo', 'weekly', toMs('2017-10-14T23:00:00-03:00')),
    '2017-10-15T01:00:00',
  )
  is(
    nextAfter('2017-10-01T00:00:00', 'America/Sao_Paulo', 'weekly', toMs('2017-10-15T01:00:00-02:00')),
    '2017-10-22T00:00:00',
  )
})
test('hourly times continue through a repeated half hour and a skipped day', () => {
  const hourly = (zone: string, anchor: string, from: string, count: number) => {
    const times: string[] = []
    for (let last = toMs(from); times.length < count; last = toInstant(times.at(-1) ?? '', zone))
      times.push(nextAfter(anchor, zone, 'hourly', last))
    return times.map((localTime) => localTime.slice(5, 16)).join(' ')
  }
  is(
    hourly('Pacific/Apia', '2011-12-29T22:15:00', '2011-12-29T22:15:00-10:00', 3),
    '12-29T23:15 12-31T00:15 12-31T01:15',
  )
  is(
    hourly('America/New_York', '2026-03-08T00:15:00', '2026-03-08T00:15:00-05:00', 3),
    '03-08T01:15 03-08T03:15 03-08T04:15',
  )
  is(
    hourly('America/New_York', '2026-11-01T00:15:00', '2026-11-01T00:15:00-04:00', 3),
    '11-01T01:15 11-01T02:15 11-01T03:15',
  )
  is(
    hourly('Australia/Lord_Howe', '2026-04-05T00:00:00', '2026-04-05T00:00:00+11:00', 3),
    '04-05T01:00 04-05T01:30 04-05T02:30',
  )
})
test('29 February recurs on the last of February, and on the 29th in a leap year', () => {
  const years = ['2029-01-01', '2030-01-01', '2031-01-01', '2032-01-01'].map((year) =>
    nextAfter('2028-02-29T08:00:00', berlin, 'yearly', toMs(`${year}T00:00:00Z`)),
  )
  equal(
    years.map((localTime) => localTime.slice(0, 10)),
    ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
  )
})
test('accepts only names of zones, in any case', () => {
  equal(['Europe/Berlin', 'america/NEW_york', 'UTC', 'Etc/GMT+1'].map(zoneNamed), [
    'Europe/Berlin',
    'America/New_York',
    'UTC',
    'Etc/GMT+1',
  ])
  for (const invalidName of [
    '',
    'local',
    'system',
    'utc+3',
    '+01:00',
    'Berlin',
    'Europe/Berlin ',
    'Europe/../Berlin',
  ])
    is(zoneNamed(invalidName), null, invalidName)
})
test('a local time has no offset', () => {
  for (const valid of ['2026-11-24T09:00', '2026-11-24T09:00:30']) ok(isLocalTime(valid), valid)
  for (const invalid of [
    'tomorrow',
    '2026-11-24',
    '2026-13-24T09:00',
    '2026-02-30T09:00',
    '2026-11-24T09:00Z',
    '2026-11-24T25:00',
    '',
  ])
    not(isLocalTime(invalid), invalid)
})
test('the current time has its weekday and zone', () => {
  is(sayNow(toMs('2026-11-23T10:15:00+01:00'), berlin), 'Monday, 2026-11-23T10:15 (Europe/Berlin)')
})

test('formats a past time with its distance in local days, weeks, months and years', () => {
  const now = Date.parse('2026-11-28T00:30:00+01:00')
  const rows = [
    ['2026-11-28T00:10:00+01:00', 'Saturday 28 November 2026, 00:10, today'],
    ['2026-11-27T23:50:00+01:00', 'Friday 27 November 2026, 23:50, yesterday'],
    ['2026-11-24T12:00:00+01:00', 'Tuesday 24 November 2026, 4 days ago'],
    ['2026-11-07T12:00:00+01:00', 'Saturday 7 November 2026, 3 weeks ago'],
    ['2026-05-27T12:00:00+02:00', 'Wednesday 27 May 2026, 6 months ago'],
    ['2021-11-27T12:00:00+01:00', 'Saturday 27 November 2021, 5 years ago'],
  ] as const
  for (const [pastTime, text] of rows) is(formatPast(Date.parse(pastTime), now, 'Europe/Berlin'), text)
})

test.run()

/** Exports the calendar as iCalendar (RFC 5545): planned entries and those that were recently due. */

import type { Recurrence } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import { nextAfter, toInstant } from '../../packages/kit/time/local-time.ts'
import { version } from '../../packages/kit/version.ts'
import { contentLine, escapeText, localTime, utcTime } from './content-lines.ts'
import { getOffsetChanges, timeZoneLines } from './time-zones.ts'

type Entry = Omit<EventOf<'EntryPlanned'>, 'type'>

export interface FeedEntry {
  readonly entry: Entry
  /** When this version of the entry was written, epoch milliseconds. */
  readonly written: number
  /** It was due: exported as one event without recurrence and alarm. */
  readonly past: boolean
}

export interface Feed {
  readonly id: string
  readonly name: string
  /** The daemon's zone. */
  readonly zone: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly entries: readonly FeedEntry[]
}

const dayMs = 24 * 60 * 60_000
/** How long past entries are exported. */
export const recentMs = 30 * dayMs
/** Zone changes cover this many years, for clients that fetch only once. */
const yearsAhead = 10

export const toICalendar = (feed: Feed): string => feedLines(feed).map(contentLine).join('')

const feedLines = ({ id, name, zone: home, now, entries }: Feed): readonly string[] => {
  const horizon = Date.UTC(new Date(now).getUTCFullYear() + yearsAhead + 1, 0)
  const events = entries.flatMap((entry) =>
    toEvents(entry, now, horizon).map((event) => ({ ...entry, ...event })),
  )
  // A calendar needs at least one component. An empty one contains the zone.
  const zones = new Map(events.length > 0 ? [] : [[home, now]])
  for (const { entry, zone, start } of events)
    if (zone !== null) zones.set(zone, Math.min(start, zones.get(entry.zone) ?? now))
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Daimon//Daimon ${version}//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    ...[...zones].flatMap(([zone, first]) => timeZoneLines(zone, startOfYear(first - dayMs), horizon)),
    ...events.flatMap(({ entry, written, past, times, part = '' }) => [
      'BEGIN:VEVENT',
      `UID:${escapeText(`${entry.id}${part}@${id}`)}`,
      `DTSTAMP:${utcTime(written)}`,
      `LAST-MODIFIED:${utcTime(written)}`,
      ...times,
      ...summaryLines(entry.content),
      'TRANSP:TRANSPARENT',
      ...(entry.kind === 'reminder' && !past ? alarm(entry.content) : []),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
}

/** Whole years, so that the text does not change with the time of day. */
const startOfYear = (moment: number): number => Date.UTC(new Date(moment).getUTCFullYear(), 0)

interface EventTimes {
  /** Null for UTC. */
  readonly zone: string | null
  /** Epoch milliseconds. */
  readonly start: number
  readonly times: readonly string[]
  /** Suffix of the id if an entry needs more than one event. */
  readonly part?: string
}

/** Later occurrences count from the requested wall time (`anchor`). */
const toEvents = ({ entry, past }: FeedEntry, now: number, horizon: number): readonly EventTimes[] => {
  const { wall, anchor, zone, recurrence, allDay } = entry
  const toSingle = allDay ? toDayEvent : toSingleEvent
  if (recurrence === null || past) return [toSingle(wall, zone, horizon)]
  if (recurrence === 'hourly') return [toHourly(toInstant(anchor, zone), zone, now, horizon)]
  // Calendars know zones since 1970. In UTC, which has no gaps, an occurrence is exactly where it counts to.
  const from = anchor < '1970' ? nextAfter(anchor, 'UTC', recurrence, 0) : anchor
  return getRules(anchor, recurrence).map(({ rule, months, part }) => {
    let first = from
    while (!months.includes(Number(first.slice(5, 7))))
      first = nextAfter(anchor, 'UTC', recurrence, toInstant(first, 'UTC'))
    const place = toSingle(first, zone, Number.POSITIVE_INFINITY)
    return { ...place, times: [...place.times, `RRULE:${rule}`], ...(part && { part }) }
  })
}

const toSingleEvent = (wall: string, zone: string, horizon: number): EventTimes => {
  const start = toInstant(wall, zone)
  if (isUtc(zone) || start >= horizon) return { zone: null, start, times: [`DTSTART:${utcTime(start)}`] }
  return { zone, start, times: [`DTSTART;TZID=${zone}:${localTime(wall)}`] }
}

/** A date is the same in all zones, so the event needs no zone. */
const toDayEvent = (wall: string, zone: string): EventTimes => ({
  zone: null,
  start: toInstant(wall, zone),
  times: [`DTSTART;VALUE=DATE:${wall.slice(0, 10).replaceAll('-', '')}`],
})

const isUtc = (zone: string): boolean => zone === 'UTC' || zone === 'Etc/UTC'

const hourMs = 60 * 60_000

/**
 * Counts real hours, thus in UTC. Of an hour that the clocks show twice only the first counts. Starts
 * recently, to keep the list of exceptions short.
 */
const toHourly = (anchor: number, zone: string, now: number, horizon: number): EventTimes => {
  const firstInstant = Math.floor((now - recentMs) / dayMs) * dayMs
  const firstFrom = (moment: number) => anchor + Math.ceil((moment - anchor) / hourMs) * hourMs
  const start = Math.max(anchor, firstFrom(firstInstant))
  const excludedInstants: number[] = []
  const addedInstants: number[] = []
  for (const { at, from, to } of getOffsetChanges(zone, start - dayMs, horizon)) {
    const shiftMs = (from - to) * 60_000
    for (let hour = Math.max(start, firstFrom(at)); hour < at + shiftMs; hour += hourMs) {
      excludedInstants.push(hour)
      // If half an hour repeats, the first pass is at another time.
      if (shiftMs % hourMs !== 0) addedInstants.push(hour - shiftMs)
    }
  }
  const dates = (name: string, times: readonly number[]) =>
    times.length > 0 ? [`${name}:${times.map(utcTime).join(',')}`] : []
  const times = [
    `DTSTART:${utcTime(start)}`,
    'RRULE:FREQ=HOURLY',
    ...dates('EXDATE', excludedInstants),
    ...dates('RDATE', addedInstants),
  ]
  return { zone: null, start, times }
}

interface Rule {
  readonly rule: string
  /** In which it may begin, from 1. */
  readonly months: readonly number[]
  readonly part?: string
}

const allMonths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const february = 2
const otherMonths = allMonths.filter((month) => month !== february)

/**
 * A month without the day has the entry on its last day; plain rules would skip the month. Uses only rules
 * that all clients read alike: ical.js ignores `BYSETPOS` for days of the month. So if only February lacks
 * the day, it gets an event of its own.
 */
const getRules = (anchor: string, recurrence: Exclude<Recurrence, 'hourly'>): readonly Rule[] => {
  const month = Number(anchor.slice(5, 7))
  const day = Number(anchor.slice(8, 10))
  const inFebruary = { rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', months: [february] }
  if (recurrence === 'yearly' && month === february && day === 29) return [inFebruary]
  if (recurrence !== 'monthly' || day <= 28)
    return [{ rule: `FREQ=${recurrence.toUpperCase()}`, months: allMonths }]
  if (day === 31) return [{ rule: 'FREQ=MONTHLY;BYMONTHDAY=-1', months: allMonths }]
  const months = otherMonths
  const otherDays = { rule: `FREQ=MONTHLY;BYMONTH=${months.join(',')};BYMONTHDAY=${day}`, months }
  return [otherDays, { ...inFebruary, part: '-february' }]
}

/** The first line becomes the title. */
const summaryLines = (content: string): readonly string[] => {
  const [first = '', ...rest] = content.trim().split(/\r\n?|\n/)
  const text = escapeText(content.trim())
  return [`SUMMARY:${escapeText(first)}`, ...(rest.length > 0 ? [`DESCRIPTION:${text}`] : [])]
}

const alarm = (content: string): readonly string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escapeText(content.trim())}`,
  'TRIGGER:PT0S',
  'END:VALARM',
]

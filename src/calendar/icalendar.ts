/**
 * Its calendar for other calendars: an iCalendar object (RFC 5545) of what it has planned, and of what fell
 * due lately.
 */

import type { Recurrence } from '../../journal/facts/fact-values.ts'
import type { EventOf } from '../../journal/facts/facts.ts'
import { instantOf, nextAfter } from '../time/local-time.ts'
import { version } from '../version.ts'
import { contentLine, escaped, localTime, utcTime } from './content-lines.ts'
import { changesOf, timeZoneLines } from './time-zones.ts'

type Entry = Omit<EventOf<'EntryPlanned'>, 'type'>

export interface Told {
  readonly entry: Entry
  /** When what is told of it was written: epoch milliseconds. */
  readonly written: number
  /** It has fallen due: told as it was, alone, and without an alarm. */
  readonly past: boolean
}

export interface Feed {
  readonly id: string
  readonly name: string
  /** Where the daemon lives, and epoch milliseconds. */
  readonly zone: string
  readonly now: number
  readonly told: readonly Told[]
}

const aDay = 24 * 60 * 60_000
/** So long what has been is told. */
export const lately = 30 * aDay
/** Zones are told for so many years to come: who fetches a feed once still has what recurs at its hour. */
const yearsAhead = 10

export const feedText = (feed: Feed): string => feedLines(feed).map(contentLine).join('')

const feedLines = ({ id, name, zone: home, now, told }: Feed): readonly string[] => {
  const horizon = Date.UTC(new Date(now).getUTCFullYear() + yearsAhead + 1, 0)
  const placed = told.flatMap((one) => placesOf(one, now, horizon).map((place) => ({ ...one, ...place })))
  // There must be something in a calendar: the zone, where there is nothing else.
  const zones = new Map(placed.length > 0 ? [] : [[home, now]])
  for (const { entry, zone, start } of placed)
    if (zone !== null) zones.set(zone, Math.min(start, zones.get(entry.zone) ?? now))
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Daimon//Daimon ${version}//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    ...[...zones].flatMap(([zone, first]) => timeZoneLines(zone, yearOf(first - aDay), horizon)),
    ...placed.flatMap(({ entry, written, past, times, part = '' }) => [
      'BEGIN:VEVENT',
      `UID:${escaped(`${entry.id}${part}@${id}`)}`,
      `DTSTAMP:${utcTime(written)}`,
      `LAST-MODIFIED:${utcTime(written)}`,
      ...times,
      ...words(entry.content),
      'TRANSP:TRANSPARENT',
      ...(entry.kind === 'reminder' && !past ? alarm(entry.content) : []),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
}

/** Its first moment: a text that holds the time of day is another each time it is fetched. */
const yearOf = (moment: number): number => Date.UTC(new Date(moment).getUTCFullYear(), 0)

interface Place {
  /** Null where it is told in UTC. */
  readonly zone: string | null
  /** Epoch milliseconds. */
  readonly start: number
  readonly times: readonly string[]
  /** Behind its id, where an entry needs more than one event. */
  readonly part?: string
}

/** When it is, and when again: later occurrences are counted from the wall time that was asked for. */
const placesOf = ({ entry, past }: Told, now: number, horizon: number): readonly Place[] => {
  const { wall, anchor, zone, recurrence } = entry
  if (recurrence === null || past) return [once(wall, zone, horizon)]
  if (recurrence === 'hourly') return [everyHour(instantOf(anchor, zone), zone, now, horizon)]
  // Calendars know the zones since then. On a wall without gaps, an occurrence is where it is counted to.
  const from = anchor < '1970' ? nextAfter(anchor, 'UTC', recurrence, 0) : anchor
  return rulesOf(anchor, recurrence).map(({ rule, months, part }) => {
    let first = from
    while (!months.includes(Number(first.slice(5, 7))))
      first = nextAfter(anchor, 'UTC', recurrence, instantOf(first, 'UTC'))
    const place = once(first, zone, Number.POSITIVE_INFINITY)
    return { ...place, times: [...place.times, `RRULE:${rule}`], ...(part && { part }) }
  })
}

const once = (wall: string, zone: string, horizon: number): Place => {
  const start = instantOf(wall, zone)
  if (isUtc(zone) || start >= horizon) return { zone: null, start, times: [`DTSTART:${utcTime(start)}`] }
  return { zone, start, times: [`DTSTART;TZID=${zone}:${localTime(wall)}`] }
}

const isUtc = (zone: string): boolean => zone === 'UTC' || zone === 'Etc/UTC'

const anHour = 60 * 60_000

/**
 * In real hours, so in UTC; but of an hour that the clocks show twice only the first counts. Told from lately
 * on, or it would be many.
 */
const everyHour = (anchor: number, zone: string, now: number, horizon: number): Place => {
  const since = Math.floor((now - lately) / aDay) * aDay
  const firstFrom = (moment: number) => anchor + Math.ceil((moment - anchor) / anHour) * anHour
  const start = Math.max(anchor, firstFrom(since))
  const [without, instead]: [number[], number[]] = [[], []]
  for (const { at, from, to } of changesOf(zone, start - aDay, horizon)) {
    const again = (from - to) * 60_000
    for (let hour = Math.max(start, firstFrom(at)); hour < at + again; hour += anHour) {
      without.push(hour)
      // Where half an hour comes twice, no other hour is at its first.
      if (again % anHour !== 0) instead.push(hour - again)
    }
  }
  const dates = (name: string, times: readonly number[]) =>
    times.length > 0 ? [`${name}:${times.map(utcTime).join(',')}`] : []
  const times = [
    `DTSTART:${utcTime(start)}`,
    'RRULE:FREQ=HOURLY',
    ...dates('EXDATE', without),
    ...dates('RDATE', instead),
  ]
  return { zone: null, start, times }
}

interface Rule {
  readonly rule: string
  /** In which it can begin, counted from 1. */
  readonly months: readonly number[]
  readonly part?: string
}

const allMonths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const february = 2
const others = allMonths.filter((month) => month !== february)

/**
 * A month that lacks the day has it on its last: plain rules would leave such a month out. Only rules that
 * every reader takes the same way: ical.js counts no `BYSETPOS` of days of the month, so where February alone
 * lacks the day, it has an event of its own.
 */
const rulesOf = (anchor: string, recurrence: Exclude<Recurrence, 'hourly'>): readonly Rule[] => {
  const [month, day] = [Number(anchor.slice(5, 7)), Number(anchor.slice(8, 10))]
  const inFebruary = { rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', months: [february] }
  if (recurrence === 'yearly' && month === february && day === 29) return [inFebruary]
  if (recurrence !== 'monthly' || day <= 28)
    return [{ rule: `FREQ=${recurrence.toUpperCase()}`, months: allMonths }]
  if (day === 31) return [{ rule: 'FREQ=MONTHLY;BYMONTHDAY=-1', months: allMonths }]
  const elsewhere = { rule: `FREQ=MONTHLY;BYMONTH=${others.join(',')};BYMONTHDAY=${day}`, months: others }
  return [elsewhere, { ...inFebruary, part: '-february' }]
}

/** The first line of it is what a month shows. */
const words = (content: string): readonly string[] => {
  const [first = '', ...rest] = content.trim().split(/\r\n?|\n/)
  return [`SUMMARY:${escaped(first)}`, ...(rest.length > 0 ? [`DESCRIPTION:${escaped(content.trim())}`] : [])]
}

const alarm = (content: string): readonly string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escaped(content.trim())}`,
  'TRIGGER:PT0S',
  'END:VALARM',
]

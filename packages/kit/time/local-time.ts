/** Local time as people say it, `2026-11-24T09:00` in a zone: when it comes, and when it comes again. */
import { DateTime } from 'luxon'
import { knownZone } from './zone-name.ts'

/** `2026-11-24T09:00`, with or without seconds; no offset: it is meant in a zone. */
export const isLocalTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid

/**
 * Epoch milliseconds of a local time. A time the clocks skip is the one they jump to; one that comes twice is
 * the first.
 */
export const instantOf = (localTime: string, zone: string): number => {
  // Which of two luxon takes by itself depends on the season it is asked in.
  const times = DateTime.fromISO(localTime, { zone: knownZone(zone) }).getPossibleOffsets()
  return Math.min(...times.map((time) => time.toMillis()))
}

/** A local time of one zone as it is in another. */
export const inZone = (localTime: string, from: string, to: string): string =>
  from === to ? localTime : localTimeAt(instantOf(localTime, from), to)

/** `2026-11-24T09:00:00` */
export const localTimeAt = (epoch: number, zone: string): string =>
  DateTime.fromMillis(epoch, { zone: knownZone(zone) }).toFormat("yyyy-MM-dd'T'HH:mm:ss")

/** The local date, `YYYY-MM-DD`. */
export const dateOf = (epoch: number, zone: string): string => localTimeAt(epoch, zone).slice(0, 10)

/** `Monday, 2026-11-23T10:15 (Europe/Berlin)` */
export const sayNow = (epoch: number, zone: string): string =>
  DateTime.fromMillis(epoch, { zone: knownZone(zone), locale: 'en' }).toFormat(
    `cccc, yyyy-MM-dd'T'HH:mm '(${zone})'`,
  )

/** Without seconds. */
export const shortLocalTime = (localTime: string): string => localTime.slice(0, 16)

const units = {
  hourly: 'hours',
  daily: 'days',
  weekly: 'weeks',
  monthly: 'months',
  yearly: 'years',
} as const

export type Recurrence = keyof typeof units

/**
 * The first occurrence after an instant. Counted from the anchor, never from the last one: 31 January monthly
 * is 28 February, then 31 March. Hours are counted in real time, everything longer by the calendar.
 */
export const nextAfter = (anchor: string, zone: string, recurrence: Recurrence, after: number): string => {
  const unit = units[recurrence]
  const known = knownZone(zone)
  // Days are counted without a zone: on the day of an anchor that the clocks skip it is an hour later, and on
  // no other.
  const counted = unit === 'hours' ? known : 'utc'
  const first =
    unit === 'hours'
      ? DateTime.fromMillis(instantOf(anchor, zone), { zone: known })
      : DateTime.fromISO(anchor, { zone: counted })
  const reached =
    unit === 'hours' ? after : DateTime.fromISO(localTimeAt(after, zone), { zone: counted }).toMillis()
  const passed = Math.floor(DateTime.fromMillis(reached, { zone: counted }).diff(first, unit).as(unit))
  const occurrence = (n: number) =>
    localTimeAt(instantOf(first.plus({ [unit]: n }).toFormat("yyyy-MM-dd'T'HH:mm:ss"), zone), zone)
  // One less: a time that the clocks skip comes later than its place in the calendar.
  let n = Math.max(0, passed - 1)
  // Compared as a local time: of an hour that comes twice only the first counts, or it would fall due over
  // and over.
  while (instantOf(occurrence(n), zone) <= after) n++
  return occurrence(n)
}

/** Local times such as `2026-11-24T09:00` in a zone: their instants and recurrences. */
import { DateTime } from 'luxon'
import { knownZone } from './zone-name.ts'

/** Accepts `2026-11-24T09:00` with or without seconds, and without an offset. */
export const isLocalTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid

/**
 * Converts a local time to epoch ms. A skipped time moves forward with the clocks; of a repeated time the
 * first counts.
 */
export const toInstant = (localTime: string, zone: string): number => {
  // By default luxon's choice between two offsets depends on the current season.
  const times = DateTime.fromISO(localTime, { zone: knownZone(zone) }).getPossibleOffsets()
  return Math.min(...times.map((time) => time.toMillis()))
}

/** Converts a local time from one zone to another. */
export const inZone = (localTime: string, from: string, to: string): string =>
  from === to ? localTime : localTimeAt(toInstant(localTime, from), to)

/** Formats as `2026-11-24T09:00:00`. */
export const localTimeAt = (epoch: number, zone: string): string =>
  DateTime.fromMillis(epoch, { zone: knownZone(zone) }).toFormat("yyyy-MM-dd'T'HH:mm:ss")

/** Returns the local date, `YYYY-MM-DD`. */
export const toDate = (epoch: number, zone: string): string => localTimeAt(epoch, zone).slice(0, 10)

/** Formats as `Monday, 2026-11-23T10:15 (Europe/Berlin)`. */
export const sayNow = (epoch: number, zone: string): string =>
  DateTime.fromMillis(epoch, { zone: knownZone(zone), locale: 'en' }).toFormat(
    `cccc, yyyy-MM-dd'T'HH:mm '(${zone})'`,
  )

/** Formats as `Friday 27 November 2026`. */
export const formatDay = (epoch: number, zone: string): string =>
  DateTime.fromMillis(epoch, { zone: knownZone(zone), locale: 'en' }).toFormat('cccc d LLLL yyyy')

/** Formats as `27 November 2026`. */
export const formatDate = (epoch: number, zone: string): string =>
  DateTime.fromMillis(epoch, { zone: knownZone(zone), locale: 'en' }).toFormat('d LLLL yyyy')

/** Formats a partial date (partial-date.ts) as `2027`, `March 2027` or `31 March 2027`. */
export const formatPartialDate = (text: string): string => {
  const format = ['yyyy', 'LLLL yyyy', 'd LLLL yyyy'][text.split('-').length - 1] ?? 'yyyy'
  return DateTime.fromISO(text, { zone: 'utc', locale: 'en' }).toFormat(format)
}

/** Formats as `Friday 27 November 2026, 10:15, yesterday`. Older times have no hour. Counts local days. */
export const formatPast = (epoch: number, now: number, zone: string): string => {
  const hasHour = countDays(epoch, now, zone) < 2
  const hour = DateTime.fromMillis(epoch, { zone: knownZone(zone) }).toFormat('HH:mm')
  return [
    formatDay(epoch, zone),
    ...(hasHour ? [hour] : []),
    formatDaysAgo(countDays(epoch, now, zone)),
  ].join(', ')
}

/** Formats as `Friday 27 November 2026, yesterday`. */
export const formatPastDay = (epoch: number, now: number, zone: string): string =>
  `${formatDay(epoch, zone)}, ${formatDaysAgo(countDays(epoch, now, zone))}`

/** Returns the number of local days from one time to a later one. */
const countDays = (from: number, to: number, zone: string): number => {
  const [first, last] = [from, to].map((at) =>
    DateTime.fromMillis(at, { zone: knownZone(zone) }).startOf('day'),
  )
  return first && last ? Math.round(last.diff(first, 'days').days) : 0
}

const formatDaysAgo = (days: number): string => {
  if (days < 0) return 'in the future'
  if (days < 2) return days === 0 ? 'today' : 'yesterday'
  if (days < 14) return `${days} days ago`
  if (days < 60) return `${Math.floor(days / 7)} weeks ago`
  return days < 730 ? `${Math.floor(days / 30.44)} months ago` : `${Math.floor(days / 365.25)} years ago`
}

/** Formats a local time as `Friday 2026-11-27T09:00`. */
export const formatWall = (localTime: string): string =>
  `${DateTime.fromISO(localTime, { zone: 'utc', locale: 'en' }).toFormat('cccc')} ${shortLocalTime(localTime)}`

/** Formats as `Mon 2026-11-30T08:02`. */
export const formatShortWall = (localTime: string): string =>
  formatWall(localTime).replace(/^(.{3})\w*/, '$1')

/** Leaves out the hour of a plan for a day. */
export const formatPlanTime = ({
  wall,
  allDay,
}: {
  readonly wall: string
  readonly allDay?: boolean | undefined
}): string => formatWall(allDay ? wall.slice(0, 10) : wall)

/** Removes the seconds. */
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
 * Returns the first occurrence after an instant. Counts from the anchor, not from the last occurrence: 31
 * January monthly is 28 February, then 31 March. Hours are real time, all longer units calendar time.
 */
export const nextAfter = (anchor: string, zone: string, recurrence: Recurrence, afterMs: number): string => {
  const unit = units[recurrence]
  const zoneData = knownZone(zone)
  // Days are counted in UTC. An anchor that the clocks skip is then an hour later only on that day.
  const countingZone = unit === 'hours' ? zoneData : 'utc'
  const first =
    unit === 'hours'
      ? DateTime.fromMillis(toInstant(anchor, zone), { zone: zoneData })
      : DateTime.fromISO(anchor, { zone: countingZone })
  const afterInZone =
    unit === 'hours'
      ? afterMs
      : DateTime.fromISO(localTimeAt(afterMs, zone), { zone: countingZone }).toMillis()
  const passedUnits = Math.floor(
    DateTime.fromMillis(afterInZone, { zone: countingZone }).diff(first, unit).as(unit),
  )
  const occurrence = (n: number) =>
    localTimeAt(toInstant(first.plus({ [unit]: n }).toFormat("yyyy-MM-dd'T'HH:mm:ss"), zone), zone)
  // Start one earlier, because a skipped time occurs later than in the calendar.
  let n = Math.max(0, passedUnits - 1)
  // Compare local times, or a time in a repeated hour would fall due repeatedly.
  while (toInstant(occurrence(n), zone) <= afterMs) n++
  return occurrence(n)
}

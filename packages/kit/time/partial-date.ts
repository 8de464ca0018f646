/** Dates whose day, or month and day, may be unknown: `2027`, `2027-03` or `2027-03-31`. */
import { DateTime } from 'luxon'

/** Accepts dates from 1900 to 2999. */
export const isPartialDate = (text: string): boolean =>
  /^(?:19|2\d)\d\d(?:-\d\d){0,2}$/.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid

/** Formats as `2027`, `March 2027` or `31 March 2027`. */
export const formatPartialDate = (text: string): string => {
  const format = ['yyyy', 'LLLL yyyy', 'd LLLL yyyy'][text.split('-').length - 1] ?? 'yyyy'
  return DateTime.fromISO(text, { zone: 'utc', locale: 'en' }).toFormat(format)
}

/** Returns true if the whole day, month or year is before a date (`YYYY-MM-DD`). */
export const isPartialDateBefore = (text: string, date: string): boolean => text < date.slice(0, text.length)

/** Returns true if a period with these limits has at least one day. */
export const isPeriod = (from: string, untilDate: string): boolean =>
  from.slice(0, untilDate.length) <= untilDate.slice(0, from.length)

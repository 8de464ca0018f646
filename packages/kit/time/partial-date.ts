/** Dates whose day, or month and day, may be unknown: `2027`, `2027-03` or `2027-03-31`. */

/** Accepts dates from 1900 to 2999. */
export const isPartialDate = (text: string): boolean =>
  /^(?:19|2\d)\d\d(?:-\d\d){0,2}$/.test(text) && isCalendarDate(text)

/** `Date` turns 31 February into a day of March. */
const isCalendarDate = (text: string): boolean => {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Returns true if the whole day, month or year is before a date (`YYYY-MM-DD`). */
export const isPartialDateBefore = (text: string, date: string): boolean => text < date.slice(0, text.length)

/** Returns true if a period with these limits has at least one day. */
export const isPeriod = (from: string, untilDate: string): boolean =>
  from.slice(0, untilDate.length) <= untilDate.slice(0, from.length)

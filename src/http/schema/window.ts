/** A stretch of time as a caller writes it: ISO dates or date-times, one without an offset meant where the daemon lives. */
import { HttpRefused } from './refused.ts'

const written = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i

/** A moment as somebody writes it: what the wall shows, to the millisecond, and epoch milliseconds where an offset stands with it. */
export interface Moment {
  readonly wall: string
  readonly at: number | null
  /** No time of day was written. */
  readonly dateAlone: boolean
}

/** Written as a moment is, whether or not there is such a day or hour. */
export const isWritten = (text: string): boolean => written.test(text)

/** Null for what is no ISO date or date-time. */
export const readMoment = async (text: string): Promise<Moment | null> => {
  // Asked late: what knows the zones takes longer to load than the rest of a start.
  const { DateTime } = await import('luxon')
  const [, date, time, offset] = written.exec(text) ?? []
  const wall = DateTime.fromISO(`${date}T${time ?? '00:00'}`, { zone: 'utc' })
  const exact = offset === undefined ? wall : DateTime.fromISO(`${date}T${time}${offset.toUpperCase()}`, { zone: 'utc' })
  if (date === undefined || !wall.isValid || !exact.isValid) return null
  const at = offset === undefined ? null : exact.toMillis()
  return { wall: wall.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS"), at, dateAlone: time === undefined }
}

/** What the description says of either end. */
export const anInstant = 'An ISO date or date-time; without an offset it is meant where the daemon lives.'

/** Epoch milliseconds; a date is its first moment. Refused: window_invalid, which names both ends. */
export const readInstant = async (text: string, zone: string, names: readonly [string, string]): Promise<number> => {
  const { instantOf } = await import('../../time/local-time.ts')
  // In a query, a plus that nobody encoded has become a space.
  const moment = await readMoment(text.replace(/ (?=\d{2}(:?\d{2})?$)/, '+'))
  if (!moment) throw new HttpRefused({ code: 'window_invalid', names })
  return moment.at ?? instantOf(moment.wall, zone)
}

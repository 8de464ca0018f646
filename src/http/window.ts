/** A stretch of time as a caller writes it: ISO dates or date-times, one without an offset meant where the daemon lives. */
import { HttpRefused } from './refused.ts'

const written = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i

/** Epoch milliseconds; a date is its first moment. Refused: window_invalid, which names both ends. */
export const readInstant = async (text: string, zone: string, names: readonly [string, string]): Promise<number> => {
  // Asked late: what knows the zones takes longer to load than the rest of a start.
  const [{ DateTime }, { instantOf }] = await Promise.all([import('luxon'), import('../mind/wall.ts')])
  // In a query, a plus that nobody encoded has become a space.
  const [, date, time = '00:00', offset] = written.exec(text.replace(/ (?=\d{2}(:?\d{2})?$)/, '+')) ?? []
  const wall = DateTime.fromISO(`${date}T${time}`, { zone: 'utc' })
  const exact = offset === undefined ? wall : DateTime.fromISO(`${date}T${time}${offset.toUpperCase()}`, { zone: 'utc' })
  if (date === undefined || !wall.isValid || !exact.isValid) throw new HttpRefused({ code: 'window_invalid', names })
  return offset === undefined ? instantOf(wall.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS"), zone) : exact.toMillis()
}

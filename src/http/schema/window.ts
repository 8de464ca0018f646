/**
 * A stretch of time as a caller writes it: ISO dates or date-times, one without an offset meant where the
 * daemon lives.
 */
import { readMoment } from '../../../packages/kit/time/moments.ts'
import { HttpRefused } from './refused.ts'

/** What the description says of either end. */
export const anInstant = 'An ISO date or date-time; without an offset it is meant where the daemon lives.'

/** Epoch milliseconds; a date is its first moment. Refused: window_invalid, which names both ends. */
export const readInstant = async (
  text: string,
  zone: string,
  names: readonly [string, string],
): Promise<number> => {
  const instant = await instantIn(text, zone)
  if (instant === null) throw new HttpRefused({ code: 'window_invalid', names })
  return instant
}

/** The same; null for what is none. */
export const instantIn = async (text: string, zone: string): Promise<number | null> => {
  const { instantOf } = await import('../../../packages/kit/time/local-time.ts')
  // In a query, a plus that nobody encoded has become a space.
  const moment = await readMoment(text.replace(/ (?=\d{2}(:?\d{2})?$)/, '+'))
  return moment && (moment.at ?? instantOf(moment.wall, zone))
}

/**
 * A time range in a request: ISO dates or date-times. Without an offset they are in the time zone of the
 * daemon.
 */
import { readMoment } from '../../../packages/kit/time/moments.ts'
import { HttpRefused } from '../refused.ts'

/** Description of either end in the OpenAPI document. */
export const instantDescription =
  'An ISO date or date-time. Without an offset it is in the time zone of the daemon.'

/** Returns epoch ms. A date means its first moment. Throws window_invalid, which names both ends. */
export const readInstant = async (
  text: string,
  zone: string,
  names: readonly [string, string],
): Promise<number> => {
  const instant = await instantIn(text, zone)
  if (instant === null) throw new HttpRefused({ code: 'window_invalid', names })
  return instant
}

/** Returns epoch ms, or null if the text is not a date. */
export const instantIn = async (text: string, zone: string): Promise<number | null> => {
  const { toInstant: instantOf } = await import('../../../packages/kit/time/local-time.ts')
  // A `+` that was not encoded in the query has become a space.
  const moment = await readMoment(text.replace(/ (?=\d{2}(:?\d{2})?$)/, '+'))
  return moment && (moment.at ?? instantOf(moment.wall, zone))
}

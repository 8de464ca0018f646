/** Times in requests: the ends of a range, and a moment in the life of a persona. */
import * as z from 'zod'
import type { Entry } from '../../../facts/persona-journal.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import { readMoment as parseMoment } from '../../../packages/kit/time/moments.ts'
import type { Moment as AskedMoment } from '../../persona/past.ts'
import { HttpRefused } from '../refused.ts'

// A time range: ISO dates or date-times. Without an offset they are in the time zone of the daemon.

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
const instantIn = async (text: string, zone: string): Promise<number | null> => {
  const { toInstant: instantOf } = await import('../../../packages/kit/time/local-time.ts')
  // A `+` that was not encoded in the query has become a space.
  const moment = await parseMoment(text.replace(/ (?=\d{2}(:?\d{2})?$)/, '+'))
  return moment && (moment.at ?? instantOf(moment.wall, zone))
}

// A moment in the life of a persona: a position in its journal, or an instant.

/** Description of a moment in the OpenAPI document. */
export const momentDescription =
  'A position in the journal, or an ISO date or date-time. Without an offset it is in the time zone of the daemon. A time selects the last fact, in the order of the journal, that is not later, even if the clock was changed.'

export const Moment = z.object({ seq: z.int(), time: z.string().nullable() }).meta({ id: 'Moment' })

export const toMoment = (last: Pick<Entry, 'seq' | 'at' | 'offset'>) => ({
  seq: last.seq,
  time: isoWithOffset(last.at, last.offset),
})

export const At = z.union([z.int().min(0), z.string()])

/** Throws moment_invalid. */
export const readMoment = async (
  input: number | string,
  name: string,
  zone: string,
): Promise<AskedMoment> => {
  if (typeof input === 'number' || /^\d{1,15}$/.test(input)) return { seq: Number(input) }
  const instant = await instantIn(input, zone)
  if (instant === null) throw new HttpRefused({ code: 'moment_invalid', name })
  return { at: instant }
}

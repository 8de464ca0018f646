/** A moment in the life of a persona: a position in its journal, or an instant. */
import * as z from 'zod'
import type { Entry } from '../../../journal/log/journal.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import type { Moment as AskedMoment } from '../../persona/past.ts'
import { instantIn } from './moments.ts'
import { HttpRefused } from '../refused.ts'

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
export const readMoment = async (at: number | string, name: string, zone: string): Promise<AskedMoment> => {
  if (typeof at === 'number' || /^\d{1,15}$/.test(at)) return { seq: Number(at) }
  const instant = await instantIn(at, zone)
  if (instant === null) throw new HttpRefused({ code: 'moment_invalid', name })
  return { at: instant }
}

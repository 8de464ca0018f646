/** A moment of a life as a caller names it: the position of a fact, or an instant. */
import * as z from 'zod'
import type { Moment } from '../../persona/head-at.ts'
import { HttpRefused } from './refused.ts'
import { instantIn } from './window.ts'

export const At = z.union([z.int().min(0), z.string()])

/** What the description says of one. */
export const aMoment =
  'The position of a fact, or an ISO date or date-time: the last fact at or before it. Without an offset it is meant where the daemon lives.'

/** Null where nothing is named. Refused: moment_invalid. */
export const readAt = async (
  at: number | string | null | undefined,
  zone: string,
): Promise<Moment | null> => {
  if (at === undefined || at === null || at === '') return null
  if (typeof at === 'number' || /^\d{1,15}$/.test(at)) return { seq: Number(at) }
  const instant = await instantIn(at, zone)
  if (instant === null) throw new HttpRefused({ code: 'moment_invalid', name: 'at' })
  return { at: instant }
}

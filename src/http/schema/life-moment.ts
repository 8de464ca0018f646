/** A moment of a life as a caller writes it: a position in its journal, or an instant. */
import * as z from 'zod'
import type { Seq } from '../../../journal/facts/fact-values.ts'
import type { Entry, Journal } from '../../../journal/log/journal.ts'
import type { Moment as AskedMoment } from '../../persona/head-at.ts'
import { positionAt } from '../../persona/instants.ts'
import { isoWithOffset } from '../../time/clock.ts'
import { HttpRefused } from './refused.ts'
import { instantIn, readInstant } from './window.ts'

/** What the description says of one. */
export const aMoment =
  'A position in the journal, or an ISO date or date-time (without an offset it is meant where the daemon lives): then the last fact whose time is not later counts, in the order of the journal, whatever the clock did.'

export const Moment = z.object({ seq: z.int(), time: z.string().nullable() }).meta({ id: 'Moment' })

export const momentOf = (last: Pick<Entry, 'seq' | 'at' | 'offset'>) => ({
  seq: last.seq,
  time: isoWithOffset(last.at, last.offset),
})

/** Finds the position in a journal: its head where it is behind that, 0 before the first. */
export type FindMoment = (journal: Journal, gone: AbortSignal) => Promise<Seq | 0>

/** Refused: moment_invalid. */
export const readMomentOf = async (text: string, name: string, zone: string): Promise<FindMoment> => {
  if (/^\d{1,15}$/.test(text)) return async ({ head }) => Math.min(Number(text), head.seq)
  const instant = await readInstant(text, zone, [name, name]).catch((error: unknown) => {
    if (error instanceof HttpRefused) throw new HttpRefused({ code: 'moment_invalid', name })
    throw error
  })
  return (journal, gone) => positionAt(journal, instant, gone)
}

export const At = z.union([z.int().min(0), z.string()])

/** Null where nothing is named. Refused: moment_invalid. */
export const readAt = async (
  at: number | string | null | undefined,
  zone: string,
): Promise<AskedMoment | null> => {
  if (at === undefined || at === null || at === '') return null
  if (typeof at === 'number' || /^\d{1,15}$/.test(at)) return { seq: Number(at) }
  const instant = await instantIn(at, zone)
  if (instant === null) throw new HttpRefused({ code: 'moment_invalid', name: 'at' })
  return { at: instant }
}

/**
 * A night: what was said is gone over, the day closed, the journal verified and sealed. What cuts it half-way
 * loses nothing: it is run again.
 */

import { pathless } from '../../packages/kit/files/pathless.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { dateOf, localTimeAt } from '../../packages/kit/time/local-time.ts'
import type { Persona } from '../../projections/persona.ts'
import { dueInTurns, resumable, waiting } from '../../projections/talk.ts'
import { JournalUnavailable, Refused } from '../persona/refusals.ts'
import { type DayDeps, endDay, goOver } from './close-day.ts'
import { untilKept } from './recording.ts'

export interface NightDeps extends Omit<DayDeps, 'pressing'> {
  /** As it is on disk. */
  readonly persona: () => Persona
}

const minute = 60_000
/** Spans that are gone over without a pause: more waits for the next time. */
const mostSpans = 24
/** Milliseconds after which no further span is begun. */
const longEnough = 10 * minute

/**
 * `fail` tells whoever waits that it came to nothing, though its end may not be on the disk yet. Throws the
 * same, or what cut it.
 */
export const sleepThrough = async (
  by: 'person' | 'clock',
  fail: (error: Refused) => void,
  deps: NightDeps,
): Promise<void> => {
  const { id, life, clock, log, persona, signal } = deps
  const { days, life: begun } = persona()
  // One whose beginning the disk refused and kept all the same goes on here.
  if (days.sleeping === null || days.sleeping < begun.woke)
    await deps.execute({ type: 'BeginSleep', life, by })
  const mine = persona().days.sleeping
  const execute = failingWith(fail, deps.execute)
  let reason: string | null = null
  try {
    const began = clock.now()
    const pressing = () => somethingWaits(persona()) || Math.abs(clock.now() - began) > longEnough
    const dayDeps = { ...deps, execute, pressing }
    const over = await goOver(persona().days.sleeping ?? 0, mostSpans, dayDeps)
    await endDay(over, by, dayDeps)
  } catch (error) {
    signal.throwIfAborted()
    reason = pathless(error instanceof Error ? error.message : String(error))
    log.warn({ id, reason }, 'a persona could not sleep')
  }
  const outcome = reason === null ? 'slept' : 'failed'
  await untilKept(deps, async () => {
    // The disk may have taken it though it said otherwise, and the next night may have begun since.
    if (persona().days.sleeping === mine) await execute({ type: 'EndSleep', life, outcome, reason })
  })
  if (reason !== null) throw new Refused({ code: 'sleep_failed' })
}

/** What is tried again may be so for ever: a disk that hangs keeps nobody waiting. */
const failingWith = (fail: (error: Refused) => void, execute: DayDeps['execute']): DayDeps['execute'] => {
  let refused = 0
  return async (command) => {
    try {
      const written = await execute(command)
      refused = 0
      return written
    } catch (error) {
      if (error instanceof JournalUnavailable && ++refused > 1) fail(new Refused({ code: 'sleep_failed' }))
      throw error
    }
  }
}

/** Nobody is sent to bed in the middle of a talk, but for this hour of the day. */
const quiet = 30 * minute
const atLatest = '05:00'
/** Milliseconds before a night that failed is tried again by itself. */
const nextTry = 60 * minute

/**
 * A day on which something happened is over, and nobody speaks, or it is late. A night that failed is not
 * tried again at once.
 */
export const isNight = ({ days, talk, plans }: Persona, { now: time, zone }: Clock): boolean => {
  const { stirred, last, slept } = days
  const now = time()
  // What waits is told first.
  if (!stirred || talk.turn !== null || somethingWaits({ talk, plans })) return false
  const [today = '', hour = ''] = localTimeAt(now, zone).split('T')
  // A clock that was ahead has left days behind it that never come.
  if (dateOf(stirred.at, zone) === today) return false
  if (slept && !slept.well && Math.abs(now - slept.at) < nextTry) return false
  return !last || Math.abs(now - last.at) >= quiet || hour >= atLatest
}

/** A user to be answered or greeted, something to be told, or a turn that may be resumed. */
export const somethingWaits = (persona: Pick<Persona, 'talk' | 'plans'>): boolean =>
  newTurnWaits(persona) || resumable(persona.talk) !== undefined

/** The same without turns that may be resumed. */
export const newTurnWaits = ({ talk, plans }: Pick<Persona, 'talk' | 'plans'>): boolean => {
  const taken = dueInTurns(talk)
  return waiting(talk).length > 0 || talk.greeting === 'asked' || plans.due.some(({ id }) => !taken.has(id))
}

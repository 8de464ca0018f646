/**
 * The nightly consolidation: consolidates the talk, closes the day, verifies the journal and writes the
 * diary. An interrupted night is run again.
 */
import { pathless } from '../../packages/kit/files/pathless.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { localTimeAt, toDate } from '../../packages/kit/time/local-time.ts'
import type { Persona } from '../../projections/persona.ts'
import { dueInTurns, findResumable, getWaitingInboxes } from '../../projections/talk.ts'
import { JournalUnavailable, Refused } from '../persona/refusals.ts'
import { type ConsolidationResult, closeDay, consolidateTalk, type DayDeps } from './close-day.ts'
import { writeWithRetries } from './recording.ts'

export interface NightDeps extends Omit<DayDeps, 'isUrgent'> {
  /** Returns the committed state. */
  readonly persona: () => Persona
  /** Lets turns begin while `work` runs, and waits for their end. The signal aborts when one begins. */
  readonly giveWay: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

const minute = 60_000
/** Max spans per night. The rest waits for the next one. */
const maxSpansPerRun = 24
/** Time in ms after which no further span is begun. */
const maxNightMs = 10 * minute

/**
 * Runs a night. Calls `fail` as soon as it cannot succeed, even if its end is not on disk yet. Throws the
 * same error, or the signal's reason.
 */
export const runNight = async (
  requestedBy: 'person' | 'clock',
  fail: (error: Refused) => void,
  deps: NightDeps,
): Promise<void> => {
  const { id, life, log, persona, signal } = deps
  const { days, life: lifeState } = persona()
  // A night that was begun in this life continues here. Its first fact may be on disk although the write
  // failed.
  if (days.sleeping === null || days.sleeping < lifeState.woke)
    await deps.execute({ type: 'BeginSleep', life, by: requestedBy })
  const nightStart = persona().days.sleeping
  const execute = withFailureReport(fail, deps.execute)
  let reason: string | null = null
  try {
    const progress = await consolidateBetweenTurns({ ...deps, execute })
    await closeDay(progress, requestedBy, { ...deps, execute })
  } catch (error) {
    signal.throwIfAborted()
    reason = pathless(error instanceof Error ? error.message : String(error))
    log.warn({ id, reason }, 'failed to complete a night')
  }
  const outcome = reason === null ? 'slept' : 'failed'
  await writeWithRetries(deps, async () => {
    // A write that failed may still be on disk, and the next night may have begun.
    if (persona().days.sleeping === nightStart) await execute({ type: 'EndSleep', life, outcome, reason })
  })
  if (reason !== null) throw new Refused({ code: 'sleep_failed' })
}

/**
 * Consolidates the talk before the night. A turn that begins aborts the model call in progress; after the
 * turn, the same span is consolidated again. Nothing of it was recorded.
 */
const consolidateBetweenTurns = async (deps: NightDeps): Promise<ConsolidationResult> => {
  const { clock, persona, signal } = deps
  const startedAt = clock.now()
  let turnsMs = 0
  const isLate = () => Math.abs(clock.now() - startedAt) - turnsMs > maxNightMs
  for (;;) {
    let gaveWay = false
    let endedAt = startedAt
    const progress = await deps.giveWay(async (giveWaySignal) => {
      const isUrgent = () => {
        gaveWay = giveWaySignal.aborted || hasWaitingWork(persona())
        return gaveWay || isLate()
      }
      try {
        const upTo = persona().days.sleeping ?? 0
        return await consolidateTalk(upTo, maxSpansPerRun, { ...deps, isUrgent, signal: giveWaySignal })
      } catch (error) {
        signal.throwIfAborted()
        if (!giveWaySignal.aborted) throw error
        gaveWay = true
        return 'more'
      } finally {
        endedAt = clock.now()
      }
    })
    signal.throwIfAborted()
    turnsMs += Math.abs(clock.now() - endedAt)
    // Messages still wait if the model failed in the turn.
    if (!gaveWay || hasWaitingWork(persona()) || isLate()) return progress
  }
}

/**
 * Calls `fail` at the second failed write in a row. Retries of a write can last forever, and the caller must
 * not wait for them.
 */
const withFailureReport = (
  fail: (error: Refused) => void,
  execute: DayDeps['execute'],
): DayDeps['execute'] => {
  let failedWrites = 0
  return async (command) => {
    try {
      const result = await execute(command)
      failedWrites = 0
      return result
    } catch (error) {
      if (error instanceof JournalUnavailable && ++failedWrites > 1)
        fail(new Refused({ code: 'sleep_failed' }))
      throw error
    }
  }
}

/** Time in ms without a message before a night begins by itself. It does not apply from `atLatest` on. */
const quietMs = 30 * minute
const atLatest = '05:00'
/** Delay in ms before a failed night is retried. */
const retryDelayMs = 60 * minute

/**
 * Returns true if a day with activity is over and the user is idle, or if it is late. After a failed night it
 * returns false for a while.
 */
export const isNight = ({ days, talk, plans }: Persona, { now: time, zone }: Clock): boolean => {
  const { stirred, last, slept } = days
  const now = time()
  // Waiting messages and reminders come first.
  if (!stirred || talk.turn !== null || hasWaitingWork({ talk, plans })) return false
  const [today = '', hour = ''] = localTimeAt(now, zone).split('T')
  // Compares for equality: a clock that was ahead may have recorded days in the future.
  if (toDate(stirred.at, zone) === today) return false
  if (slept && !slept.well && Math.abs(now - slept.at) < retryDelayMs) return false
  return !last || Math.abs(now - last.at) >= quietMs || hour >= atLatest
}

/** Returns true if a message, a greeting, a reminder or a resumable turn is waiting. */
export const hasWaitingWork = (persona: Pick<Persona, 'talk' | 'plans'>): boolean =>
  hasNewTurn(persona) || findResumable(persona.talk) !== undefined

/** The same as `hasWaitingWork`, without resumable turns. */
export const hasNewTurn = ({ talk, plans }: Pick<Persona, 'talk' | 'plans'>): boolean => {
  const idsInTurns = dueInTurns(talk)
  return (
    getWaitingInboxes(talk).length > 0 ||
    talk.greeting === 'asked' ||
    plans.due.some(({ id }) => !idsInTurns.has(id))
  )
}

/** Its rest: going over the talk once nobody has spoken for a while, and sleep, which closes a day. What cuts it half-way loses nothing: it is run again. */

import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import type { Persona } from '../../projections/persona.ts'
import { waiting } from '../../projections/talk.ts'
import { pathless } from '../files/pathless.ts'
import { unlessAborted } from '../flow/unless-aborted.ts'
import type { Log } from '../log.ts'
import { Unanswered } from '../mind/think.ts'
import { JournalUnavailable } from '../persona/gate.ts'
import { Refused } from '../persona/refusals.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { Clock } from '../time/clock.ts'
import { dateOf, localTimeAt } from '../time/local-time.ts'
import { type DayDeps, endDay, goOver, type Trouble } from './close-day.ts'
import { untilKept } from './recording.ts'

export interface Sleep {
  /** It sleeps, or is about to: no turn begins. */
  readonly asleep: boolean
  /** Looks at the clock. What it begins goes on behind it. */
  beat(): void
  /** Two asks share one. Refused `sleep_failed`, or rejects with what cut it. */
  sleep(by: 'person' | 'clock'): Promise<void>
  /** Somebody speaks: going over the talk can wait. */
  interrupt(): void
  /** Resolves when nothing of it goes on. Never rejects. */
  ended(): Promise<void>
}

export interface SleepDeps extends Omit<DayDeps, 'signal' | 'pressing' | 'trouble'> {
  readonly id: PersonaId
  readonly clock: Clock
  readonly log: Log
  /** As it is on disk. */
  readonly persona: () => Persona
  /** Resolves when the turn in progress has ended. */
  readonly turnEnded: () => Promise<void>
  /** Nights are one persona's at a time. */
  readonly inBed: (night: () => Promise<void>) => Promise<void>
  /** It is awake again. */
  readonly onAwake: () => void
}

const minute = 60_000
/** Nobody is sent to bed in the middle of a talk, but for this hour of the day. */
const quiet = 30 * minute
const atLatest = '05:00'
/** Milliseconds before a night that failed is tried again by itself. */
const nextTry = 60 * minute
/** Spans that are gone over without a pause: more waits for the next time. */
const spansAtOnce = { idle: 4, night: 24 }
/** Milliseconds of a night after which no further span is begun. */
const longEnough = 10 * minute

/** `ending` aborts when its life is over. */
export const createSleep = (deps: SleepDeps, ending: AbortSignal): Sleep => {
  const { id, life, clock, log, execute } = deps
  let night: Promise<void> | null = null
  /** What whoever asked for it is told. */
  let answer: Promise<void> = Promise.resolve()
  let failed = new AbortController()
  let queued = false
  let idling: { readonly cut: AbortController; readonly done: Promise<void> } | null = null
  /** The last words of a talk that could not be gone over: it is left for the next time. */
  let left: Seq | 0 = 0
  const trouble: Trouble = { after: 0, tries: 0 }

  const interrupt = () => idling?.cut.abort()

  const fails = (what: string) => (err: unknown) => {
    // That its Mind cannot be reached is a fact already.
    if (!ending.aborted && !(err instanceof Refused || err instanceof Unanswered)) log.error({ id, err }, what)
  }

  /** `fail` tells who waits for it that it came to nothing, though its end may not be on the disk yet. */
  const lie = async (by: 'person' | 'clock', fail: (error: Refused) => void) => {
    interrupt()
    await idling?.done
    await deps.turnEnded()
    ending.throwIfAborted()
    const { days, life: begun } = deps.persona()
    // One whose beginning the disk refused and kept all the same goes on here.
    if (days.sleeping === null || days.sleeping < begun.woke) await execute({ type: 'BeginSleep', life, by })
    const mine = deps.persona().days.sleeping
    let reason: string | null = null
    let refused = 0
    const write = async (command: Command) => {
      try {
        const written = await execute(command)
        refused = 0
        return written
      } catch (error) {
        // What is tried again may be so for ever: a disk that hangs keeps nobody waiting.
        if (error instanceof JournalUnavailable && ++refused > 1) fail(new Refused({ code: 'sleep_failed' }))
        throw error
      }
    }
    try {
      const began = clock.now()
      const pressing = () => somethingWaits(deps.persona()) || Math.abs(clock.now() - began) > longEnough
      const dayDeps = { ...deps, execute: write, trouble, pressing, signal: ending }
      const over = await goOver(deps.persona().days.sleeping ?? 0, spansAtOnce.night, dayDeps)
      await endDay(over, by, dayDeps)
    } catch (error) {
      ending.throwIfAborted()
      reason = pathless(error instanceof Error ? error.message : String(error))
      log.warn({ id, reason }, 'a persona could not sleep')
    }
    const outcome = reason === null ? 'slept' : 'failed'
    const end = async () => {
      // The disk may have taken it though it said otherwise, and the next night may have begun since.
      if (deps.persona().days.sleeping === mine) await write({ type: 'EndSleep', life, outcome, reason })
    }
    await untilKept({ clock, signal: ending }, end)
    if (reason !== null) throw new Refused({ code: 'sleep_failed' })
  }

  const sleep = (by: 'person' | 'clock'): Promise<void> => {
    if (ending.aborted) return Promise.reject(new Refused({ code: 'life_over' }))
    // One that came to nothing, and whose end is on the disk by now, is nobody's any more.
    if (failed.signal.aborted && deps.persona().days.sleeping === null) night = null
    if (!night) {
      const told = new AbortController()
      failed = told
      const mine = lie(by, (error) => told.abort(error)).finally(() => {
        if (night === mine) night = null
        deps.onAwake()
      })
      night = mine
      answer = unlessAborted(mine, told.signal)
      answer.catch(() => undefined)
    }
    return answer
  }

  const goToBed = async () => {
    queued = true
    try {
      await deps.inBed(async () => {
        // The queue may have been long.
        if (!ending.aborted && isNight(deps.persona(), clock)) await sleep('clock')
      })
    } finally {
      queued = false
    }
  }

  const idle = () => {
    const cut = new AbortController()
    const { last } = deps.persona().days
    const signal = AbortSignal.any([cut.signal, ending])
    const over = async () => {
      const how = await goOver(last?.seq ?? 0, spansAtOnce.idle, { ...deps, trouble, pressing: () => false, signal })
      if (how !== 'all') left = last?.seq ?? 0
    }
    const done = over()
      .catch((error: unknown) => {
        if (signal.aborted) return
        left = last?.seq ?? 0
        fails('the talk could not be gone over')(error)
      })
      .finally(() => {
        idling = null
      })
    idling = { cut, done }
  }

  const isIdle = ({ days, self, talk, plans }: Persona): boolean => {
    const { last, consolidated } = days
    if (!last || last.seq <= consolidated || last.seq === left) return false
    // A turn that is about to begin has looked already whether anything is to be interrupted.
    if (talk.turn !== null || somethingWaits({ talk, plans })) return false
    return Math.abs(clock.now() - last.at) >= self.idleTimeout * 1000
  }

  return {
    get asleep() {
      return night !== null || deps.persona().days.sleeping !== null
    },
    beat: () => {
      const persona = deps.persona()
      if (night || queued || ending.aborted) return
      // Begun in a life that was cut off.
      if (persona.days.sleeping !== null) void sleep(persona.days.sleepBy).catch(fails('a night failed'))
      else if (persona.life.failed.thinking) return
      else if (isNight(persona, clock)) void goToBed().catch(fails('a night failed'))
      else if (!idling && isIdle(persona)) idle()
    },
    sleep,
    interrupt,
    ended: async () => {
      await Promise.allSettled([night, idling?.done])
    },
  }
}

/** A day on which something happened is over, and nobody speaks, or it is late. A night that failed is not tried again at once. */
const isNight = ({ days, talk, plans }: Persona, { now: time, zone }: Clock): boolean => {
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

/** Somebody to be answered, or something to be told. */
export const somethingWaits = ({ talk, plans }: Pick<Persona, 'talk' | 'plans'>): boolean =>
  waiting(talk).length > 0 || plans.due.length > 0

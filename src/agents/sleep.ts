/** Its sleep: a night when it is asked for or when it is time, and between talks what was said gone over. */

import { type Backoff, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import { sparingMemory } from '../../packages/kit/flow/heap-growth.ts'
import { unlessAborted } from '../../packages/kit/flow/unless-aborted.ts'
import { Unanswered } from '../mind/think.ts'
import { Refused } from '../persona/refusals.ts'
import type { DayDeps } from './close-day.ts'
import { isUnexpected } from './faults.ts'
import { createIdleReview } from './idle-review.ts'
import { isNight, type NightDeps, sleepThrough } from './night.ts'
import type { NightQueue } from './night-queue.ts'

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

export interface SleepDeps extends Omit<NightDeps, 'signal' | 'trouble'> {
  /** Resolves when the turn in progress has ended. */
  readonly turnEnded: () => Promise<void>
  readonly nights: NightQueue
  /** It is awake again. */
  readonly onAwake: () => void
}

const nightPauses: Backoff = { first: 60_000, longest: 60 * 60_000 }

/** `ending` aborts when its life is over. */
export const createSleep = (deps: SleepDeps, ending: AbortSignal): Sleep => {
  const { id, clock, log, persona } = deps
  const trouble: DayDeps['trouble'] = { after: 0, tries: 0 }
  let night: Promise<void> | null = null
  /** What whoever asked for it is told. */
  let answer: Promise<void> = Promise.resolve()
  let failed = new AbortController()
  let queued = false
  /** Nights in a row that failed because of a defect, and when the last one did. */
  let faulty = { count: 0, at: 0 }

  const nightFailed = (error: unknown) => {
    if (ending.aborted || !isUnexpected(error)) return logged('a night failed')(error)
    faulty = { count: faulty.count + 1, at: clock.now() }
    deps.faults.add('night', error)
  }
  /** A clock that was set back is no reason to wait longer. */
  const isPaused = () => Math.abs(clock.now() - faulty.at) < pauseAfter(faulty.count, nightPauses)

  const logged = (what: string) => (err: unknown) => {
    // That its Mind cannot be reached is a fact already.
    if (!ending.aborted && !(err instanceof Refused || err instanceof Unanswered))
      log.error({ id, err }, what)
  }
  const idle = createIdleReview(
    { ...deps, trouble, onError: logged('the talk could not be gone over') },
    ending,
  )

  const passNight = async (by: 'person' | 'clock', fail: (error: Refused) => void) => {
    idle.interrupt()
    await idle.ended()
    await deps.turnEnded()
    ending.throwIfAborted()
    await sparingMemory(() => sleepThrough(by, fail, { ...deps, trouble, signal: ending }))
    faulty = { count: 0, at: 0 }
    deps.faults.clear('night')
  }

  const sleep = (by: 'person' | 'clock'): Promise<void> => {
    if (ending.aborted) return Promise.reject(new Refused({ code: 'life_over' }))
    // One that came to nothing, and whose end is on the disk by now, is nobody's any more.
    if (failed.signal.aborted && persona().days.sleeping === null) night = null
    if (night) return answer
    const told = new AbortController()
    failed = told
    const mine = passNight(by, (error) => told.abort(error)).finally(() => {
      if (night === mine) night = null
      deps.onAwake()
    })
    night = mine
    answer = unlessAborted(mine, told.signal)
    answer.catch(() => undefined)
    return answer
  }

  const sleepInTurn = async () => {
    queued = true
    try {
      await deps.nights.run(async () => {
        // The queue may have been long.
        if (!ending.aborted && isNight(persona(), clock)) await sleep('clock')
      })
    } finally {
      queued = false
    }
  }

  return {
    get asleep() {
      return night !== null || persona().days.sleeping !== null
    },
    beat: () => {
      const { days, life } = persona()
      if (night || queued || ending.aborted || isPaused()) return
      // Begun in a life that was cut off.
      if (days.sleeping !== null) void sleep(days.sleepBy).catch(nightFailed)
      else if (life.failed.thinking) return
      else if (isNight(persona(), clock)) void sleepInTurn().catch(nightFailed)
      else idle.beat()
    },
    sleep,
    interrupt: idle.interrupt,
    ended: async () => {
      await Promise.allSettled([night, idle.ended()])
    },
  }
}

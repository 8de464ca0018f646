/**
 * The sleep of a persona: nightly consolidation on request or when it is time, and reviews while the user is
 * idle.
 */
import type { Seq } from '../../facts/fact-values.ts'
import { eitherAborts, unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import { type Backoff, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import { sparingMemory } from '../../packages/kit/flow/heap-growth.ts'
import type { Persona } from '../../projections/persona.ts'
import { Unanswered } from '../mind/model-retries.ts'
import { Refused } from '../persona/refusals.ts'
import { consolidateTalk, type DayDeps } from './close-day.ts'
import { isUnexpected } from './faults.ts'
import { hasWaitingWork, isNight, type NightDeps, runNight } from './night.ts'
import type { NightQueue } from './night-queue.ts'

export interface Sleep {
  /** True while a night runs or is about to begin. */
  readonly asleep: boolean
  /** True while a review runs. */
  readonly isReviewing: boolean
  /** True while no turn may begin: at the beginning of a night, and while it closes the day. */
  readonly holdsTurns: boolean
  /** Starts a night or a review if it is time. Returns immediately. */
  beat(): void
  /** Runs a night. Concurrent calls share one. Rejects with `sleep_failed` or the signal's reason. */
  sleep(requestedBy: 'person' | 'clock'): Promise<void>
  /** Aborts the review or the model call of a night that is in progress, because a turn begins. */
  interrupt(): void
  /** Resolves when no night and no review is running. Never rejects. */
  waitForEnd(): Promise<void>
}

export interface SleepDeps extends Omit<NightDeps, 'signal' | 'trouble' | 'giveWay'> {
  /** Resolves when the turn in progress has ended. */
  readonly turnEnded: () => Promise<void>
  readonly nights: NightQueue
  /** Aborts the decision whether the persona writes by itself, and waits for its end. */
  readonly endInitiative: () => Promise<void>
  /** Called when turns may begin again. */
  readonly beginTurns: () => void
}

const nightPauses: Backoff = { first: 60_000, longest: 60 * 60_000 }

/** `ending` aborts when the persona stops or restarts. */
export const createSleep = (deps: SleepDeps, ending: AbortSignal): Sleep => {
  const { id, clock, log, persona } = deps
  const trouble: DayDeps['trouble'] = { after: 0, tries: 0 }
  let night: Promise<void> | null = null
  /** The promise that callers of `sleep` get. It can settle before the night ends. */
  let answer: Promise<void> = Promise.resolve()
  let failureController = new AbortController()
  let isQueued = false
  let holdsTurns = false
  let interruption: AbortController | null = null
  /** Consecutive nights that failed because of a defect, and the time of the last one. */
  let defects = { count: 0, at: 0 }

  const nightFailed = (error: unknown) => {
    if (ending.aborted || !isUnexpected(error)) return logFailure('a night failed')(error)
    defects = { count: defects.count + 1, at: clock.now() }
    deps.faults.add('night', error)
  }
  /** `abs`, because the clock may have been set back. */
  const isPaused = () => Math.abs(clock.now() - defects.at) < pauseAfter(defects.count, nightPauses)

  const logFailure = (sentence: string) => (err: unknown) => {
    // An unreachable model is already recorded as a fact.
    if (!ending.aborted && !(err instanceof Refused || err instanceof Unanswered))
      log.error({ id, err }, sentence)
  }
  const idle = createIdleReview(
    { ...deps, trouble, onError: logFailure('failed to consolidate the talk') },
    ending,
  )

  const giveWay: NightDeps['giveWay'] = async (work) => {
    const controller = new AbortController()
    interruption = controller
    holdsTurns = false
    deps.beginTurns()
    try {
      return await eitherAborts([ending, controller.signal], work)
    } finally {
      interruption = null
      await deps.turnEnded()
      holdsTurns = true
      // One may have begun between the two lines above.
      await deps.turnEnded()
    }
  }

  const passNight = async (requestedBy: 'person' | 'clock', fail: (error: Refused) => void) => {
    holdsTurns = true
    idle.interrupt()
    await idle.waitForEnd()
    await deps.endInitiative()
    await deps.turnEnded()
    ending.throwIfAborted()
    await sparingMemory(() => runNight(requestedBy, fail, { ...deps, trouble, giveWay, signal: ending }))
    defects = { count: 0, at: 0 }
    deps.faults.clear('night')
  }

  const sleep = (requestedBy: 'person' | 'clock'): Promise<void> => {
    if (ending.aborted) return Promise.reject(new Refused({ code: 'life_over' }))
    // A failed night whose end is on disk must not be shared with later callers.
    if (failureController.signal.aborted && persona().days.sleeping === null) night = null
    if (night) return answer
    const failure = new AbortController()
    failureController = failure
    const ownNight = passNight(requestedBy, (error) => failure.abort(error)).finally(() => {
      if (night === ownNight) {
        night = null
        holdsTurns = false
      }
      deps.beginTurns()
    })
    night = ownNight
    answer = unlessAborted(ownNight, failure.signal)
    answer.catch(() => undefined)
    return answer
  }

  const sleepQueued = async () => {
    isQueued = true
    try {
      await deps.nights.run(async () => {
        // Checks again, because the wait in the queue may have been long.
        if (!ending.aborted && isNight(persona(), clock)) await sleep('clock')
      })
    } finally {
      isQueued = false
    }
  }

  return {
    get asleep() {
      return night !== null || persona().days.sleeping !== null
    },
    get isReviewing() {
      return idle.isRunning
    },
    get holdsTurns() {
      return holdsTurns
    },
    beat: () => {
      const { days, life, talk } = persona()
      if (night || isQueued || ending.aborted || isPaused()) return
      // A night that an earlier life did not finish.
      if (days.sleeping !== null) {
        // A turn that began in that night is finished first.
        if (talk.turn === null) void sleep(days.sleepBy).catch(nightFailed)
      } else if (life.failed.thinking) return
      else if (isNight(persona(), clock)) void sleepQueued().catch(nightFailed)
      else idle.beat()
    },
    sleep,
    interrupt: () => {
      idle.interrupt()
      interruption?.abort()
    },
    waitForEnd: async () => {
      await Promise.allSettled([night, idle.waitForEnd()])
    },
  }
}

// Consolidates the talk after the user has been idle for a while.

export interface IdleReview {
  readonly isRunning: boolean
  /** Starts a review if it is time. Returns immediately. */
  beat(): void
  /** Aborts a running review, because the user is active again. */
  interrupt(): void
  /** Resolves when no review is running. Never rejects. */
  waitForEnd(): Promise<void>
}

interface Deps extends Omit<DayDeps, 'signal' | 'isUrgent'> {
  /** Returns the committed state. */
  readonly persona: () => Persona
  /** Receives the error of a failed review. */
  readonly onError: (error: unknown) => void
}

/** Max spans per review. The rest waits for the next one. */
const maxSpansPerRun = 4

/** `ending` aborts when the persona stops or restarts. */
const createIdleReview = (deps: Deps, ending: AbortSignal): IdleReview => {
  const { persona, clock, onError } = deps
  let currentReview: { readonly cut: AbortController; readonly task: Promise<void> } | null = null
  /**
   * Position of the last message of the last review. An unfinished review continues after a newer message.
   */
  let lastReviewedSeq: Seq | 0 = 0

  const isTime = ({ days, self, talk, plans }: Persona): boolean => {
    const { last, consolidated } = days
    if (!last || last.seq <= consolidated || last.seq === lastReviewedSeq) return false
    // A turn that is about to begin has already called `interrupt`, so it could not abort a review that
    // starts now.
    if (talk.turn !== null || hasWaitingWork({ talk, plans })) return false
    return Math.abs(clock.now() - last.at) >= self.idleTimeout * 1000
  }

  const review = async (upTo: Seq | 0, signal: AbortSignal) => {
    try {
      await sparingMemory(() =>
        consolidateTalk(upTo, maxSpansPerRun, { ...deps, isUrgent: () => false, signal }),
      )
      lastReviewedSeq = upTo
    } catch (error) {
      if (signal.aborted) return
      lastReviewedSeq = upTo
      onError(error)
    } finally {
      currentReview = null
    }
  }

  return {
    get isRunning() {
      return currentReview !== null
    },
    beat: () => {
      if (currentReview || !isTime(persona())) return
      const controller = new AbortController()
      const task = review(persona().days.last?.seq ?? 0, AbortSignal.any([controller.signal, ending]))
      currentReview = { cut: controller, task }
    },
    interrupt: () => currentReview?.cut.abort(),
    waitForEnd: async () => {
      await currentReview?.task
    },
  }
}

/**
 * Asks an unreachable model for one word. One call may take long, so that a slowly loading model is noticed.
 * Further calls time out quickly, so that a hanging call does not hide the recovery.
 */
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { MindError } from '../../packages/models/mind.ts'

/**
 * `reason`: null if the model gave no answer in time. `lasting`: retries cannot help. `retryAfter`: in ms.
 */
export interface Trouble {
  readonly reason: string | null
  readonly lasting: boolean
  readonly retryAfter: number | undefined
}

/** The result of a probe that was not made or has not ended. */
export const noResult: Trouble = { reason: null, lasting: false, retryAfter: undefined }

interface Deps {
  readonly stopwatch: Stopwatch
  /** Asks the model for one word. Rejects if it gives none. */
  readonly word: (signal: AbortSignal) => Promise<void>
  /** Called if the model answers after the timeout. The next `ask` then returns null immediately. */
  readonly onLate: () => void
  readonly ending: AbortSignal
}

/** Time in ms after which `ask` returns. */
const timeoutMs = 4000

export interface Probe {
  /** Returns null if the model answers. Never rejects. */
  ask(): Promise<Trouble | null>
  /** Aborts all calls. */
  end(): void
}

export const createProbe = ({ stopwatch, word, onLate, ending }: Deps): Probe => {
  /** The one call without a timeout. */
  let slowCall: AbortController | null = null
  let currentCall: AbortController | null = null
  let hasLateAnswer = false

  const call = (controller: AbortController): Promise<Trouble | null> => {
    const signal = AbortSignal.any([ending, controller.signal])
    return unlessAborted(word(signal), signal).then(() => null, toTrouble)
  }

  const askSlowly = async (controller: AbortController): Promise<Trouble | null> => {
    slowCall = controller
    const trouble = await call(controller)
    slowCall = null
    return trouble
  }

  return {
    ask: async () => {
      if (hasLateAnswer) {
        hasLateAnswer = false
        return null
      }
      const controller = new AbortController()
      currentCall = controller
      const mayTakeLong = slowCall === null
      const pendingCall = mayTakeLong ? askSlowly(controller) : call(controller)
      const raceEnd = new AbortController()
      const timeout = stopwatch.wait(timeoutMs, raceEnd.signal).then(() => 'late' as const)
      const first = await Promise.race([pendingCall, timeout])
      raceEnd.abort()
      if (first === null) {
        slowCall?.abort()
        return null
      }
      if (first !== 'late') return first
      if (!mayTakeLong) controller.abort()
      else
        void pendingCall.then((trouble) => {
          hasLateAnswer = trouble === null && !ending.aborted
          if (hasLateAnswer) onLate()
        })
      return noResult
    },
    end: () => {
      slowCall?.abort()
      currentCall?.abort()
      hasLateAnswer = false
    },
  }
}

const toTrouble = (error: unknown): Trouble =>
  error instanceof MindError
    ? { reason: error.message, lasting: error.kind === 'barred', retryAfter: error.retryAfter }
    : noResult

// The pause between two probes of an unreachable model: short while a message waits, long otherwise. A new
// message ends the pause.

export interface ProbePace {
  /** Resolves when the next probe is due, or when the life is over. */
  wait(): Promise<void>
  /** The model was called just now. */
  onMessage(): void
  /** Sets a minimum for the next pause in ms, for a `retryAfter` of the provider or after failed turns. */
  leave(minPauseMs: number): void
  /** A new outage begins: resets the pause. */
  beginAnew(): void
  /** A message arrived: the next probe is due soon. */
  onAnswer(): void
  /** The model may have recovered: ends the pause. */
  hurry(): void
}

interface ProbePaceDeps {
  readonly clock: Clock
  /** Returns true if a message waits for the model. */
  readonly waits: () => boolean
  readonly ending: AbortSignal
}

const minute = 60_000
/**
 * Pauses in ms. `shortPauseMs` applies while a message waits. Without one, or `eagerFor` after the last
 * message, the pause grows up to `longPauseMs`.
 */
const shortPauseMs = 5000
const eagerFor = 10 * minute
const longPauseMs = 5 * minute

/**
 * Returns the pause in ms after consecutive failed turns whose probes succeeded. The failing prompt is not
 * sent every five seconds.
 */
export const pauseAfterRounds = (rounds: number): number => shortPauseMs * 3 ** rounds

export const createProbePace = ({ clock, waits, ending }: ProbePaceDeps): ProbePace => {
  let lastCallAt = Number.NEGATIVE_INFINITY
  let minPauseMs = 0
  let pause = shortPauseMs
  /** Time of the last message. Messages that wait at the start count as new. */
  let lastMessageAt = clock.now()
  /** Aborts the pause. The first probe is made without one. */
  let pauseAbort = new AbortController()
  pauseAbort.abort()

  const isUrgent = () => waits() && Math.abs(clock.now() - lastMessageAt) <= eagerFor

  return {
    wait: async () => {
      if (!waits()) pause = Math.max(pause, minute)
      const signal = AbortSignal.any([ending, pauseAbort.signal])
      await clock.wait(pause, signal)
      // A provider's `retryAfter` is respected, but capped: outages are often shorter.
      const extraPauseMs = Math.min(minPauseMs, isUrgent() ? minute : longPauseMs) - pause
      if (extraPauseMs > 0) await clock.wait(extraPauseMs, signal)
      minPauseMs = 0
      if (pauseAbort.signal.aborted) {
        pauseAbort = new AbortController()
        const remainingMs = Math.min(lastCallAt + shortPauseMs - clock.now(), shortPauseMs)
        if (remainingMs > 0) await clock.wait(remainingMs, ending)
      }
      pause = isUrgent() ? shortPauseMs : Math.min(pause * 2, longPauseMs)
    },
    onMessage: () => {
      lastCallAt = clock.now()
    },
    leave: (ms) => {
      minPauseMs = ms
    },
    beginAnew: () => {
      lastCallAt = clock.now()
      pause = shortPauseMs
      pauseAbort = new AbortController()
    },
    onAnswer: () => {
      lastMessageAt = clock.now()
      pause = shortPauseMs
      minPauseMs = 0
      pauseAbort.abort()
    },
    hurry: () => pauseAbort.abort(),
  }
}

/**
 * The pause between two probes of an unreachable model: short while a message waits, long otherwise. A new
 * message ends the pause.
 */
import type { Clock } from '../../packages/kit/time/clock.ts'

export interface ProbePace {
  /** Resolves when the next probe is due, or when the life is over. */
  wait(): Promise<void>
  /** The model was called just now. */
  heardOf(): void
  /** Sets a minimum for the next pause in ms, for a `retryAfter` of the provider or after failed turns. */
  leave(minPauseMs: number): void
  /** A new outage begins: resets the pause. */
  beginAnew(): void
  /** A message arrived: the next probe is due soon. */
  spoken(): void
  /** The model may have recovered: ends the pause. */
  hurry(): void
}

interface Deps {
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

export const createProbePace = ({ clock, waits, ending }: Deps): ProbePace => {
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
    heardOf: () => {
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
    spoken: () => {
      lastMessageAt = clock.now()
      pause = shortPauseMs
      minPauseMs = 0
      pauseAbort.abort()
    },
    hurry: () => pauseAbort.abort(),
  }
}

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
  leave(least: number): void
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
 * Pauses in ms. `often` applies while a message waits. Without one, or `eagerFor` after the last message, the
 * pause grows up to `seldom`.
 */
const often = 5000
const eagerFor = 10 * minute
const seldom = 5 * minute

/**
 * Returns the pause in ms after consecutive failed turns whose probes succeeded. The failing prompt is not
 * sent every five seconds.
 */
export const pauseAfterRounds = (rounds: number): number => often * 3 ** rounds

export const createProbePace = ({ clock, waits, ending }: Deps): ProbePace => {
  let heard = Number.NEGATIVE_INFINITY
  let least = 0
  let pause = often
  /** Time of the last message. Messages that wait at the start count as new. */
  let spoke = clock.now()
  /** Aborts the pause. The first probe is made without one. */
  let hurry = new AbortController()
  hurry.abort()

  const eager = () => waits() && Math.abs(clock.now() - spoke) <= eagerFor

  return {
    wait: async () => {
      if (!waits()) pause = Math.max(pause, minute)
      const signal = AbortSignal.any([ending, hurry.signal])
      await clock.wait(pause, signal)
      // A provider's `retryAfter` is respected, but capped: outages are often shorter.
      const more = Math.min(least, eager() ? minute : seldom) - pause
      if (more > 0) await clock.wait(more, signal)
      least = 0
      if (hurry.signal.aborted) {
        hurry = new AbortController()
        const soon = Math.min(heard + often - clock.now(), often)
        if (soon > 0) await clock.wait(soon, ending)
      }
      pause = eager() ? often : Math.min(pause * 2, seldom)
    },
    heardOf: () => {
      heard = clock.now()
    },
    leave: (ms) => {
      least = ms
    },
    beginAnew: () => {
      heard = clock.now()
      pause = often
      hurry = new AbortController()
    },
    spoken: () => {
      spoke = clock.now()
      pause = often
      least = 0
      hurry.abort()
    },
    hurry: () => hurry.abort(),
  }
}

/**
 * How long a Mind that is away is left alone before it is asked again: often while somebody waits, seldom
 * otherwise, at once when somebody speaks.
 */
import type { Clock } from '../../packages/kit/time/clock.ts'

export interface ProbePace {
  /** Resolves when it is to be asked, or when the life is over. */
  wait(): Promise<void>
  /** It was heard of just now. */
  heardOf(): void
  /**
   * It is left alone for so many milliseconds, once: a provider asks for it, or the fault may lie in what it
   * is sent.
   */
  leave(least: number): void
  /** It has failed: whatever hurried before is over. */
  beginAnew(): void
  /** Somebody speaks. */
  spoken(): void
  /** It may be back. */
  hurry(): void
}

interface Deps {
  readonly clock: Clock
  /** Whether somebody waits for it. */
  readonly waits: () => boolean
  readonly ending: AbortSignal
}

const minute = 60_000
/**
 * Milliseconds: while somebody waits; once nobody has spoken for `eagerFor`, or nobody waits, less and less
 * often.
 */
const often = 5000
const eagerFor = 10 * minute
const seldom = 5 * minute

/**
 * After so many turns in a row that failed beside a Mind that gives its word: what is sent to it is not sent
 * every five seconds.
 */
export const pauseAfterRounds = (rounds: number): number => often * 3 ** rounds

export const createProbePace = ({ clock, waits, ending }: Deps): ProbePace => {
  let heard = Number.NEGATIVE_INFINITY
  let least = 0
  let pause = often
  /** When somebody last spoke; whoever waits at the beginning counts as having just spoken. */
  let spoke = clock.now()
  /** Ends the pause. What waits at the beginning does not wait for one. */
  let hurry = new AbortController()
  hurry.abort()

  const eager = () => waits() && Math.abs(clock.now() - spoke) <= eagerFor

  return {
    wait: async () => {
      if (!waits()) pause = Math.max(pause, minute)
      const signal = AbortSignal.any([ending, hurry.signal])
      await clock.wait(pause, signal)
      // A provider is believed, but not for hours: what it asks for is seldom how long it takes.
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

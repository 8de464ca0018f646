/**
 * How long to wait before something is tried again. Only the pauses: whoever waits does so by the daemon's clock and a signal of its own.
 * (Libraries for retrying, such as p-retry, bring timers that nobody can hold still.)
 */

/** Milliseconds. */
export interface Backoff {
  /** After the first failure. */
  readonly first: number
  readonly longest: number
  /** From one pause to the next; 2 by default. */
  readonly factor?: number
}

/** Milliseconds after so many failures in a row; none after none. */
export const pauseAfter = (failures: number, { first, longest, factor = 2 }: Backoff): number =>
  failures > 0 ? Math.min(first * factor ** (failures - 1), longest) : 0

/** With full jitter, anything up to that: those who failed together do not come again together. `random`: from 0 to 1. */
export const jitteredPauseAfter = (failures: number, backoff: Backoff, random: () => number): number =>
  random() * pauseAfter(failures, backoff)

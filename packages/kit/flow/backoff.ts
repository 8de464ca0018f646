/**
 * How long to wait before something is tried again. Pauses and no waiting: that is done by the daemon's clock
 * and whoever's signal, while libraries for it (p-retry, cockatiel) bring timers of their own, which no test
 * can hold still.
 */

/** Milliseconds. */
export interface Backoff {
  /** After the first failure; a second by default. */
  readonly first?: number
  /** A minute by default. */
  readonly longest?: number
  /** From one pause to the next; 2 by default. */
  readonly factor?: number
}

/** Milliseconds after so many failures in a row; none after none. */
export const pauseAfter = (
  failures: number,
  { first = 1000, longest = 60_000, factor = 2 }: Backoff = {},
): number => (failures > 0 ? Math.min(first * factor ** (failures - 1), longest) : 0)

/**
 * With full jitter, anything up to that: those who failed together do not come again together. `random`: from
 * 0 to 1.
 */
export const jitteredPauseAfter = (failures: number, backoff: Backoff, random: () => number): number =>
  random() * pauseAfter(failures, backoff)

/**
 * Computes pauses between retries. Callers wait with the daemon's clock and their own signal. Libraries such
 * as p-retry and cockatiel have timers of their own, which tests cannot control.
 */

/** All values in ms, except `factor`. */
export interface Backoff {
  /** Pause after the first failure. Default: one second. */
  readonly first?: number
  /** Default: one minute. */
  readonly longest?: number
  /** Growth per failure. Default: 2. */
  readonly factor?: number
}

/** Returns the pause in ms after a number of consecutive failures; 0 after none. */
export const pauseAfter = (
  failures: number,
  { first = 1000, longest = 60_000, factor = 2 }: Backoff = {},
): number => (failures > 0 ? Math.min(first * factor ** (failures - 1), longest) : 0)

/**
 * The same with full jitter, so that clients that failed together do not retry together. `random` returns 0
 * to 1.
 */
export const jitteredPauseAfter = (failures: number, backoff: Backoff, random: () => number): number =>
  random() * pauseAfter(failures, backoff)

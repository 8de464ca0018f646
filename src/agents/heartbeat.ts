/**
 * The heartbeat runs each minute, on the minute. A listener that is still busy gets the next beat when it is
 * done.
 */
import type { Clock } from '../../packages/kit/time/clock.ts'

/** Interval in ms. */
export const heartbeat = 60_000

/** Calls `beat` each minute until the signal aborts. `beat` must not throw. */
export const everyMinute = async (clock: Clock, closing: AbortSignal, beat: () => void): Promise<void> => {
  while (!closing.aborted) {
    await clock.wait(heartbeat - (clock.now() % heartbeat), closing)
    if (!closing.aborted) beat()
  }
}

export interface Beats {
  /** Runs the work. All calls during a run cause one more run. */
  beat(): void
  /** Resolves when no run is in progress. */
  waitForEnd(): Promise<void>
}

/** `runOnce` must not reject. */
export const createBeats = (runOnce: () => Promise<void>, ending: AbortSignal): Beats => {
  let currentRun: Promise<void> | null = null
  let isRequested = false
  const run = async () => {
    while (isRequested && !ending.aborted) {
      isRequested = false
      await runOnce()
    }
  }
  return {
    beat: () => {
      isRequested = true
      currentRun ??= run().finally(() => {
        currentRun = null
      })
    },
    waitForEnd: async () => {
      await currentRun
    },
  }
}

/** Detects that a model produces no output, so that the user can be notified. The call is not aborted. */
import type { Stopwatch } from '../../journal/log/timeout.ts'

export interface SilenceWatch {
  /**
   * Runs `work`, which calls `alive` for each output. Calls `onSilent` repeatedly while there is no output
   * for too long. `onSilent` must not throw.
   */
  during<T>(work: (alive: () => void) => Promise<T>, onSilent: (seconds: number) => void): Promise<T>
}

/** In seconds. */
const checkInterval = 2
const minSilence = 8
const maxSilence = 60

export const createSilenceWatch = (stopwatch: Stopwatch): SilenceWatch => {
  /** The longest silence during the last answers, in seconds. It decays by half per answer. */
  let recentSilence = 0
  return {
    during: async (work, onSilent) => {
      const callEnd = new AbortController()
      // A model that was silent for long in its last answers gets twice that time.
      const limit = Math.max(minSilence, Math.min(recentSilence * 2, maxSilence))
      let silent = 0
      let maxSilenceMs = 0
      const watch = async () => {
        for (;;) {
          await stopwatch.wait(checkInterval * 1000, callEnd.signal)
          if (callEnd.signal.aborted) return
          silent += checkInterval
          maxSilenceMs = Math.max(maxSilenceMs, silent)
          if (silent >= limit) onSilent(silent)
        }
      }
      const watchTask = watch()
      try {
        const result = await work(() => {
          silent = 0
        })
        recentSilence = Math.max(maxSilenceMs, recentSilence / 2)
        return result
      } finally {
        callEnd.abort()
        await watchTask
      }
    },
  }
}

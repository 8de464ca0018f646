/** Detects that a model produces no output, so that the user can be notified. The call is not aborted. */
import type { Stopwatch } from '../../journal/log/timeout.ts'

export interface SilenceWatch {
  /**
   * Runs `work`, which calls `alive` for each output. Calls `onSilent` repeatedly after 60 s without output.
   * `onSilent` must not throw.
   */
  during<T>(work: (onAlive: () => void) => Promise<T>, onSilent: (seconds: number) => void): Promise<T>
}

/** In seconds. */
const checkInterval = 2
const maxSilence = 60

export const createSilenceWatch = (stopwatch: Stopwatch): SilenceWatch => ({
  during: async (work, onSilent) => {
    const callEnd = new AbortController()
    let silentSeconds = 0
    const watch = async () => {
      for (;;) {
        await stopwatch.wait(checkInterval * 1000, callEnd.signal)
        if (callEnd.signal.aborted) return
        silentSeconds += checkInterval
        if (silentSeconds >= maxSilence) onSilent(silentSeconds)
      }
    }
    const watchTask = watch()
    try {
      return await work(() => {
        silentSeconds = 0
      })
    } finally {
      callEnd.abort()
      await watchTask
    }
  },
})

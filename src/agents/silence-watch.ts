/** Notices when a Mind gives no sign of life, so that nobody waits for nothing: the call itself goes on. */
import type { Stopwatch } from '../../journal/log/timeout.ts'

export interface SilenceWatch {
  /**
   * `work` is told how to say that something came. `onSilent` is called for as long as nothing has come for
   * too long. Must not throw.
   */
  during<T>(work: (alive: () => void) => Promise<T>, onSilent: (seconds: number) => void): Promise<T>
}

/**
 * Seconds. A Mind whose last answers came late is slow, and not silent: it is given twice as long as it took.
 */
const step = 2
const least = 8
const longest = 60

export const createSilenceWatch = (stopwatch: Stopwatch): SilenceWatch => {
  /** The longest silence within the last answers. */
  let usual = 0
  return {
    during: async (work, onSilent) => {
      const over = new AbortController()
      const limit = Math.max(least, Math.min(usual * 2, longest))
      let silent = 0
      let most = 0
      const watch = async () => {
        for (;;) {
          await stopwatch.wait(step * 1000, over.signal)
          if (over.signal.aborted) return
          silent += step
          most = Math.max(most, silent)
          if (silent >= limit) onSilent(silent)
        }
      }
      const watching = watch()
      try {
        const done = await work(() => {
          silent = 0
        })
        usual = Math.max(most, usual / 2)
        return done
      } finally {
        over.abort()
        await watching
      }
    },
  }
}

/** Writes changed positions a moment later, many at once, and at the end. */
import type { DiscreetLog } from '../../packages/kit/log.ts'

/** Min ms between two writes of positions, and how much longer than a write the pause is. */
const saveEveryMs = 200
const saveShare = 10

export interface Saving {
  /** Writes soon, together with other changes. */
  later(): void
  close(): Promise<void>
}

export const createSaving = (save: () => Promise<void>, log: DiscreetLog): Saving => {
  let timer: NodeJS.Timeout | undefined
  let lastWrite = Promise.resolve()
  let isClosed = false
  let pauseMs = saveEveryMs
  const write = async () => {
    const startedAt = performance.now()
    await save()
    pauseMs = Math.max(saveEveryMs, saveShare * (performance.now() - startedAt))
  }
  const writeOrLog = () => {
    timer = undefined
    lastWrite = write().catch((err: unknown) => {
      log.warn({ err }, 'the positions of subscriptions could not be stored')
      // The next attempt is not earlier than this.
      pauseMs = 5000
      later()
    })
  }
  const later = () => {
    if (timer || isClosed) return
    timer = setTimeout(writeOrLog, pauseMs)
  }
  return {
    later,
    close: async () => {
      isClosed = true
      const isDue = timer !== undefined
      clearTimeout(timer)
      await lastWrite
      if (isDue)
        await write().catch((err: unknown) =>
          log.warn({ err }, 'the positions of subscriptions could not be stored'),
        )
    },
  }
}

/** Limits concurrent work. Others wait in order. */
import pLimit from 'p-limit'

export interface Semaphore {
  /**
   * Resolves when there is room, with a function that frees it; that function resolves when the next one has
   * it. Rejects with the signal's reason if it aborts first.
   */
  acquire(signal?: AbortSignal): Promise<() => Promise<void>>
  /** Runs work when there is room. The signal ends only the waiting, not the work. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  waiting(): number
}

export const createSemaphore = (max: number): Semaphore => {
  const limit = pLimit(max)
  // p-limit does not support signals, so an aborted caller keeps its place and frees it immediately when it
  // comes up.
  const acquire = (signal?: AbortSignal) =>
    new Promise<() => Promise<void>>((resolve, reject) => {
      signal?.throwIfAborted()
      const leave = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', leave, { once: true })
      const released: Promise<void> = limit(() => {
        if (signal?.aborted) return undefined
        signal?.removeEventListener('abort', leave)
        return new Promise<void>((free) => {
          resolve(() => {
            free()
            return released
          })
        })
      })
    })
  const run = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const release = await acquire(signal)
    try {
      return await work()
    } finally {
      await release()
    }
  }
  return { acquire, run, waiting: () => limit.pendingCount }
}

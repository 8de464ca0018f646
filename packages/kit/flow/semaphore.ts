/** So many at once, the others in the order they came. */
import pLimit from 'p-limit'

export interface Semaphore {
  /**
   * Resolves, once there is room, with what gives the room back, which resolves when the next one has it.
   * Rejects with the signal's reason where that aborts first, and takes no room then.
   */
  acquire(signal?: AbortSignal): Promise<() => Promise<void>>
  /** Holds room while the work goes on. A signal ends the waiting, never the work. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  waiting(): number
}

export const createSemaphore = (most: number): Semaphore => {
  const limit = pLimit(most)
  // p-limit knows no signals: one who was aborted passes the room on as soon as it is their turn.
  const acquire = (signal?: AbortSignal) =>
    new Promise<() => Promise<void>>((resolve, reject) => {
      signal?.throwIfAborted()
      const leave = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', leave, { once: true })
      const held: Promise<void> = limit(() => {
        if (signal?.aborted) return undefined
        signal?.removeEventListener('abort', leave)
        return new Promise<void>((free) => {
          resolve(() => {
            free()
            return held
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

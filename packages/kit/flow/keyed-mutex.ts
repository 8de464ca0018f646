/** Runs work with the same key one at a time, in order. Different keys do not wait for each other. */
import pLimit, { type LimitFunction } from 'p-limit'

export interface KeyedMutex<K = string> {
  /** Runs after all earlier work with this key has settled. Deadlocks if work waits for its own key. */
  run<T>(key: K, work: () => Promise<T>): Promise<T>
  /** Resolves when all work so far has settled. */
  idle(): Promise<void>
}

export const createKeyedMutex = <K = string>(): KeyedMutex<K> => {
  /** Limits of the keys with active or waiting work. */
  const limits = new Map<K, LimitFunction>()
  const run = async <T>(key: K, work: () => Promise<T>): Promise<T> => {
    const limit = limits.get(key) ?? pLimit(1)
    limits.set(key, limit)
    try {
      return await limit(work)
    } finally {
      if (limit.activeCount + limit.pendingCount === 0 && limits.get(key) === limit) limits.delete(key)
    }
  }
  const idle = async () => {
    await Promise.all([...limits.keys()].map((key) => run(key, async () => {})))
  }
  return { run, idle }
}

/**
 * What is done under one key is done one after the other, in the order it was asked; what is done under
 * another does not wait for it.
 */
import pLimit, { type LimitFunction } from 'p-limit'

export interface KeyedMutex<K = string> {
  /**
   * Begins once all that was asked before under this key has ended, however it ended. Work that asks for its
   * own key waits for ever.
   */
  run<T>(key: K, work: () => Promise<T>): Promise<T>
  /** Resolves once all that was asked so far has ended, however it ended. */
  idle(): Promise<void>
}

export const createKeyedMutex = <K = string>(): KeyedMutex<K> => {
  /** Of the keys under which something goes on. */
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

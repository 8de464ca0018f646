/** Timeouts for disk operations. */

import { Unavailable } from './errors.ts'
import type { JournalId } from './head.ts'
import type { Store, Stores } from './store.ts'

/** The clock for timeouts. Resolves after so many milliseconds, or at once when the signal aborts. */
export interface Stopwatch {
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** Timeout for a disk operation in ms. */
export const diskTimeout = 10_000

/**
 * The timeout counts in this many ticks, shared by all waiting calls. A call may wait up to one tick less. If
 * the whole process stalls, at most one tick counts against the disk.
 */
const pieces = 5

/** The operation is still running. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

interface Waiting {
  remainingPieces: number
  readonly giveUp: () => void
}

/** Waiting calls by stopwatch. A timer and a signal per call cost more than most operations. */
const waitersByStopwatch = new WeakMap<Stopwatch, Set<Waiting>>()

/** Waits for an operation until the timeout, then throws TookTooLong. A later result is ignored. */
export const inTime = <T>(stopwatch: Stopwatch, operation: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const waiter = {
      remainingPieces: pieces,
      giveUp: () => reject(new TookTooLong('the disk does not answer')),
    }
    const all = waitingBy(stopwatch)
    all.add(waiter)
    operation.then(resolve, reject).finally(() => all.delete(waiter))
  })

const waitingBy = (stopwatch: Stopwatch): Set<Waiting> => {
  const waiters = waitersByStopwatch.get(stopwatch)
  if (waiters) return waiters
  const all = new Set<Waiting>()
  waitersByStopwatch.set(stopwatch, all)
  void count(stopwatch, all).finally(() => waitersByStopwatch.delete(stopwatch))
  return all
}

/** Counts ticks until no call waits at the end of one. */
const count = async (stopwatch: Stopwatch, all: Set<Waiting>): Promise<void> => {
  do {
    await stopwatch.wait(diskTimeout / pieces)
    for (const call of all) if (--call.remainingPieces === 0 && all.delete(call)) call.giveUp()
  } while (all.size > 0)
}

/** The same, but throws Unavailable. */
export const orUnavailable = async <T>(stopwatch: Stopwatch, operation: Promise<T>): Promise<T> => {
  try {
    return await inTime(stopwatch, operation)
  } catch (error) {
    throw error instanceof TookTooLong ? new Unavailable(error.message) : error
  }
}

interface Handle {
  readonly store: Store
  /** The replacement handle. Rejects if there is none. */
  next?: Promise<Handle>
}

/**
 * Adds a timeout to reads, and retries reads on the new handle if theirs is closed by a reopening. Writes and
 * openings continue after a timeout; the caller decides what follows.
 */
export const storesWithTimeout = (stores: Stores, stopwatch: Stopwatch): Stores => {
  const handles = new WeakMap<Store, Handle>()

  const read = <T>(operation: Promise<T>): Promise<T> => orUnavailable(stopwatch, operation)

  /** Returns the handle for a retry after a failed read. Throws the read's error if there is none. */
  const reopenAfter = async ({ next }: Handle, error: unknown): Promise<Handle> => {
    if (!next || !(error instanceof Unavailable)) throw error
    try {
      return await read(next)
    } catch {
      throw error
    }
  }

  const ask = async <T>(handle: Handle, look: (store: Store) => Promise<T>): Promise<T> => {
    try {
      return await read(look(handle.store))
    } catch (error) {
      return ask(await reopenAfter(handle, error), look)
    }
  }

  async function* pages<T>(
    handle: Handle,
    look: (store: Store) => AsyncIterable<readonly T[]>,
    from = 0,
  ): AsyncGenerator<readonly T[]> {
    const iterator = look(handle.store)[Symbol.asyncIterator]()
    let yieldedCount = 0
    let hangs = true
    try {
      for (;;) {
        const next = await read(iterator.next())
        hangs = false
        if (next.done) return
        const page = next.value.slice(Math.max(0, from - yieldedCount))
        yieldedCount += next.value.length
        if (page.length > 0) yield page
        hangs = true
      }
    } catch (error) {
      yield* pages(await reopenAfter(handle, error), look, Math.max(from, yieldedCount))
    } finally {
      // Ending an iterator that hangs would hang too.
      if (!hangs) await iterator.return?.()
    }
  }

  const withTimeout = (store: Store): Store => {
    const handle: Handle = { store }
    const outer: Store = {
      ...store,
      get: (key) => ask(handle, (now) => now.get(key)),
      getMany: (keys) => ask(handle, (now) => now.getMany(keys)),
      values: (span) => pages(handle, (now) => now.values(span)),
      items: (span) => pages(handle, (now) => now.items(span)),
    }
    handles.set(outer, handle)
    return outer
  }

  const reopen = async (id: JournalId, store: Store): Promise<Store> => {
    const old = handles.get(store)
    const reopening = stores.reopen(id, old?.store ?? store).then(withTimeout)
    if (old) old.next = reopening.then((outer) => handles.get(outer) ?? old)
    old?.next?.catch(() => undefined)
    return reopening
  }

  return {
    ...stores,
    create: async (id, first) => withTimeout(await stores.create(id, first)),
    open: async (id) => withTimeout(await stores.open(id)),
    reopen,
    newestRecord: (id) => read(stores.newestRecord(id)),
    rescue: async (id) => withTimeout(await stores.rescue(id)),
    stage: async (id, folder) => {
      const stagedStore = await stores.stage(id, folder)
      return { ...stagedStore, store: withTimeout(stagedStore.store) }
    },
  }
}

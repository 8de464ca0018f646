/** How long a disk is waited for. */

import type { PersonaId } from '../facts/fact-values.ts'
import { Unavailable } from './errors.ts'
import type { Store, Stores } from './store.ts'

/** What waiting is measured with: resolves after so many milliseconds, or at once when the signal aborts. */
export interface Stopwatch {
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** Milliseconds after which a disk that does not answer has failed for whoever waits. */
export const diskTimeout = 10_000

/**
 * They are counted in so many pieces that are the same for all who wait, so that nobody's takes longer, and
 * may take a piece less: of the time for which the whole process stood still, at most one of them is held
 * against the disk.
 */
const pieces = 5

/** What was waited for is still on its way. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

interface Waiting {
  left: number
  readonly giveUp: () => void
}

/**
 * Those who wait by each stopwatch: a timer and a signal for each of them cost more than what most wait for.
 */
const waiting = new WeakMap<Stopwatch, Set<Waiting>>()

/**
 * Waits as long as a disk may take; then TookTooLong, and what comes of it later is for whoever else waits.
 */
export const inTime = <T>(stopwatch: Stopwatch, awaited: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const mine = { left: pieces, giveUp: () => reject(new TookTooLong('the disk does not answer')) }
    const all = waitingBy(stopwatch)
    all.add(mine)
    awaited.then(resolve, reject).finally(() => all.delete(mine))
  })

const waitingBy = (stopwatch: Stopwatch): Set<Waiting> => {
  const known = waiting.get(stopwatch)
  if (known) return known
  const all = new Set<Waiting>()
  waiting.set(stopwatch, all)
  void count(stopwatch, all).finally(() => waiting.delete(stopwatch))
  return all
}

/** Until nobody waits any more when a piece is over. */
const count = async (stopwatch: Stopwatch, all: Set<Waiting>): Promise<void> => {
  do {
    await stopwatch.wait(diskTimeout / pieces)
    for (const one of all) if (--one.left === 0 && all.delete(one)) one.giveUp()
  } while (all.size > 0)
}

/** The same as an error of journals: Unavailable. */
export const orUnavailable = async <T>(stopwatch: Stopwatch, asked: Promise<T>): Promise<T> => {
  try {
    return await inTime(stopwatch, asked)
  } catch (error) {
    throw error instanceof TookTooLong ? new Unavailable(error.message) : error
  }
}

interface Handle {
  readonly store: Store
  /** The one that takes its place; rejects where there is none. */
  next?: Promise<Handle>
}

/**
 * Stores whose reads fail in time, and find what they ask for in the new handle where theirs is closed under
 * them to be opened anew. Writes and openings go on where they were given up: what they do is for others to
 * know.
 */
export const storesWithTimeout = (stores: Stores, stopwatch: Stopwatch): Stores => {
  const handles = new WeakMap<Store, Handle>()

  const read = <T>(asked: Promise<T>): Promise<T> => orUnavailable(stopwatch, asked)

  /** The handle to ask again after a read that failed; throws what it failed with where there is none. */
  const after = async ({ next }: Handle, error: unknown): Promise<Handle> => {
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
      return ask(await after(handle, error), look)
    }
  }

  async function* pages<T>(
    handle: Handle,
    look: (store: Store) => AsyncIterable<readonly T[]>,
    from = 0,
  ): AsyncGenerator<readonly T[]> {
    const iterator = look(handle.store)[Symbol.asyncIterator]()
    let given = 0
    let hangs = true
    try {
      for (;;) {
        const next = await read(iterator.next())
        hangs = false
        if (next.done) return
        const page = next.value.slice(Math.max(0, from - given))
        given += next.value.length
        if (page.length > 0) yield page
        hangs = true
      }
    } catch (error) {
      yield* pages(await after(handle, error), look, Math.max(from, given))
    } finally {
      // One that hangs would not end either.
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

  const reopen = async (id: PersonaId, store: Store): Promise<Store> => {
    const old = handles.get(store)
    const opening = stores.reopen(id, old?.store ?? store).then(withTimeout)
    if (old) old.next = opening.then((outer) => handles.get(outer) ?? old)
    old?.next?.catch(() => undefined)
    return opening
  }

  return {
    ...stores,
    create: async (id, first) => withTimeout(await stores.create(id, first)),
    open: async (id) => withTimeout(await stores.open(id)),
    reopen,
    newestRecord: (id) => read(stores.newestRecord(id)),
    rescue: async (id) => withTimeout(await stores.rescue(id)),
    stage: async (id, folder) => {
      const staged = await stores.stage(id, folder)
      return { ...staged, store: withTimeout(staged.store) }
    },
  }
}

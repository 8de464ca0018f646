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

/** It is waited in so many pieces: of the time for which the whole process stood still, at most one of them is held against the disk. */
const pieces = 4

/** What was waited for is still on its way. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

const over = new Error('it was not waited for any longer')

/** Waits as long as a disk may take; then TookTooLong, and what comes of it later is for whoever else waits. */
export const inTime = async <T>(stopwatch: Stopwatch, awaited: Promise<T>): Promise<T> => {
  const settled = new AbortController()
  const late = new Promise<never>((_, reject) => {
    // Most often it was in time: an error with its stack would be made for nobody.
    void waited(stopwatch, settled.signal).then(() => settled.signal.aborted || reject(new TookTooLong('the disk does not answer')))
  })
  // The one that loses the race is heard by nobody.
  late.catch(() => undefined)
  awaited.catch(() => undefined)
  try {
    return await Promise.race([awaited, late])
  } finally {
    // ⏱ Without a reason of its own each makes an error with a stack: a waking asks the disk some dozens of times.
    settled.abort(over)
  }
}

const waited = async (stopwatch: Stopwatch, signal: AbortSignal): Promise<void> => {
  for (let piece = 0; piece < pieces && !signal.aborted; piece++) await stopwatch.wait(diskTimeout / pieces, signal)
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
 * Stores whose reads fail in time, and find what they ask for in the new handle where theirs is closed under them to be opened anew.
 * Writes and openings go on where they were given up: what they do is for others to know.
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

  async function* pages<T>(handle: Handle, look: (store: Store) => AsyncIterable<readonly T[]>, from = 0): AsyncGenerator<readonly T[]> {
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
    rescue: async (id) => withTimeout(await stores.rescue(id)),
    stage: async (id, folder) => {
      const staged = await stores.stage(id, folder)
      return { ...staged, store: withTimeout(staged.store) }
    },
  }
}

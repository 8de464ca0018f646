/** Nobody waits for a disk for ever. */
import { Unavailable } from './errors.ts'
import type { Store, Stores } from './store.ts'

/** What waiting is measured with: resolves after so many milliseconds, or at once when the signal aborts. */
export interface Stopwatch {
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** Milliseconds after which a disk that does not answer has failed for whoever waits. */
export const diskPatience = 10_000

/** What was waited for is still on its way. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

/** Waits as long as a disk may take; then TookTooLong, and what comes of it later is for whoever else waits. */
export const inTime = async <T>(stopwatch: Stopwatch, awaited: Promise<T>): Promise<T> => {
  const settled = new AbortController()
  const late = stopwatch.wait(diskPatience, settled.signal).then(() => {
    throw new TookTooLong('the disk does not answer')
  })
  // The one that loses the race is heard by nobody.
  late.catch(() => undefined)
  awaited.catch(() => undefined)
  try {
    return await Promise.race([awaited, late])
  } finally {
    settled.abort()
  }
}

/** Stores whose reads fail in time. Writes and openings go on where they were given up: what they do is for others to know. */
export const patientStores = (stores: Stores, stopwatch: Stopwatch): Stores => {
  const read = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await inTime(stopwatch, asked)
    } catch (error) {
      throw error instanceof TookTooLong ? new Unavailable(error.message) : error
    }
  }
  async function* pages<T>(asked: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = asked[Symbol.asyncIterator]()
    let hangs = true
    try {
      for (;;) {
        const next = await read(iterator.next())
        hangs = false
        if (next.done) return
        yield next.value
        hangs = true
      }
    } finally {
      // One that hangs would not end either.
      if (!hangs) await iterator.return?.()
    }
  }
  const patient = (store: Store): Store => ({
    ...store,
    get: (key) => read(store.get(key)),
    getMany: (keys) => read(store.getMany(keys)),
    values: (span) => pages(store.values(span)),
    items: (span) => pages(store.items(span)),
  })
  return {
    ...stores,
    create: async (id, first) => patient(await stores.create(id, first)),
    open: async (id) => patient(await stores.open(id)),
    reopen: async (id, store) => patient(await stores.reopen(id, store)),
    rescue: async (id) => patient(await stores.rescue(id)),
  }
}

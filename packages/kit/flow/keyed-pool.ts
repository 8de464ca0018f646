/** Limits concurrent work. Others wait in order. */
import pLimit from 'p-limit'
import type { Clock } from '../time/clock.ts'

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

// A pool of resources by name. A resource is opened on first use and closed when idle. Each name is opened
// once at a time, the number of open resources is limited, and none is closed while it is in use.

export interface KeyedPool<T> {
  /** Opens the resource if necessary, waiting for room. It stays open while `look` runs. */
  use<R>(name: string, look: (thing: T) => Promise<R>): Promise<R>
  /** Closes the resource when it is unused. Calls of `use` meanwhile wait and open it again. */
  close(name: string): Promise<void>
  /** Does the same, and runs `act` before the resource can be opened again. */
  whileClosed<R>(name: string, act: () => Promise<R>): Promise<R>
  /** Closes all resources. Later calls of `use` throw. */
  closeAll(): Promise<void>
}

interface Entry<T> {
  /** Resolves when there is room, with a function that frees the room. */
  readonly room: Promise<() => Promise<void>>
  readonly opened: Promise<T>
  /** Set after opening. */
  thing?: { readonly opened: T }
  users: number
  /** Used since the last round. */
  usedLately: boolean
  readonly whenUnused: (() => void)[]
}

interface Deps<T> {
  readonly open: (name: string) => Promise<T>
  readonly close: (thing: T) => Promise<void>
  /** Adds a timeout to an opening. */
  readonly inTime: (opening: Promise<T>) => Promise<T>
  /** Receives errors of closings that no caller awaits. */
  readonly onError: (error: unknown) => void
  readonly clock: Clock
  /** Interval of rounds in ms. A resource that was unused between two rounds is closed. */
  readonly interval: number
  /** Max open resources. At the limit, the least recently used one is closed first. */
  readonly most: number
}

export const createKeyedPool = <T>({
  open,
  close,
  inTime,
  onError,
  clock,
  interval,
  most,
}: Deps<T>): KeyedPool<T> => {
  /** In order of last use. */
  const entries = new Map<string, Entry<T>>()
  /** The most recently used entry, if it exists. */
  let latest: Entry<T> | undefined
  const semaphore = createSemaphore(most)
  const closing = new Map<string, Promise<void>>()
  let isClosing = false

  const take = (name: string): Entry<T> => {
    if (isClosing) throw new Error('the service is closing')
    const existing = entries.get(name)
    const entry: Entry<T> = existing ?? {
      ...opening(name),
      users: 0,
      usedLately: true,
      whenUnused: [],
    }
    if (!existing) {
      const opened = (thing: T) => {
        entry.thing = { opened: thing }
      }
      entry.opened.then(opened, () => entries.get(name) === entry && entries.delete(name))
    }
    if (entry !== latest) {
      entries.delete(name)
      entries.set(name, entry)
      latest = entry
    }
    entry.users++
    entry.usedLately = true
    return entry
  }

  const opening = (name: string): Pick<Entry<T>, 'room' | 'opened'> => {
    const room = semaphore.acquire()
    const opened = room.then(async (release) => {
      try {
        if (isClosing) throw new Error('the service is closing')
        return await open(name)
      } catch (error) {
        await release()
        throw error
      }
    })
    makeRoom()
    return { room, opened }
  }

  /** Number of resources that are being closed to make room. */
  let leaving = 0
  const makeRoom = () => {
    for (const [name, entry] of entries) {
      if (semaphore.waiting() <= leaving) return
      if (entry.users > 0) continue
      leaving++
      void closeOne(name)
        .catch(onError)
        .finally(() => {
          leaving--
          makeRoom()
        })
    }
  }

  const giveBack = (entry: Entry<T>) => {
    entry.users--
    if (entry.users > 0) return
    for (const tell of entry.whenUnused.splice(0)) tell()
    makeRoom()
  }

  const whileClosed = <R>(name: string, act: () => Promise<R>): Promise<R> => {
    const entry = entries.get(name)
    const before = closing.get(name)
    entries.delete(name)
    if (entry === latest) latest = undefined
    const result = (async () => {
      await before
      const thing = await entry?.opened.catch(() => undefined)
      if (entry && entry.users > 0) await new Promise<void>((tell) => entry.whenUnused.push(tell))
      if (entry && thing !== undefined) {
        const release = await entry.room
        try {
          await close(thing)
        } finally {
          await release()
        }
      }
      return act()
    })()
    const settled = result
      .then(ignoreResult, ignoreResult)
      .finally(() => closing.get(name) === settled && closing.delete(name))
    closing.set(name, settled)
    return result
  }

  const closeOne = async (name: string): Promise<void> =>
    entries.has(name) ? whileClosed(name, async () => {}) : closing.get(name)

  const goRound = () => {
    for (const [name, entry] of entries) {
      if (entry.users === 0 && !entry.usedLately) closeOne(name).catch(onError)
      entry.usedLately = false
    }
  }
  const stopGoing = clock.every(interval, goRound)

  return {
    use: async (name, look) => {
      while (closing.has(name)) await closing.get(name)
      const entry = take(name)
      try {
        // Skips the timeout if it is open. Measured: a timeout per use would halve the rate of appends.
        if (entry.thing) return await look(entry.thing.opened)
        await entry.room
        return await look(await inTime(entry.opened))
      } finally {
        giveBack(entry)
      }
    },
    close: closeOne,
    whileClosed,
    closeAll: async () => {
      isClosing = true
      stopGoing()
      // One failing close must not prevent the others.
      await Promise.all([
        ...closing.values(),
        ...[...entries.keys()].map((name) => closeOne(name).catch(onError)),
      ])
    },
  }
}

const ignoreResult = () => undefined

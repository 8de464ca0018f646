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
  getWaitingCount(): number
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
      const release: Promise<void> = limit(() => {
        if (signal?.aborted) return undefined
        signal?.removeEventListener('abort', leave)
        return new Promise<void>((grant) => {
          resolve(() => {
            grant()
            return release
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
  return { acquire, run, getWaitingCount: () => limit.pendingCount }
}

// A pool of resources by name. A resource is opened on first use and closed when idle. Each name is opened
// once at a time, the number of open resources is limited, and none is closed while it is in use.

export interface KeyedPool<T> {
  /**
   * Opens the resource if necessary, waiting for room. It stays open while `look` runs. `closing` aborts when
   * someone waits to close it: long work can then end early.
   */
  use<R>(name: string, look: (item: T, closing: AbortSignal) => Promise<R>): Promise<R>
  /** Returns the resource if it is open. */
  peek(name: string): T | undefined
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
  readonly whenOpened: Promise<T>
  /** Set after opening. */
  item?: { readonly opened: T }
  users: number
  /** Used since the last round. */
  usedLately: boolean
  readonly whenUnused: (() => void)[]
  readonly closing: AbortController
}

interface Deps<T> {
  readonly open: (name: string) => Promise<T>
  readonly close: (item: T) => Promise<void>
  /** Adds a timeout to an opening. */
  readonly inTime: (promise: Promise<T>) => Promise<T>
  /** Receives errors of closings that no caller awaits. */
  readonly onError: (error: unknown) => void
  readonly clock: Clock
  /** Interval of rounds in ms. A resource that was unused between two rounds is closed. */
  readonly interval: number
  /** Max open resources. At the limit, the least recently used one is closed first. */
  readonly maxItems: number
}

export const createKeyedPool = <T>({
  open,
  close,
  inTime,
  onError,
  clock,
  interval,
  maxItems,
}: Deps<T>): KeyedPool<T> => {
  /** In order of last use. */
  const entries = new Map<string, Entry<T>>()
  /** The most recently used entry, if it exists. */
  let latestEntry: Entry<T> | undefined
  const semaphore = createSemaphore(maxItems)
  const closingItems = new Map<string, Promise<void>>()
  let isClosing = false

  const takeEntry = (name: string): Entry<T> => {
    if (isClosing) throw new Error('the service is closing')
    const existingEntry = entries.get(name)
    const entry: Entry<T> = existingEntry ?? {
      ...startOpening(name),
      users: 0,
      usedLately: true,
      whenUnused: [],
      closing: new AbortController(),
    }
    if (!existingEntry) {
      const onOpened = (item: T) => {
        entry.item = { opened: item }
      }
      entry.whenOpened.then(onOpened, () => entries.get(name) === entry && entries.delete(name))
    }
    if (entry !== latestEntry) {
      entries.delete(name)
      entries.set(name, entry)
      latestEntry = entry
    }
    entry.users++
    entry.usedLately = true
    return entry
  }

  const startOpening = (name: string): Pick<Entry<T>, 'room' | 'whenOpened'> => {
    const room = semaphore.acquire()
    const openedItem = room.then(async (release) => {
      try {
        if (isClosing) throw new Error('the service is closing')
        return await open(name)
      } catch (error) {
        await release()
        throw error
      }
    })
    makeRoom()
    return { room, whenOpened: openedItem }
  }

  /** Number of resources that are being closed to make room. */
  let leavingCount = 0
  const makeRoom = () => {
    for (const [name, entry] of entries) {
      if (semaphore.getWaitingCount() <= leavingCount) return
      if (entry.users > 0) continue
      leavingCount++
      void closeOne(name)
        .catch(onError)
        .finally(() => {
          leavingCount--
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
    const previousClosing = closingItems.get(name)
    entries.delete(name)
    if (entry === latestEntry) latestEntry = undefined
    entry?.closing.abort()
    const result = (async () => {
      await previousClosing
      const item = await entry?.whenOpened.catch(() => undefined)
      if (entry && entry.users > 0) await new Promise<void>((tell) => entry.whenUnused.push(tell))
      if (entry && item !== undefined) {
        const release = await entry.room
        try {
          await close(item)
        } finally {
          await release()
        }
      }
      return act()
    })()
    const finalResult = result
      .then(ignoreResult, ignoreResult)
      .finally(() => closingItems.get(name) === finalResult && closingItems.delete(name))
    closingItems.set(name, finalResult)
    return result
  }

  const closeOne = async (name: string): Promise<void> =>
    entries.has(name) ? whileClosed(name, async () => {}) : closingItems.get(name)

  const goRound = () => {
    for (const [name, entry] of entries) {
      if (entry.users === 0 && !entry.usedLately) closeOne(name).catch(onError)
      entry.usedLately = false
    }
  }
  const stopGoing = clock.every(interval, goRound)

  return {
    use: async (name, look) => {
      while (closingItems.has(name)) await closingItems.get(name)
      const entry = takeEntry(name)
      try {
        // Skips the timeout if it is open. Measured: a timeout per use would halve the rate of appends.
        if (entry.item) return await look(entry.item.opened, entry.closing.signal)
        await entry.room
        return await look(await inTime(entry.whenOpened), entry.closing.signal)
      } finally {
        giveBack(entry)
      }
    },
    peek: (name) => entries.get(name)?.item?.opened,
    close: closeOne,
    whileClosed,
    closeAll: async () => {
      isClosing = true
      stopGoing()
      // One failing close must not prevent the others.
      await Promise.all([
        ...closingItems.values(),
        ...[...entries.keys()].map((name) => closeOne(name).catch(onError)),
      ])
    },
  }
}

const ignoreResult = () => undefined

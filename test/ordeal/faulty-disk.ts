/**
 * A disk whose calls fail on demand: the stores of the journals and the file stores, with every call counted.
 */
import fs from 'node:fs'
import { readdir, stat, truncate } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { journalFolder } from '../../home/places.ts'
import { Damaged, InDoubt, Unavailable } from '../../journal/log/errors.ts'
import { type Store, type Stores, Unreadable } from '../../journal/log/store.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { pause } from '../calls.ts'

/**
 * `refused`: certainly not done. `lost` and `kept`: the outcome is in doubt; in truth not done, or done.
 * `torn`: the end of the last write is missing when the store is opened again. `unreadable`: as after damage.
 * `hanging`: does not return until it is released, then succeeds. `EIO`, `ENOSPC`: the system's error for a
 * file; half of a write is stored.
 */
export type Fault = 'refused' | 'lost' | 'kept' | 'torn' | 'unreadable' | 'hanging' | 'EIO' | 'ENOSPC'

type Act = 'open' | 'reopen' | 'rescue' | 'create' | 'remove' | 'get' | 'read' | 'batch'
export type Call = Act | `file ${string}`

const faults: Readonly<Record<Act, readonly Fault[]>> = {
  open: ['refused', 'unreadable', 'hanging'],
  reopen: ['refused', 'ENOSPC', 'hanging'],
  rescue: ['refused', 'hanging'],
  create: ['refused', 'ENOSPC', 'kept', 'hanging'],
  remove: ['refused', 'kept', 'hanging'],
  get: ['refused', 'unreadable', 'hanging'],
  read: ['refused', 'unreadable', 'hanging'],
  batch: ['refused', 'lost', 'ENOSPC', 'kept', 'torn', 'hanging'],
}

/** Returns the indexes of the calls that this fault can affect. */
export const getPlaces = (calls: readonly Call[], fault: Fault): readonly number[] =>
  calls.flatMap((call, n) => (getFaults(call).includes(fault) ? [n] : []))

const getFaults = (call: Call): readonly Fault[] => {
  if (!call.startsWith('file ')) return faults[call as Act]
  // Reads and removals need no free space.
  return /read|rm/.test(call) ? ['EIO', 'hanging'] : ['EIO', 'ENOSPC', 'hanging']
}

/** One call that fails, counted from now on. */
export interface Trap {
  readonly calls: readonly Call[]
  readonly isMet: boolean
  /** Lets hanging calls finish; nothing fails any more. */
  release(): void
}

export interface FaultyDisk {
  wrapStores(stores: Stores, home: string): Stores
  /**
   * Counts the calls for the selected personas, and lets the call number `n` fail, or all of them; without a
   * fault it only counts.
   */
  setTrap(concerns: (id: PersonaId) => boolean, fault?: Fault, n?: number): Trap
  /** True while a call hangs. */
  readonly hanging: boolean
  /**
   * Runs only while a call hangs: ten seconds pass quickly then, and a disk that is only slow never times
   * out.
   */
  readonly stopwatch: Stopwatch
  /** Elapsed ms of that stopwatch. */
  readonly elapsed: number
  /** True if the persona's store is open. */
  isOpen(id: PersonaId): boolean
  /** Restores the system's file calls. */
  restore(): void
}

interface FaultTrap {
  readonly concerns: (id: PersonaId) => boolean
  readonly fault: Fault | undefined
  readonly n: number | undefined
  readonly calls: Call[]
  isMet: boolean
  whenReleased: Promise<void>
}

const noAnswer = (): { readonly whenOpened: Promise<void>; readonly open: () => void } => {
  let open = () => {}
  const gateOpened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { whenOpened: gateOpened, open: () => open() }
}

/** Ms of the stopwatch in ten real ms. */
const tickMs = 2500

const createHangTime = () => {
  const waiters = new Set<{ readonly at: number; readonly wake: () => void }>()
  let hanging = 0
  let elapsed = 0
  const go = async () => {
    for (await pause(10); hanging > 0; await pause(10)) {
      elapsed += tickMs
      for (const { at, wake } of waiters) if (at <= elapsed) wake()
    }
  }
  const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const waiter = {
        at: elapsed + ms,
        wake: () => {
          waiters.delete(waiter)
          signal?.removeEventListener('abort', waiter.wake)
          resolve()
        },
      }
      waiters.add(waiter)
      signal?.addEventListener('abort', waiter.wake, { once: true })
    })
  return {
    wait,
    get hanging() {
      return hanging > 0
    },
    get elapsed() {
      return elapsed
    },
    during: async (hang: Promise<void>) => {
      if (hanging++ === 0) void go()
      await hang
      hanging--
    },
  }
}

export const createFaultyDisk = (): FaultyDisk => {
  let trap: FaultTrap | undefined
  const time = createHangTime()
  const holders = new Map<PersonaId, number>()
  /** Returns the fault of this call, if any. */
  const meet = async (call: Call, id: PersonaId): Promise<Fault | undefined> => {
    const ownTrap = trap
    if (!ownTrap?.concerns(id)) return undefined
    ownTrap.calls.push(call)
    const { fault, n } = ownTrap
    if (
      fault === undefined ||
      (n ?? ownTrap.calls.length - 1) !== ownTrap.calls.length - 1 ||
      !getFaults(call).includes(fault)
    )
      return undefined
    ownTrap.isMet = true
    if (fault !== 'hanging') return fault
    await time.during(ownTrap.whenReleased)
    return undefined
  }
  const restore = faultyFiles(meet)
  return {
    wrapStores: (stores, home) => faultyStores(countOpenings(stores, holders), home, meet),
    setTrap: (concerns, fault, n) => {
      const gate = noAnswer()
      const ownTrap: FaultTrap = {
        concerns,
        fault,
        n,
        calls: [],
        isMet: false,
        whenReleased: gate.whenOpened,
      }
      trap = ownTrap
      return {
        calls: ownTrap.calls,
        get isMet() {
          return ownTrap.isMet
        },
        release: () => {
          if (trap === ownTrap) trap = undefined
          gate.open()
        },
      }
    },
    get hanging() {
      return time.hanging
    },
    stopwatch: time,
    get elapsed() {
      return time.elapsed
    },
    isOpen: (id) => (holders.get(id) ?? 0) > 0,
    restore,
  }
}

/** Counts how often each persona's store is open. */
const countOpenings = (stores: Stores, holders: Map<PersonaId, number>): Stores => {
  const note = (id: PersonaId, change: number) => holders.set(id, (holders.get(id) ?? 0) + change)
  const countHolders = (id: PersonaId, store: Store): Store => {
    note(id, 1)
    let open = true
    return {
      ...store,
      close: async () => {
        await store.close()
        if (open) note(id, -1)
        open = false
      },
    }
  }
  return {
    ...stores,
    create: async (id, first) => countHolders(id, await stores.create(id, first)),
    open: async (id) => countHolders(id, await stores.open(id)),
    reopen: async (id, store) => countHolders(id, await stores.reopen(id, store)),
    rescue: async (id) => countHolders(id, await stores.rescue(id)),
  }
}

type Meet = (call: Call, id: PersonaId) => Promise<Fault | undefined>

const system = (code: string): Error => Object.assign(new Error(`${code}: told to`), { code })

const throwFault = (fault: Fault | undefined): void => {
  if (fault === 'unreadable') throw new Unreadable('told to')
  if (fault) throw new Unavailable('told to')
}

const faultyStores = (stores: Stores, home: string, meet: Meet): Stores => {
  /** The end of the last write is cut off before the store is opened again. */
  const tornStores = new WeakSet<Store>()
  const inside = new WeakMap<Store, Store>()
  const wrapStore = (id: PersonaId, store: Store): Store => {
    const outer = faultyStore(id, store, meet, () => tornStores.add(outer))
    inside.set(outer, store)
    return outer
  }
  return {
    create: async (id, first) => {
      const fault = await meet('create', id)
      if (fault !== 'kept') throwFault(fault)
      const store = await stores.create(id, first)
      if (!fault) return wrapStore(id, store)
      await store.close()
      throw new InDoubt('told to')
    },
    open: async (id) => {
      const fault = await meet('open', id)
      if (fault === 'unreadable') throw new Damaged(1, 'told to')
      throwFault(fault)
      return wrapStore(id, await stores.open(id))
    },
    reopen: async (id, store) => {
      throwFault(await meet('reopen', id))
      const real = inside.get(store) ?? store
      if (tornStores.has(store)) {
        await real.close()
        await tearNewestLog(journalFolder(home, id))
      }
      return wrapStore(id, await stores.reopen(id, real))
    },
    rewrite: async (id, change) => {
      throwFault(await meet('open', id))
      const rewrittenStore = await stores.rewrite(id, change)
      return { ...rewrittenStore, store: wrapStore(id, rewrittenStore.store) }
    },
    stage: async (id, folder) => {
      throwFault(await meet('open', id))
      const stagedStore = await stores.stage(id, folder)
      return { ...stagedStore, store: wrapStore(id, stagedStore.store) }
    },
    reserve: async (id, purpose) => {
      throwFault(await meet('open', id))
      return stores.reserve(id, purpose)
    },
    take: async (id, folder) => {
      if (await meet('open', id)) throw new Unavailable('told to')
      return stores.take(id, folder)
    },
    rescue: async (id) => {
      if (await meet('rescue', id)) throw new Damaged(1, 'told to')
      return stores.rescue(id)
    },
    salvage: stores.salvage,
    newestRecord: stores.newestRecord,
    ids: stores.ids,
    denied: stores.denied,
    remove: async (id) => {
      const fault = await meet('remove', id)
      if (!fault || fault === 'kept') await stores.remove(id)
      if (fault) throw system('EIO')
    },
  }
}

const faultyStore = (id: PersonaId, store: Store, meet: Meet, tear: () => void): Store => {
  let writable = true
  const failPages = async function* <T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
    throwFault(await meet('read', id))
    yield* pages
  }
  return {
    get: async (key) => {
      throwFault(await meet('get', id))
      return store.get(key)
    },
    getMany: async (keys) => {
      throwFault(await meet('get', id))
      return store.getMany(keys)
    },
    values: (span) => failPages(store.values(span)),
    items: (span) => failPages(store.items(span)),
    batch: async (ops, options) => {
      if (!writable) throw new Unavailable('an earlier write failed')
      const fault = await meet('batch', id)
      if (fault) writable = false
      if (fault === 'refused') throwFault(fault)
      if (!fault || fault === 'kept' || fault === 'torn') await store.batch(ops, options)
      if (fault === 'torn') tear()
      if (fault) throw new InDoubt('told to')
    },
    compact: store.compact,
    flush: store.flush,
    close: store.close,
  }
}

/** Removes the last bytes of the newest log, as a power cut during a write does. */
const tearNewestLog = async (folder: string): Promise<void> => {
  const log = (await readdir(folder))
    .filter((name) => name.endsWith('.log'))
    .sort()
    .at(-1)
  if (log === undefined) return
  const path = join(folder, log)
  await truncate(path, Math.max(0, (await stat(path)).size - 5))
}

const personaIn = (path: unknown): PersonaId | undefined =>
  typeof path === 'string' ? /\/personas\/([^/]+)/.exec(path)?.[1] : undefined

/** All disks of this process: they share its file calls. */
const meetFunctions = new Set<Meet>()
const real = { ...fs.promises }

/** Replaces the calls for files in a persona's folder, except those of LevelDB, which has its own I/O. */
const faultyFiles = (meet: Meet): (() => void) => {
  if (meetFunctions.size === 0) spoilFiles()
  meetFunctions.add(meet)
  return () => {
    meetFunctions.delete(meet)
    if (meetFunctions.size > 0) return
    Object.assign(fs.promises, real)
    syncBuiltinESMExports()
  }
}

const meetAll = async (call: Call, id: PersonaId): Promise<Fault | undefined> => {
  for (const meet of meetFunctions) {
    const fault = await meet(call, id)
    if (fault) return fault
  }
  return undefined
}

const spoilFiles = (): void => {
  const failIfMet = async (
    name: string,
    path: unknown,
    onFault: (fault: Fault) => Promise<unknown> = async () => {},
  ) => {
    const id = personaIn(path)
    const fault = id === undefined ? undefined : await meetAll(`file ${name}`, id)
    if (!fault) return
    await onFault(fault)
    throw system(fault)
  }
  const open: typeof real.open = async (path, ...rest) => {
    await failIfMet('open', path)
    const file = await real.open(path, ...rest)
    const { writeFile, sync } = file
    return Object.assign(file, {
      writeFile: async (data: Uint8Array) => {
        await failIfMet('write', path, () => writeFile.call(file, data.subarray(0, data.length / 2)))
        return writeFile.call(file, data)
      },
      sync: async () => {
        await failIfMet('sync', path)
        return sync.call(file)
      },
    })
  }
  const rename: typeof real.rename = async (source, target) => {
    await failIfMet('rename', String(target).includes('/personas/') ? target : source)
    return real.rename(source, target)
  }
  const mkdir = (async (path, options) => {
    await failIfMet('mkdir', path)
    return real.mkdir(path, options)
  }) as typeof real.mkdir
  const rm: typeof real.rm = async (path, options) => {
    await failIfMet('rm', path)
    return real.rm(path, options)
  }
  const readFile = (async (path, options) => {
    await failIfMet('read', path)
    return real.readFile(path, options)
  }) as typeof real.readFile
  Object.assign(fs.promises, { open, rename, mkdir, rm, readFile })
  syncBuiltinESMExports()
}

/**
 * Lists all personas and the head of each journal without opening the journals. The head also detects
 * journals that lost records. The catalog may lag behind a journal, but never be ahead of it.
 */
import { rm } from 'node:fs/promises'
import type { PersonaId } from '../facts/fact-values.ts'
import { makeFolder } from '../journal/leveldb/durable-files.ts'
import { openLevelStore } from '../journal/leveldb/level-store.ts'
import { toPlain } from '../journal/log/batch-encoder.ts'
import { getVerified } from '../journal/log/checksummed-value.ts'
import { Held, Unavailable } from '../journal/log/errors.ts'
import type { Store } from '../journal/log/store.ts'
import { idIn, inOrder, type Listed, listedIn, wholeList } from './catalog-entries.ts'
import { finishRenewing } from './catalog-renewal.ts'
import { createCatalogWriter } from './catalog-writer.ts'
import { catalogFolder, lockFolder } from './places.ts'

export interface Catalog {
  /**
   * Whether the catalog contains every put of the last process. False after a crash, damage or loss: then
   * each journal must be read.
   */
  readonly complete: boolean
  get(id: PersonaId): Listed | undefined
  all(): ReadonlyMap<PersonaId, Listed>
  /**
   * Visible immediately, and written within `lag` ms, or immediately if `trouble` is set. Only the latest put
   * of an id is written. Throws TypeError if `self` is not plain data.
   */
  put(id: PersonaId, entry: Listed): void
  remove(id: PersonaId): void
  /**
   * Removes the entry durably, before another history replaces the journal: its head must not be compared
   * with the old one. Throws Unavailable.
   */
  forget(id: PersonaId): Promise<void>
  /**
   * Rebuilds the catalog, because LevelDB's files keep removed entries for an indefinite time. After this
   * resolves, no removed entry is left in the home. If it rejects or the process ends, the catalog is
   * unchanged and removed entries may still be in its files. Throws Unavailable.
   */
  renew(): Promise<void>
  /** Resolves when all puts were written or the write failed. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * Delay in ms in which puts are collected. Journals hold all that a crash loses here. Measured: without the
 * delay, the catalog cost a single writer a tenth of its appends.
 */
const usualLag = 200

/**
 * Locks the home and opens its catalog. A damaged catalog is created again. `held` runs after the lock is
 * taken and before anything is opened; its rejection is passed on. Throws Held if another process has locked
 * the home.
 */
export const openCatalog = async (
  home: string,
  lag = usualLag,
  waitForHolder: () => Promise<void> = async () => {},
): Promise<Catalog> => {
  const lock = await hold(lockFolder(home))
  const folder = catalogFolder(home)
  const { store, listed, complete } = await waitForHolder()
    .then(() => finishRenewing(folder))
    .then(() => load(folder))
    .catch(async (error) => {
      await lock.close()
      throw error
    })
  const writer = createCatalogWriter({ folder, store, entries: listed, lag })
  const copySelf = createCopies()
  return {
    complete,
    get: (id) => listed.get(id),
    all: () => listed,
    put: (id, { head, self, trouble, verified }) => {
      const entry = { head, self: copySelf(self) }
      // Fast path, run on every commit. Measured: most entries have neither.
      const isPlain = trouble === undefined && verified === undefined
      listed.set(
        id,
        isPlain
          ? entry
          : {
              ...entry,
              ...(trouble !== undefined && { trouble }),
              ...(verified !== undefined && { verified }),
            },
      )
      writer.put(id)
      // `trouble` is stored nowhere else.
      if (trouble !== undefined) writer.hasten()
    },
    remove: (id) => {
      listed.delete(id)
      writer.put(id)
    },
    forget: async (id) => {
      listed.delete(id)
      await writer.now(id)
    },
    renew: writer.renew,
    settled: writer.settled,
    close: async () => {
      await writer.close()
      await lock.close()
    },
  }
}

/** Caches the copies, because most puts only change the head. Callers never mutate a `self`. */
const createCopies = (): ((self: unknown) => unknown) => {
  const copies = new WeakMap<object, unknown>()
  return (self) => {
    if (typeof self !== 'object' || self === null) return toPlain(self)
    const knownCopy = copies.get(self)
    if (knownCopy !== undefined) return knownCopy
    const copy = toPlain(self)
    copies.set(self, copy)
    return copy
  }
}

interface Loaded {
  readonly store: Store
  readonly listed: Map<PersonaId, Listed>
  readonly complete: boolean
}

// A separate lock, because a catalog that seems damaged may just be written by another process.
const hold = (folder: string): Promise<Store> => openRebuildable(folder, (store) => store)

const load = (folder: string): Promise<Loaded> => openRebuildable(folder, read)

/**
 * Opens a store that can be rebuilt. Deletes it after two attempts found it damaged, and tries a last time.
 */
const openRebuildable = async <T>(
  folder: string,
  useStore: (store: Store) => T | Promise<T>,
  attempts = 2,
): Promise<T> => {
  try {
    await makeFolder(folder)
    return await useStore(await openLevelStore(folder, 'either'))
  } catch (error) {
    // A full disk or too many open files do not prove damage, so the catalog is not deleted for them.
    if (attempts === 0 || mayPass(error)) throw error
    if (attempts === 1) await rm(folder, { recursive: true, force: true })
    return openRebuildable(folder, useStore, attempts - 1)
  }
}

/**
 * Returns whether a retry may succeed later. A system error proves damage only if a wrong file type is in the
 * way.
 */
const mayPass = (error: unknown): boolean => {
  const { code } = error as { code?: unknown }
  const isInTheWay = code === 'EEXIST' || code === 'ENOTDIR'
  return error instanceof Held || error instanceof Unavailable || (isSystemError(error) && !isInTheWay)
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error

const read = async (store: Store): Promise<Loaded> => {
  try {
    const entriesById = new Map<PersonaId, Listed>()
    let complete = (await getVerified(store, inOrder)) !== undefined
    for await (const page of store.items(wholeList)) {
      for (const [key, bytes] of page) {
        const entry = listedIn(key, bytes)
        if (entry) entriesById.set(idIn(key), entry)
        else complete = false
      }
    }
    // The marker is absent while the catalog is open. If it is absent at the next start, the last puts may be
    // lost.
    await store.batch([{ type: 'del', key: inOrder }], { sync: true })
    return { store, listed: entriesById, complete }
  } catch (error) {
    await store.close()
    throw error
  }
}

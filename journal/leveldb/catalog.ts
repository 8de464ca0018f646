/**
 * What is known of each persona without opening its journal: the list, and a witness of its head. It may lag,
 * never lead.
 */
import { rm } from 'node:fs/promises'
import type { PersonaId } from '../facts/fact-values.ts'
import { catalogFolder, lockFolder, makeFolder } from '../files/places.ts'
import { Held, Unavailable } from '../log/errors.ts'
import { plain } from '../log/plain-values.ts'
import { trusted } from '../log/seal.ts'
import type { Store } from '../log/store.ts'
import { idIn, inOrder, type Listed, listedIn, wholeList } from './catalog-entries.ts'
import { finishRenewing } from './catalog-renewal.ts'
import { createCatalogWriter } from './catalog-writer.ts'
import { openLevelStore } from './level-store.ts'

export interface Catalog {
  /**
   * Whether every put of the last process is in it: false after a crash, damage or loss, and then each
   * journal has to be looked at.
   */
  readonly complete: boolean
  get(id: PersonaId): Listed | undefined
  all(): ReadonlyMap<PersonaId, Listed>
  /**
   * Seen at once, written within `lag`, at once where there is trouble; the latest only. TypeError for a
   * `self` that is no plain data.
   */
  put(id: PersonaId, listed: Listed): void
  remove(id: PersonaId): void
  /**
   * Removed durably, before another history takes the place of its own: nothing there is to be compared with
   * what was. Unavailable.
   */
  forget(id: PersonaId): Promise<void>
  /**
   * Made anew: LevelDB's files keep what was removed for as long as it likes. Once this resolves, nothing of
   * it is in the home any more. Where it rejects, or the process ends before, the catalog is as it was, and
   * what was removed may still lie there. Unavailable.
   */
  renew(): Promise<void>
  /** Resolves when all that was put is handed to the disk, or the disk did not take it. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * Milliseconds that a put waits for others. What a crash takes with it the journals know: ⏱ one batch for
 * each of their own cost a single writer a tenth of its appends.
 */
const usualLag = 200

/**
 * Held when another process has this home: whoever holds the catalog holds all of it. What is damaged is made
 * anew. `held` runs once the home is ours, before anything in it is opened; where it rejects, so does this.
 */
export const openCatalog = async (
  home: string,
  lag = usualLag,
  held: () => Promise<void> = async () => {},
): Promise<Catalog> => {
  const lock = await hold(lockFolder(home))
  const folder = catalogFolder(home)
  const { store, listed, complete } = await held()
    .then(() => finishRenewing(folder))
    .then(() => load(folder))
    .catch(async (error) => {
      await lock.close()
      throw error
    })
  const writing = createCatalogWriter({ folder, opened: store, listed, lag })
  const copyOf = createCopies()
  return {
    complete,
    get: (id) => listed.get(id),
    all: () => listed,
    put: (id, { head, self, trouble, verified }) => {
      const known = { head, self: copyOf(self) }
      // ⏱ Most have neither, and are put with every commit.
      const bare = trouble === undefined && verified === undefined
      listed.set(
        id,
        bare
          ? known
          : {
              ...known,
              ...(trouble !== undefined && { trouble }),
              ...(verified !== undefined && { verified }),
            },
      )
      writing.put(id)
      // Of this alone no journal tells.
      if (trouble !== undefined) writing.hasten()
    },
    remove: (id) => {
      listed.delete(id)
      writing.put(id)
    },
    forget: async (id) => {
      listed.delete(id)
      await writing.now(id)
    },
    renew: writing.renew,
    settled: writing.settled,
    close: async () => {
      await writing.close()
      await lock.close()
    },
  }
}

/**
 * Most puts only move the head: a `self` that was copied before is not copied again. Nobody changes one in
 * place.
 */
const createCopies = (): ((self: unknown) => unknown) => {
  const copies = new WeakMap<object, unknown>()
  return (self) => {
    if (typeof self !== 'object' || self === null) return plain(self)
    const known = copies.get(self)
    if (known !== undefined) return known
    const copy = plain(self)
    copies.set(self, copy)
    return copy
  }
}

interface Loaded {
  readonly store: Store
  readonly listed: Map<PersonaId, Listed>
  readonly complete: boolean
}

// Not the catalog's own lock: what looks damaged in there may be what another process is just writing.
const hold = (folder: string): Promise<Store> => anew(folder, (store) => store)

const load = (folder: string): Promise<Loaded> => anew(folder, read)

/** Opens a store that can be made again. Makes it again if two attempts find it damaged. */
const anew = async <T>(folder: string, take: (store: Store) => T | Promise<T>, attempts = 2): Promise<T> => {
  try {
    await makeFolder(folder)
    return await take(await openLevelStore(folder, 'either'))
  } catch (error) {
    // A full disk or too many open files say nothing about what lies there: the witness is not thrown away
    // for them.
    if (attempts === 0 || mayPass(error)) throw error
    if (attempts === 1) await rm(folder, { recursive: true, force: true })
    return anew(folder, take, attempts - 1)
  }
}

/** An error of the system says that something is damaged only if something else lies in its place. */
const mayPass = (error: unknown): boolean => {
  const { code } = error as { code?: unknown }
  const isInTheWay = code === 'EEXIST' || code === 'ENOTDIR'
  return error instanceof Held || error instanceof Unavailable || (isSystemError(error) && !isInTheWay)
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error

const read = async (store: Store): Promise<Loaded> => {
  try {
    const listed = new Map<PersonaId, Listed>()
    let complete = (await trusted(store, inOrder)) !== undefined
    for await (const page of store.items(wholeList)) {
      for (const [key, bytes] of page) {
        const one = listedIn(key, bytes)
        if (one) listed.set(idIn(key), one)
        else complete = false
      }
    }
    // Gone while it is open: where it is missing next time, the last puts may be missing too.
    await store.batch([{ type: 'del', key: inOrder }], { sync: true })
    return { store, listed, complete }
  } catch (error) {
    await store.close()
    throw error
  }
}

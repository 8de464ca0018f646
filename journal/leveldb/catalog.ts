/**
 * What is known of each persona without opening its journal: the list, and a witness of its head. It may lag,
 * never lead.
 */
import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Decoder, Encoder } from '@msgpack/msgpack'
import * as z from 'zod'
import type { PersonaId } from '../facts/fact-values.ts'
import { isThere } from '../files/moves.ts'
import { catalogFolder, lockFolder, makeFolder, syncFolder, trashFolder } from '../files/places.ts'
import { Held, Unavailable } from '../log/errors.ts'
import type { Head } from '../log/journal.ts'
import { plain } from '../log/plain-values.ts'
import { sealed, trusted, unseal } from '../log/seal.ts'
import type { Op, Store } from '../log/store.ts'
import { openLevelStore, writeLevelStore } from './level-store.ts'

const encoder = new Encoder({ ignoreUndefined: true })
const decoder = new Decoder()

/**
 * `self` is plain data that the catalog does not look into; `trouble` a sentence about a journal that cannot
 * be opened for writing; `verified` when the whole chain was last found intact, epoch milliseconds.
 */
export interface Listed {
  readonly head: Head
  readonly self: unknown
  readonly trouble?: string
  readonly verified?: number
}

const Kept = z.strictObject({
  head: z.strictObject({ seq: z.int().min(0), hash: z.string() }),
  self: z.unknown(),
  trouble: z.string().optional(),
  verified: z.number().optional(),
})

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

const inOrder = Buffer.from('closed')
const prefix = 'p/'
const keyOf = (id: PersonaId): Buffer => Buffer.from(prefix + id)

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
  const writing = writer({ folder, opened: store, listed, lag })
  const copyOf = createCopies()
  return {
    complete,
    get: (id) => listed.get(id),
    all: () => listed,
    put: (id, { head, self, trouble, verified }) => {
      const more = { ...(trouble !== undefined && { trouble }), ...(verified !== undefined && { verified }) }
      listed.set(id, { head, self: copyOf(self), ...more })
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
    const copy = copies.get(self) ?? plain(self)
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

/** Opens what can be made again, and makes it again where it cannot be opened or read. */
const anew = async <T>(folder: string, take: (store: Store) => T | Promise<T>): Promise<T> => {
  try {
    await makeFolder(folder)
    return await take(await openLevelStore(folder, 'either'))
  } catch (error) {
    // A full disk or too many open files say nothing about what lies there: the witness is not thrown away
    // for them.
    if (error instanceof Held || error instanceof Unavailable) throw error
    await rm(folder, { recursive: true, force: true })
    await makeFolder(folder)
    return take(await openLevelStore(folder, 'either'))
  }
}

const read = async (store: Store): Promise<Loaded> => {
  try {
    const listed = new Map<PersonaId, Listed>()
    let complete = (await trusted(store, inOrder)) !== undefined
    for await (const page of store.items({ from: Buffer.from(prefix), to: Buffer.from('p0') })) {
      for (const [key, bytes] of page) {
        const value = unseal(key, bytes)
        const kept = value && Kept.safeParse(decoder.decode(value))
        if (kept?.success) listed.set(key.toString('utf8', prefix.length), kept.data as Listed)
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

/** A whole catalog on its way to the place of the one that is there. */
const nextOf = (folder: string): string => `${folder}.next`

/** What was cut off between its two renames goes on; what was cut off before them has not begun. */
const finishRenewing = async (folder: string): Promise<void> => {
  const next = nextOf(folder)
  if (!(await isThere(next))) return
  if (await isThere(folder)) await rm(next, { recursive: true, force: true })
  else await rename(next, folder)
  await syncFolder(dirname(folder))
}

/** Beside its place, closed and on the disk. */
const writeNext = async (folder: string, ops: readonly Op[]): Promise<void> => {
  const next = nextOf(folder)
  await rm(next, { recursive: true, force: true })
  await makeFolder(next)
  await writeLevelStore(next, ops)
}

/** Nobody has either of them open. Gives where the old one lies now; a start clears that away, too. */
const switchOver = async (folder: string): Promise<string> => {
  const trash = trashFolder(dirname(folder))
  const away = join(trash, randomUUID())
  await makeFolder(trash)
  await rename(folder, away)
  try {
    await rename(nextOf(folder), folder)
  } catch (error) {
    await rename(away, folder)
    throw error
  }
  await syncFolder(dirname(folder))
  return away
}

interface Writing {
  readonly folder: string
  readonly opened: Store
  readonly listed: ReadonlyMap<PersonaId, Listed>
  readonly lag: number
}

/** Writes the latest of what was put, one batch at a time; unsynced, but for the last. */
const writer = ({ folder, opened, listed, lag }: Writing) => {
  /** Encoded when they go out: of many puts only the latest is. */
  const waiting = new Set<PersonaId>()
  const latest = (id: PersonaId): Op => opOf(id, listed.get(id))
  let store = opened
  let failed = false
  let running: Promise<void> | undefined
  let urgent = false
  let wake = (): void => {}

  /** All that is put meanwhile goes out as one batch. */
  const gathered = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, urgent ? 0 : lag)
      wake = () => {
        clearTimeout(timer)
        setImmediate(resolve)
      }
    })
  const hasten = (): void => {
    urgent = running !== undefined
    wake()
  }
  const deliver = async (ops: readonly Op[], sync: boolean): Promise<void> => {
    // A handle that failed once writes no more.
    if (failed) {
      await store.close()
      store = await openLevelStore(folder, 'either')
    }
    failed = true
    await store.batch(ops, { sync })
    failed = false
  }
  const write = async (): Promise<void> => {
    do {
      await gathered()
      const batch = [...waiting]
      waiting.clear()
      try {
        await deliver(batch.map(latest), false)
      } catch {
        // It may lag: tried again with the next put, and told by `complete` where none comes.
        for (const id of batch) waiting.add(id)
        break
      }
    } while (waiting.size > 0)
    urgent = false
    running = undefined
  }
  const settled = async (): Promise<void> => {
    hasten()
    await running
  }
  const alone = async (act: () => Promise<void>): Promise<void> => {
    while (running !== undefined) await settled()
    const mine = act()
    running = mine
      .catch(() => undefined)
      .finally(() => {
        running = undefined
        if (waiting.size > 0) running = write()
      })
    await mine
  }
  const renewed = async (): Promise<void> => {
    await writeNext(
      folder,
      [...listed].map(([id, value]) => opOf(id, value)),
    )
    // From here on the handle writes no more: what comes next opens its own, whichever of the two lies there.
    failed = true
    await store.close()
    const old = await switchOver(folder)
    await rm(old, { recursive: true, force: true })
  }
  return {
    settled,
    hasten,
    now: (id: PersonaId): Promise<void> => alone(() => deliver([latest(id)], true)),
    renew: (): Promise<void> =>
      alone(async () => {
        try {
          await renewed()
        } catch (cause) {
          throw new Unavailable('the catalog cannot be made anew', { cause })
        }
      }),
    put: (id: PersonaId): void => {
      waiting.add(id)
      running ??= write()
    },
    close: async (): Promise<void> => {
      await settled()
      try {
        // All of it, as an unsynced batch may be lost before a synced one.
        const all = [...listed].map(([id, value]) => opOf(id, value))
        await deliver([...[...waiting].map(latest), ...all, sealed(inOrder, Buffer.alloc(0))], true)
      } catch {
        // Told by `complete`.
      } finally {
        await store.close()
      }
    },
  }
}

const opOf = (id: PersonaId, value: Listed | undefined): Op =>
  value ? sealed(keyOf(id), encoder.encode(value)) : { type: 'del', key: keyOf(id) }

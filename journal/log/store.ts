/** The little a journal asks of an engine: an ordered map of bytes with atomic, durable batches. */
import type { PersonaId, Seq } from '../facts/fact-values.ts'

export type Op =
  | { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer }
  | { readonly type: 'del'; readonly key: Buffer }

export type Item = readonly [key: Buffer, value: Buffer]

/** Records behind a position, side by side, and where each of them ends. Their buffers may be handed on. */
export interface RecordPage {
  readonly after: Seq | 0
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly ends: Uint32Array<ArrayBuffer>
}

/** Keys with `from <= key < to`, backward when `reverse`, at most `limit`. */
export interface Span {
  readonly from: Buffer
  readonly to: Buffer
  readonly reverse?: boolean
  readonly limit?: number
}

/**
 * Reads throw Unreadable where the engine cannot give back what lies there, Unavailable where it cannot be
 * asked.
 */
export interface Store {
  get(key: Buffer): Promise<Buffer | undefined>
  getMany(keys: readonly Buffer[]): Promise<readonly (Buffer | undefined)[]>
  /**
   * In pages, the next one asked for before this one is handed over. Sees what was there when it was first
   * asked.
   */
  values(span: Span): AsyncIterable<readonly Buffer[]>
  items(span: Span): AsyncIterable<readonly Item[]>
  /**
   * The records with `after < seq <= upTo`, as far as they follow one another, where the engine can give many
   * of them faster than as values.
   */
  recordPages?(after: Seq | 0, upTo: Seq): AsyncIterable<RecordPage>
  /**
   * All or nothing; with `sync` on disk when it resolves. Unavailable: certainly not there. InDoubt: nobody
   * knows; the store writes no more.
   */
  batch(ops: readonly Op[], options: { readonly sync: boolean }): Promise<void>
  /** What was removed of a range, and what was replaced in it, leaves the disk. Nobody may be reading. */
  compact(span: Span): Promise<void>
  /** What it holds in memory of what was written goes into its tables, and the memory is given back. */
  flush(): Promise<void>
  close(): Promise<void>
  /**
   * Aborted once another writer took over, where there can be one: from then on every batch of records is a
   * Conflict.
   */
  readonly lost?: AbortSignal
}

/** One store per persona. Ids are checked before they come here. */
export interface Stores {
  /** Durably with its first batch, or not at all. Exists. */
  create(id: PersonaId, first: readonly Op[]): Promise<Store>
  /** Unknown, Held, Damaged, Unavailable. */
  open(id: PersonaId): Promise<Store>
  /**
   * A fresh handle for a store that writes no more. Leaves the old one open for reading, and throws
   * Unavailable, while nothing can be written.
   */
  reopen(id: PersonaId, store: Store): Promise<Store>
  /**
   * What can still be read of one that cannot be opened, from a copy that goes when it is closed; the
   * original stays as it is. Damaged.
   */
  rescue(id: PersonaId): Promise<Store>
  /**
   * A copy of it as it is, kept beside it, and a new store with what its engine vouches for of records and
   * parts, to be put in its place. Nobody may have it open. Unknown, Unavailable.
   */
  salvage(id: PersonaId): Promise<Salvage>
  /**
   * A new store, to be put in the place of this one: the same, as `change` leaves it. Its files hold nothing
   * else, nor what was replaced or deleted long ago, and no copy of the old one stays anywhere. Nobody may
   * have it open. Unknown, Unavailable, Damaged; what `change` throws is passed on.
   */
  rewrite(id: PersonaId, change: (store: Store) => Promise<void>): Promise<Rewritten>
  /**
   * A store that lies in a folder apart, as `journal`, with its files beside it, as `media`. Damaged,
   * Unavailable.
   */
  stage(id: PersonaId, folder: string): Promise<StagedStore>
  /**
   * Takes the room on the disk that opening this store again needs, before it is closed: as it is opened, or
   * as it is rescued. Returns a function that gives the room back and never rejects. Unavailable.
   */
  reserve(id: PersonaId, way: 'open' | 'rescue'): Promise<() => Promise<void>>
  /**
   * Its files as they are now, taken hold of in a folder of the home in little time: it may be open and be
   * written to, but nothing may be put in its place meanwhile. Undefined where that cannot be done.
   * Unavailable.
   */
  take(id: PersonaId, folder: string): Promise<TakenFiles | undefined>
  ids(): Promise<readonly PersonaId[]>
  /**
   * The newest record of a store that nobody holds, told without opening it; undefined where that cannot be
   * told for sure. Unavailable.
   */
  newestRecord(id: PersonaId): Promise<Item | undefined>
  /** Those of them that the system does not let us at; no store is opened for it. */
  denied(): Promise<readonly PersonaId[]>
  /** Gone by one step, whatever happens after; no trouble where there is none. */
  remove(id: PersonaId): Promise<void>
}

export interface StagedStore {
  readonly store: Store
  /**
   * Closes the store and puts it and its files in their place, by one step. What was there goes, or is kept
   * for a while. Unavailable.
   */
  place(old: 'drop' | 'keep'): Promise<void>
  /** Only its files, those that are missing. Unavailable. */
  placeFiles(): Promise<void>
}

export interface TakenFiles {
  /** A store of its own in an empty folder, of copies that are looked at before. Damaged, Unavailable. */
  lay(folder: string): Promise<Store>
}

/** What leaves together with the old store. */
export interface Leaving {
  /** Names of its media files: gone once the new store is in its place, and untouched if it never is. */
  readonly files: readonly string[]
  /** Drops what can be made again. Runs right before the switch. */
  readonly beside: () => Promise<void>
}

export interface Rewritten {
  readonly store: Store
  /** Closes the store and puts it in the place of the old one, by one step. Unavailable. */
  replace(leaving?: Leaving): Promise<void>
  /** Closes the store and drops it: the journal is as it was. */
  discard(): Promise<void>
}

export interface Salvage extends Rewritten {
  /** Where the copy lies: for a person to read, it is opened by nobody. */
  readonly copy: string
}

/** The engine's own sign of damage; where it lies is known one floor up. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** The same under the same keys, in another store. */
export const puts = (items: readonly Item[]): readonly Op[] =>
  items.map(([key, value]) => ({ type: 'put', key, value }))

/** Deletes a range of what can be made again, as far as it can be read. */
export const wipe = async (store: Store, span: Span): Promise<void> => {
  try {
    for await (const page of store.items(span)) {
      await store.batch(
        page.map(([key]) => ({ type: 'del', key })),
        { sync: false },
      )
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
}

/** The port to a storage engine: an ordered map of bytes with atomic, durable batches. */
import type { JournalId, Seq } from './head.ts'

export type Op =
  | { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer }
  | { readonly type: 'del'; readonly key: Buffer }

export type Item = readonly [key: Buffer, value: Buffer]

/** Consecutive records in one buffer, and the end of each. The buffers may be transferred. */
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

/** Reads throw Unreadable if the engine finds damage, and Unavailable for other errors. */
export interface Store {
  get(key: Buffer): Promise<Buffer | undefined>
  getMany(keys: readonly Buffer[]): Promise<readonly (Buffer | undefined)[]>
  /** Yields pages of a snapshot taken at the first request. Prefetches the next page. */
  values(span: Span): AsyncIterable<readonly Buffer[]>
  items(span: Span): AsyncIterable<readonly Item[]>
  /**
   * Yields consecutive records with `after < seq <= upTo`. Present if the engine has a faster way than
   * `values`.
   */
  recordPages?(afterSeq: Seq | 0, upTo: Seq): AsyncIterable<RecordPage>
  /**
   * Writes all or nothing, on disk when it resolves if `sync` is set. Throws Unavailable if nothing was
   * written, InDoubt if that is unknown; then the store accepts no more writes.
   */
  batch(ops: readonly Op[], options: { readonly sync: boolean }): Promise<void>
  /** Removes deleted and replaced bytes of a range from the disk. No one may be reading. */
  compact(span: Span): Promise<void>
  /** Writes the memory buffer to tables and frees it. */
  flush(): Promise<void>
  close(): Promise<void>
  /**
   * Aborts when another writer takes over, if the engine allows several. Later batches of records throw
   * Conflict.
   */
  readonly lost?: AbortSignal
}

/** One store per journal. Ids are validated by the caller. */
export interface Stores {
  /** Creates a store durably with its first batch, or not at all. Throws Exists. */
  create(id: JournalId, first: readonly Op[]): Promise<Store>
  /** Throws Unknown, Held, Damaged or Unavailable. */
  open(id: JournalId): Promise<Store>
  /**
   * Returns a new handle for a store that accepts no more writes. While nothing can be written, throws
   * Unavailable and leaves the old handle open for reading.
   */
  reopen(id: JournalId, store: Store): Promise<Store>
  /**
   * Opens a copy of the readable part of a store that cannot be opened. The copy is deleted on close; the
   * original is unchanged. Throws Damaged.
   */
  rescue(id: JournalId): Promise<Store>
  /**
   * Copies a closed store and fills a new one with all records and parts that its engine can verify. Throws
   * Unknown or Unavailable.
   */
  salvage(id: JournalId): Promise<Salvage>
  /**
   * Builds a replacement for a closed store with `change` applied. Its files contain no replaced or deleted
   * data, and no copy of the old store remains. Throws Unknown, Unavailable, Damaged and every error of
   * `change`.
   */
  rewrite(id: JournalId, change: (store: Store) => Promise<void>): Promise<Rewritten>
  /**
   * Opens a store in another folder, as `journal`, with its files in `media`. Throws Damaged or Unavailable.
   */
  stage(id: JournalId, folder: string): Promise<StagedStore>
  /**
   * Reserves the disk space for reopening or rescuing a store before it is closed. Returns a function that
   * frees the space and never rejects. Throws Unavailable.
   */
  reserve(id: JournalId, mode: 'open' | 'rescue'): Promise<() => Promise<void>>
  /**
   * Links or copies the store's current files into a folder on the same disk. The store may be open and
   * written to, but must not be replaced meanwhile. Returns undefined if that is not possible. Throws
   * Unavailable.
   */
  take(id: JournalId, folder: string): Promise<TakenFiles | undefined>
  ids(): Promise<readonly JournalId[]>
  /**
   * Returns the newest record of a closed store without opening it, or undefined if unsure. Throws
   * Unavailable.
   */
  newestRecord(id: JournalId): Promise<Item | undefined>
  /** Returns ids whose folder cannot be read (EACCES), without opening a store. */
  denied(): Promise<readonly JournalId[]>
  /** Removes a store atomically. Does nothing if there is none. */
  remove(id: JournalId): Promise<void>
}

export interface StagedStore {
  readonly store: Store
  /**
   * Closes the store and moves it with its files to the final path, atomically. Drops the previous store or
   * keeps it for a while. Throws Unavailable.
   */
  place(old: 'drop' | 'keep'): Promise<void>
  /** Moves only missing files. Throws Unavailable. */
  placeFiles(): Promise<void>
}

export interface TakenFiles {
  /**
   * Copies and checks the files in an empty folder and opens them as a store. Throws Damaged or Unavailable.
   */
  lay(folder: string): Promise<Store>
}

/** Data to remove together with the old store. */
export interface Leaving {
  /** Names of media files. They are deleted after the switch and unchanged if there is none. */
  readonly files: readonly string[]
  /** Removes derived data right before the switch. */
  readonly beside: () => Promise<void>
}

export interface Rewritten {
  readonly store: Store
  /** Closes the store and moves it to the path of the old one, atomically. Throws Unavailable. */
  replace(leaving?: Leaving): Promise<void>
  /** Closes and deletes the store. The journal is unchanged. */
  discard(): Promise<void>
}

export interface Salvage extends Rewritten {
  /** Path of the copy, for manual inspection. It is never opened. */
  readonly copy: string
}

/** An engine's damage error. The journal adds the position. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Copies items to another store under the same keys. */
export const puts = (items: readonly Item[]): readonly Op[] =>
  items.map(([key, value]) => ({ type: 'put', key, value }))

/** Deletes the readable keys in a range of derived data. */
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

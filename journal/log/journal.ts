/**
 * The journal interface: a fenced, ordered, durable log of facts. Nothing here depends on the
 * storage engine.
 */

import type { Damaged } from './errors.ts'
import type { Head, JournalId, Seq, Sha256 } from './head.ts'
import type { Leaving, Store, TakenFiles } from './store.ts'
import type { StoredRecord } from './stored-record.ts'
import type { Erased, JournalTypes, Payload } from './vocabulary.ts'

/**
 * A request to append facts, all or none. `at` is epoch milliseconds, `offset` the zone's minutes east of UTC
 * at that time.
 */
export interface Draft<T extends JournalTypes = JournalTypes> {
  readonly events: readonly T['fact'][]
  /**
   * True if `asKept` returned these events. A weak set of checked facts is slower than the check (measured).
   */
  readonly checked?: boolean
  readonly cause: T['cause']
  readonly at: number
  readonly offset: number
}

/**
 * One record. `event` is decoded and checked against its commitment when first read, and throws `Damaged` if
 * it does not match.
 */
export interface Entry<T extends JournalTypes = JournalTypes> {
  readonly seq: Seq
  /** The id (hex) that all records of one commit share. */
  readonly commit: string
  readonly type: T['fact']['type']
  readonly at: number
  readonly offset: number
  readonly cause: T['cause']
  /** True if the payload was erased. Fields that other facts refer to remain. */
  readonly erased?: boolean
  readonly event: T['fact']
}

/**
 * A raw record for an audit. Its payload has the fields of the version that wrote it. Hashes are lower-case
 * hex.
 */
export interface AuditEntry<T extends JournalTypes = JournalTypes> extends Omit<Entry<T>, 'type' | 'event'> {
  readonly type: string
  readonly version: number
  readonly prev: string
  readonly hash: string
  /** Returns null if the payload was erased. Throws `Damaged` if it does not match its commitment. */
  words(): Payload | null
  /** The payload as JSON. */
  json(): string
}

export interface Commit<T extends JournalTypes = JournalTypes> {
  readonly entries: readonly Entry<T>[]
  /** The head after its last record. */
  readonly head: Head
}

/**
 * Records with `after < seq <= upTo`. `last` limits the result to the newest n, oldest first. `kind` selects
 * one index.
 */
export interface Range<T extends JournalTypes = JournalTypes> {
  readonly after?: Seq | 0
  readonly upTo?: Seq
  readonly kind?: T['index']
  readonly last?: number
}

export interface Snapshot {
  readonly projector: string
  readonly version: number
  readonly head: Head
  /** Plain data that MessagePack can encode. */
  readonly state: unknown
  /** Deletes older snapshots of the same projector. */
  readonly alone?: boolean
}

export interface Verdict {
  readonly events: number
  readonly head: Head
  readonly intact: boolean
  /** The first position whose record is missing, unreadable or does not fit the chain; null when intact. */
  readonly firstBad: Seq | null
  /** Description of the damage; null when intact. */
  readonly reason: string | null
}

/**
 * Removes unused parts. Never removes a part that was put after the pruning began or that no fact names yet.
 */
export interface Pruning {
  /** Returns the position up to which the last completed pruning examined the facts. */
  begun(): Promise<Seq | 0>
  drop(parts: readonly Sha256[]): Promise<void>
  /** Written to disk after the deletions. */
  done(upTo: Seq): Promise<void>
  end(): void
}

export interface Journal<T extends JournalTypes = JournalTypes> {
  readonly head: Head
  /** Set if the journal is damaged and read-only. Its head is then the last good record. */
  readonly damage: Damaged | undefined
  /**
   * Appends all drafts or none, durable when it resolves. Only one call at a time. Throws Conflict, InDoubt,
   * Unavailable or TooLarge.
   */
  append(drafts: readonly Draft<T>[], expectedHead: Head): Promise<readonly Commit<T>[]>
  /**
   * Reopens the store after InDoubt or Unavailable and returns the head on disk. Throws Unavailable while
   * that fails.
   */
  settle(): Promise<Head>
  read(range: Range<T>): AsyncIterable<Entry<T>>
  /**
   * Yields whole commits after a head, each once, in order, up to the head at the time of the call. Throws
   * Damaged if `after` is not in this journal.
   */
  commits(afterHead: Head | { readonly seq: Seq | 0 }): AsyncIterable<Commit<T>>
  /**
   * Yields every record with `after < seq <= upTo`, in pages. The first must follow `after.hash`, if given.
   */
  audit(
    afterHead: { readonly seq: Seq | 0; readonly hash?: string },
    upTo: Seq,
  ): AsyncIterable<readonly AuditEntry<T>[]>
  /** Yields raw records in pages, after a position (default 0) up to a known head. Checks nothing. */
  records(upTo: Head, afterSeq?: Seq | 0): AsyncIterable<readonly Uint8Array[]>
  /**
   * Copies the records up to a head, unchanged, into an empty store, with parts, indexes and snapshots. Each
   * page yields the media files that its facts refer to. Does not sync. Throws Damaged.
   */
  copyPast(to: Store, upTo: Head): AsyncGenerator<readonly string[], readonly Erased[]>
  /**
   * Returns the chain hash at a position, or undefined if there is no record. Two journals with equal hashes
   * are equal up to there. Throws Damaged.
   */
  hashAt(seq: Seq): Promise<string | undefined>
  /** Returns the position of the first fact with this dedupe key. */
  findByKey(key: string): Promise<Seq | undefined>
  /** Returns the newest snapshot at or before a position. May return undefined at any time. */
  snapshot(projector: string, version: number, atOrBefore: Seq): Promise<Snapshot | undefined>
  keepSnapshot(snapshot: Snapshot): Promise<void>
  /** Stores a part, durable when it resolves. Equal bytes are stored once. */
  putPart(bytes: Uint8Array): Promise<Sha256>
  part(sha: Sha256): Promise<Uint8Array | undefined>
  pruning(): Pruning
  /** Writes the engine's memory buffer to disk and frees it. Throws Unavailable. */
  flush(): Promise<void>
  /**
   * Recomputes the chain and every commitment from the first record. Calls `each` in order with the valid
   * records that may name a file.
   */
  verify(onRecord?: (record: StoredRecord) => void): Promise<Verdict>
  /**
   * Aborts when another writer takes over, if the engine can detect that. The next append throws Conflict.
   * `settle` replaces this signal.
   */
  readonly lost: AbortSignal
  close(): Promise<void>
}

/** Result of a salvage. `first` is the first lost position. */
export interface Loss {
  readonly kept: number
  readonly lost: number
  readonly first: Seq | null
}

/** A journal that is not yet at its final path. */
export interface Staged<T extends JournalTypes = JournalTypes> {
  readonly journal: Journal<T>
  /**
   * Closes the journal and moves it with its files to its final path, atomically. Drops the previous journal
   * or keeps it in the trash. Throws Held or Unavailable.
   */
  place(old: 'drop' | 'keep'): Promise<void>
  /** Moves only the files that are missing at the final path. Throws Unavailable. */
  placeFiles(): Promise<void>
  close(): Promise<void>
}

/** `event` replaces the first fact of a journal if it is lost. `cause`: of facts that a salvage writes. */
export interface First<T extends JournalTypes = JournalTypes> {
  readonly event: T['fact']
  readonly cause: T['cause']
  readonly at: number
  readonly offset: number
}

/** `copy`: path of the copy of the damaged journal. */
export interface Salvaged {
  readonly loss: Loss
  readonly head: Head
  readonly copy: string
}

export interface Journals<T extends JournalTypes = JournalTypes> {
  /** Throws Exists if the journal exists. */
  create(id: JournalId, first: Draft<T>): Promise<Journal<T>>
  /**
   * Opens a journal. A `reader` may open a damaged journal and reads up to the damage. Throws Unknown, Held,
   * Newer or Damaged (tail, chain or witness).
   */
  open(id: JournalId, role: 'reader' | 'writer'): Promise<Journal<T>>
  /**
   * Replaces a damaged journal with its recoverable records. Appends the draft that `mend` returns before the
   * switch. Keeps a copy of the damaged journal. Throws Held, Unknown, Unavailable or Newer, and Damaged if
   * no record can be recovered.
   */
  salvage(
    id: JournalId,
    first: First<T>,
    mend: (journal: Journal<T>, loss: Loss) => Promise<Draft<T>>,
  ): Promise<Salvaged>
  /**
   * Replaces a journal with one without the given payloads, parts and snapshots. Appends the drafts that
   * `mend` returns before the switch. `leaving` is removed together with the old journal. Throws Held,
   * Unknown, Unavailable, Damaged, Newer and every error of `mend`; the journal is then unchanged.
   */
  erase(
    id: JournalId,
    erasure: Erasure,
    mend: (journal: Journal<T>, erasedFacts: readonly Erased[]) => Promise<readonly Draft<T>[]>,
    leaving?: Leaving,
  ): Promise<Head>
  /**
   * Reserves the disk space for reopening the journal before it is closed. Returns a function that frees the
   * space and never rejects. Throws Unavailable.
   */
  reserve(id: JournalId, role: 'reader' | 'writer'): Promise<() => Promise<void>>
  /**
   * Opens a checked journal with records up to `head` in a folder on the same disk (`journal`, with its files
   * in `media`), as unpacked from a backup. Throws Damaged or Unavailable.
   */
  stage(id: JournalId, folder: string, head: Head): Promise<Staged<T>>
  /**
   * Links or copies the journal's files, open or not, for a new store that will be trimmed to an earlier
   * head. Returns undefined if the journal must be copied record by record. Throws Unavailable.
   */
  take(id: JournalId, folder: string): Promise<TakenFiles | undefined>
  /**
   * Returns the ids that have a journal on disk, without opening one. Returns none if the root is missing.
   */
  ids(): Promise<readonly JournalId[]>
  /** Returns whether a closed journal ends with this record, without opening it. Returns false if unsure. */
  endsAt(id: JournalId, head: Head): Promise<boolean>
  /** Returns ids whose folder cannot be read (EACCES), without opening a journal. */
  denied(): Promise<readonly JournalId[]>
  /** Deletes a journal. Resumable: the folder leaves the store by one rename before its bytes are deleted. */
  remove(id: JournalId): Promise<void>
}

/** Payloads of facts, parts, and snapshots that contain one of the texts. */
export interface Erasure {
  readonly seqs: ReadonlySet<Seq>
  readonly parts: ReadonlySet<Sha256>
  readonly texts: readonly Buffer[]
}

/**
 * Returns the head that another place recorded for a journal. A journal that ends before it has lost records.
 */
export type Witness = (id: JournalId) => Promise<Head | undefined>

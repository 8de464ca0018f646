/**
 * The journal as everything above it sees it: a fenced, ordered, durable log of facts per persona. No engine
 * shows through.
 */

import type { Kind, Payload } from '../facts/fact.ts'
import type { Cause, PersonaId, Seq, Sha256 } from '../facts/fact-values.ts'
import type { EventType, PersonaEvent } from '../facts/facts.ts'
import type { Erased } from './erasures.ts'
import type { Damaged } from './errors.ts'
import type { Leaving, Store, TakenFiles } from './store.ts'
import type { StoredRecord } from './stored-record.ts'

/** `hash` is the chain hash (lower-case hex) of the record at `seq`; 64 zeros before the first. */
export interface Head {
  readonly seq: Seq | 0
  readonly hash: string
}

/**
 * What is asked to be appended: all of it or nothing. `at` is epoch milliseconds, `offset` the zone's minutes
 * then.
 */
export interface Draft {
  readonly events: readonly PersonaEvent[]
  /** They are what `asKept` gave. ⏱ Remembered of each fact in a weak set, it took longer than the check. */
  readonly checked?: boolean
  readonly cause: Cause
  readonly at: number
  readonly offset: number
}

/**
 * One record. `event` is decoded and checked against its commitment when first read, and throws `Damaged` if
 * it does not match.
 */
export interface Entry {
  readonly seq: Seq
  /** The id (hex) that all records of one commit share. */
  readonly commit: string
  readonly type: EventType
  readonly at: number
  readonly offset: number
  readonly cause: Cause
  /** Its words are gone; what others refer to is left. */
  readonly erased?: boolean
  readonly event: PersonaEvent
}

/** A record as it lies, for an audit: its words spelled as its version did. Hashes are lower-case hex. */
export interface AuditEntry extends Omit<Entry, 'type' | 'event'> {
  readonly type: string
  readonly version: number
  readonly prev: string
  readonly hash: string
  /** Null where they were erased. Throws `Damaged` where they are not the ones that were written. */
  words(): Payload | null
  /** The same as JSON. */
  json(): string
}

export interface Commit {
  readonly entries: readonly Entry[]
  /** The head after its last record. */
  readonly head: Head
}

/**
 * Records with `after < seq <= upTo`; `last` takes only so many from the end (still oldest first); `kind`
 * only those of one index.
 */
export interface Range {
  readonly after?: Seq | 0
  readonly upTo?: Seq
  readonly kind?: Kind
  readonly last?: number
}

export interface Snapshot {
  readonly projector: string
  readonly version: number
  readonly head: Head
  /** Plain data: what MessagePack carries. */
  readonly state: unknown
  /** Older ones of its projector go: nobody asks what it concluded then. */
  readonly alone?: boolean
}

export interface Verdict {
  readonly events: number
  readonly head: Head
  readonly intact: boolean
  /** The first position whose record is missing, unreadable or does not fit the chain; null when intact. */
  readonly firstBad: Seq | null
  /** What is wrong with it; null when intact. */
  readonly reason: string | null
}

/**
 * Parts that nothing needs any more are removed, and none that was put since it began or is not named yet.
 */
export interface Pruning {
  /** Position up to which the calls were gone over by the last one that was done. */
  begun(): Promise<Seq | 0>
  drop(parts: readonly Sha256[]): Promise<void>
  /** Not on disk before what was dropped is off it. */
  done(upTo: Seq): Promise<void>
  end(): void
}

export interface Journal {
  readonly head: Head
  /** Why it can only be read, and up to where: its head is the last record before. */
  readonly damage: Damaged | undefined
  /**
   * All drafts or none, durable when it resolves; one call in flight at a time. Conflict, InDoubt,
   * Unavailable, TooLarge.
   */
  append(drafts: readonly Draft[], after: Head): Promise<readonly Commit[]>
  /** After InDoubt or Unavailable: reopens and tells what is really there. Unavailable while it cannot. */
  settle(): Promise<Head>
  read(range: Range): AsyncIterable<Entry>
  /**
   * Whole commits after a head, each once, in order, up to the head at the time of the call. Damaged when
   * `after` is not in this journal.
   */
  commits(after: Head | { readonly seq: Seq | 0 }): AsyncIterable<Commit>
  /**
   * Every record with `after < seq <= upTo`, in pages; the first must follow `after.hash`, if that is told.
   */
  audit(
    after: { readonly seq: Seq | 0; readonly hash?: string },
    upTo: Seq,
  ): AsyncIterable<readonly AuditEntry[]>
  /**
   * Records as they lie, in pages, behind a position (before the first by default) up to one that is known.
   * Nothing of them is checked.
   */
  records(upTo: Head, after?: Seq | 0): AsyncIterable<readonly Uint8Array[]>
  /**
   * Its past up to a head that it has, as it lies, into an empty store, with what is kept beside it: in
   * pages, each of which tells the files that its facts name. Nothing is synced. Damaged.
   */
  copyPast(to: Store, upTo: Head): AsyncGenerator<readonly string[], readonly Erased[]>
  /**
   * The chain hash at a position: two journals with the same one are the same up to there. Undefined where
   * there is none. Damaged.
   */
  hashAt(seq: Seq): Promise<string | undefined>
  /** Position of the message heard with this dedupe key. */
  heard(key: string): Promise<Seq | undefined>
  /** The newest kept snapshot at or before a position. Absent is always legal. */
  snapshot(projector: string, version: number, atOrBefore: Seq): Promise<Snapshot | undefined>
  keepSnapshot(snapshot: Snapshot): Promise<void>
  /** Durable before it resolves; the same bytes are kept once. */
  putPart(bytes: Uint8Array): Promise<Sha256>
  part(sha: Sha256): Promise<Uint8Array | undefined>
  pruning(): Pruning
  /** Gives back the memory that its engine holds of what was appended. Unavailable. */
  flush(): Promise<void>
  /**
   * Recomputes the chain and every commitment from the first record. `each` is handed those that hold and may
   * name a file, in order.
   */
  verify(each?: (record: StoredRecord) => void): Promise<Verdict>
  /**
   * Aborted once another writer took over, where its engine can tell: its next append is a Conflict. After
   * `settle` it is another one.
   */
  readonly lost: AbortSignal
  close(): Promise<void>
}

/** What was left of a journal. `first` is the first lost position. */
export interface Loss {
  readonly kept: number
  readonly lost: number
  readonly first: Seq | null
}

/** A journal that is not in its place yet. */
export interface Staged {
  readonly journal: Journal
  /**
   * Closes it and puts it where its own is, or where none is, by one step; its files come with it. What was
   * there goes, or is kept for thirty days. Held, Unavailable.
   */
  place(old: 'drop' | 'keep'): Promise<void>
  /** Brings only those of its files that are missing. Unavailable. */
  placeFiles(): Promise<void>
  close(): Promise<void>
}

/** A first fact. */
export interface First {
  readonly event: PersonaEvent
  readonly at: number
  readonly offset: number
}

/** `copy`: where what was there lies now. */
export interface Salvaged {
  readonly loss: Loss
  readonly head: Head
  readonly copy: string
}

export interface Journals {
  /** Exists when there is one already. */
  create(id: PersonaId, first: Draft): Promise<Journal>
  /**
   * Unknown, Held, Damaged (tail, chain or witness), Newer. `reader` opens a damaged one too and reads up to
   * the damage.
   */
  open(id: PersonaId, as: 'reader' | 'writer'): Promise<Journal>
  /**
   * Puts what can still be trusted of a damaged journal in its place: `mend` is shown it, and what it gives
   * is appended before the switch. A copy of what was there stays. Held, Unknown, Unavailable, Newer; Damaged
   * where nothing is left.
   */
  salvage(
    id: PersonaId,
    first: First,
    mend: (journal: Journal, loss: Loss) => Promise<Draft>,
  ): Promise<Salvaged>
  /**
   * Puts one in its place in which the words of some facts are gone, from the records and from what was
   * concluded of them: `mend` is shown it, and what it gives is appended before the switch. Held, Unknown,
   * Unavailable, Damaged, Newer; what `mend` throws is passed on, and nothing has changed then. `leaving`
   * goes with the words.
   */
  erase(
    id: PersonaId,
    erasure: Erasure,
    mend: (journal: Journal, erased: readonly Erased[]) => Promise<readonly Draft[]>,
    leaving?: Leaving,
  ): Promise<Head>
  /**
   * Takes the room that opening it again needs, before it is closed: as a writer, or as a reader of a damaged
   * one. Returns a function that gives it back and never rejects. Unavailable.
   */
  reserve(id: PersonaId, as: 'reader' | 'writer'): Promise<() => Promise<void>>
  /**
   * One whose records up to a head lie in a folder of the home, with its files beside them, as a diary is
   * unpacked: `journal` and `media`. It was checked. Damaged, Unavailable.
   */
  stage(id: PersonaId, folder: string, head: Head): Promise<Staged>
  /**
   * Takes hold of its files, open or not, for a store with all that lies in it now, to be cut to its past.
   * Undefined where it has to be copied record by record. Unavailable.
   */
  take(id: PersonaId, folder: string): Promise<TakenFiles | undefined>
  /** Ids that have a journal on disk; opens none. Missing home: none. */
  ids(): Promise<readonly PersonaId[]>
  /**
   * Whether one that nobody holds ends with this very record, told without opening it. False where that
   * cannot be told for sure.
   */
  endsAt(id: PersonaId, head: Head): Promise<boolean>
  /** Those of them that the system does not let us at; no journal is opened for it. */
  denied(): Promise<readonly PersonaId[]>
  /** Resumable: the folder leaves the store by one rename, then its bytes go. */
  remove(id: PersonaId): Promise<void>
}

/** What is to be gone: the words of facts, whole parts, and snapshots that hold one of these texts. */
export interface Erasure {
  readonly seqs: ReadonlySet<Seq>
  readonly parts: ReadonlySet<Sha256>
  readonly texts: readonly Buffer[]
}

/** The head another place remembers for a journal: a journal that ends before it has lost records. */
export type Witness = (id: PersonaId) => Promise<Head | undefined>

export const nowhere: Head = { seq: 0, hash: '0'.repeat(64) }

/** The public API of all personas. Serializes the commands of each; readers see the committed state. */

import type { Cause, PersonaId, Seq, Sha256, Slot } from '../../facts/fact-values.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import type { KeptMedia, MediaSource, Staged } from '../../home/media.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Salvaged, Verdict } from '../../journal/log/journal.ts'
import type { StoredRecord } from '../../journal/log/stored-record.ts'
import type { Persona, StaleParts } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import type { ErasePlan } from './erase-payloads.ts'
import type { MediaChecksum } from './media-integrity.ts'
import type { Moment } from './past.ts'
import type { RestoreOutcome, UnpackedDiary } from './restore.ts'
import type { Command } from './rules/decide.ts'
import type { CreatePersona, ForkPersona, RestorePersona } from './rules/persona.ts'

export interface ExecuteResult {
  /** Its state after the commit. */
  readonly persona: Persona
  /** Empty if there was nothing to write, e.g. for a message that was received before. */
  readonly entries: readonly Entry[]
}

/** `trouble`: why the journal is read-only; null if it is sound. */
export interface RosterRow {
  readonly self: Self
  readonly trouble: string | null
}

/** Facts about a persona that need no open journal. */
export interface Vitals {
  readonly head: Head
  /** Size of the journal on disk. */
  readonly bytes: number
  /** When the whole chain was last verified, epoch milliseconds; null if unknown. */
  readonly verified: number | null
  /** Organs that refer to a lost key. */
  readonly keyless: readonly Slot[]
}

/** The committed state and the journal, for readers. */
export interface Reading {
  readonly persona: Persona
  readonly journal: Journal
}

/** `differing`: the parts of the state that were wrong and are replaced. */
export interface RebuiltState {
  readonly head: Head
  readonly differing: readonly string[]
}

export interface PersonaStore {
  /** Ordered by creation. Opens no journal. */
  all(): readonly RosterRow[]
  getRow(id: PersonaId): RosterRow | undefined
  /** Returns why a journal on disk could not be read, if nothing else is known of the persona. */
  unread(id: PersonaId): Error | null
  /** Resolves when everything a crash left unfinished was read again. Until then `all` may be stale. */
  readonly ready: Promise<void>
  /** Checks a command against the rules without writing. Throws Refused. */
  would(id: PersonaId, command: Command): Promise<void>
  /**
   * Resolves when the facts are on disk and all listeners were notified. Throws Refused, JournalUnavailable
   * or JournalDamaged.
   */
  execute(id: PersonaId, command: Command, author: Cause['by']): Promise<ExecuteResult>
  create(command: CreatePersona): Promise<ExecuteResult>
  /** Keeps the journal open while `look` runs. Also reads damaged ones. Throws Refused: persona_unknown. */
  read<T>(id: PersonaId, work: (reading: Reading) => Promise<T>): Promise<T>
  /**
   * Like `read`, for long work. The signal of the work also aborts when the journal must be closed, for
   * example to delete the persona or to erase facts; then this throws JournalReplaced.
   */
  readUntilClosed<T>(
    id: PersonaId,
    signal: AbortSignal,
    work: (reading: Reading, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Stores bytes durably before the fact that names them is written. Throws JournalUnavailable. */
  keepPart(id: PersonaId, bytes: Uint8Array): Promise<Sha256>
  /**
   * Removes model requests from before an instant (epoch milliseconds) that no later call uses. Throws
   * JournalUnavailable, or the signal's reason.
   */
  pruneCalls(id: PersonaId, beforeMs: number, signal: AbortSignal): Promise<void>
  /** Frees the memory of appended records. Throws JournalUnavailable. */
  flush(id: PersonaId): Promise<void>
  /** Stores a key durably. Returns the reference that a fact may hold. */
  keepSecret(id: PersonaId, value: string): Promise<string>
  /**
   * Deletes a key whose fact was not written. Throws JournalUnavailable and keeps the key if that is unknown.
   */
  dropSecret(id: PersonaId, ref: string): Promise<void>
  /** Replaces the value behind a reference. Throws JournalUnavailable. */
  replaceSecret(id: PersonaId, ref: string, value: string): Promise<void>
  /** Null if it is lost. */
  secret(id: PersonaId, ref: string): Promise<string | null>
  /** Opens no journal, so it works for damaged ones too. Throws Refused: persona_unknown. */
  vitals(id: PersonaId): Promise<Vitals>
  /** Returns the position and the stale parts of the state. Null if the journal is not open. */
  peekState(id: PersonaId): { readonly seq: Seq; readonly stale: StaleParts } | null
  /**
   * Folds the state again from the first fact, and replaces it if it differs. Throws persona_unknown,
   * JournalDamaged, JournalUnavailable, JournalReplaced if the journal must be closed, or the signal's
   * reason; then nothing has changed.
   */
  rebuildState(
    id: PersonaId,
    options: { readonly signal: AbortSignal; readonly onPosition?: (seq: Seq) => void },
  ): Promise<RebuiltState>
  /** Recomputes the whole chain. Marks the persona as damaged if that fails. */
  verify(id: PersonaId, onRecord?: (record: StoredRecord) => void): Promise<Verdict>
  /**
   * Rebuilds a damaged journal from its valid records. Throws not_damaged, or JournalDamaged if none is left.
   */
  salvage(id: PersonaId): Promise<Salvaged>
  /**
   * Checks that these facts can be erased. Throws Refused (fact_unknown, fact_wordless) or JournalDamaged.
   */
  wouldErase(id: PersonaId, seqs: readonly Seq[]): Promise<void>
  /** Plans `eraseWords` without changing anything. Throws like `wouldErase`. */
  previewErase(id: PersonaId, seqs: readonly Seq[]): Promise<ErasePlan>
  /**
   * Erases the payloads of facts; with `also`, those of derived facts too. The persona must be stopped. Calls
   * `beside` right before the switch to delete other copies. Throws Refused (fact_unknown, fact_wordless),
   * JournalDamaged or JournalUnavailable; then nothing has changed.
   */
  eraseWords(
    id: PersonaId,
    seqs: readonly Seq[],
    isCascade: boolean,
    eraseFiles: () => Promise<void>,
  ): Promise<ErasePlan>
  /** Finds other personas that hold the same facts. */
  readonly sharedPast: SharedPast
  /** Dry run of `restore`. Throws Refused (histories_parted, damaged_here) or JournalUnavailable. */
  previewRestore(id: PersonaId, diary: UnpackedDiary): Promise<RestoreOutcome>
  /** Restores from a diary. The persona must be stopped. Throws like `previewRestore`. */
  restore(id: PersonaId, diary: UnpackedDiary, command: RestorePersona): Promise<ExecuteResult>
  /** Returns the persona at a moment; null is now. Throws Refused: persona_unknown, moment_unknown. */
  getPast(id: PersonaId, moment: Moment | null): Promise<PastPersona>
  /**
   * Creates a persona that shares the history up to `then`. Cleans up on failure. Throws Refused:
   * persona_unknown, JournalUnavailable, Damaged, or the signal's reason.
   */
  fork(
    id: PersonaId,
    origin: PastPersona,
    command: ForkPersona,
    disconnectSignal: AbortSignal,
  ): Promise<ExecuteResult>
  /**
   * Removes all files, once PersonaDeleted is on disk. Keeps the last diary for 30 days unless `purge` is
   * set.
   */
  remove(id: PersonaId, isPurge: boolean): Promise<void>
  /**
   * Starts to host a persona: reads its journal and lists it, also if it is damaged. Throws persona_unknown,
   * JournalUnavailable or Newer.
   */
  admit(id: PersonaId): Promise<void>
  /** Stops hosting a persona: unlists it and closes its journal when the last reader is done. */
  dismiss(id: PersonaId): Promise<void>
  /** Folder that holds all media under our own file names. Throws JournalUnavailable. */
  mediaFolder(id: PersonaId): Promise<string>
  /** Path of a media file, whether it exists or not. Throws JournalUnavailable. */
  mediaPath(id: PersonaId, filename: string): Promise<string>
  /** Writes bytes to a temporary file. Rethrows errors of `chunks`. Throws JournalUnavailable. */
  stageMedia(chunks: AsyncIterable<Uint8Array>): Promise<Staged>
  /** Adopts a file durably, before the fact that names it. Throws persona_unknown or JournalUnavailable. */
  keepMedia(id: PersonaId, from: MediaSource, extension: string): Promise<KeptMedia>
  /**
   * Removes a file whose fact was not written or whose skill is gone. Keeps it if that is uncertain or the
   * disk fails. Never rejects.
   */
  dropMedia(id: PersonaId, filename: string): Promise<void>
  /** Whether a file matches its fact. True if it has no checksum or is gone. Throws JournalUnavailable. */
  isSound(id: PersonaId, media: MediaChecksum): Promise<boolean>
  /** Same, for any fact that names it. Throws persona_unknown or JournalUnavailable. */
  isSoundFile(id: PersonaId, filename: string): Promise<boolean>
  close(): Promise<void>
}

/** A persona at an earlier moment, and the head of its journal there. */
export interface PastPersona {
  readonly persona: Persona
  readonly head: Head
}

/** Chain hashes by position. A chain hash identifies all facts up to its position. */
export type FactHashes = ReadonlyMap<Seq, string>

export interface Sharing {
  readonly id: PersonaId
  readonly name: string
  /** The shared facts. */
  readonly seqs: readonly Seq[]
}

export interface SharedPast {
  hashes(id: PersonaId, seqs: readonly Seq[]): Promise<FactHashes>
  /** Returns the facts that a persona holds at the same positions. Throws if its journal cannot be opened. */
  findShared(id: PersonaId, facts: FactHashes): Promise<readonly Seq[]>
  /** Returns all other personas that hold one of the facts, without unreadable ones. */
  findSharing(id: PersonaId, facts: FactHashes): Promise<readonly Sharing[]>
}

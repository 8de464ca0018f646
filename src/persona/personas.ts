/** The gate to all personas: one decision at a time for each, everyone else sees only what is on disk. */
import type { Cause, PersonaId, Seq, Sha256, Slot } from '../../journal/facts/fact-values.ts'
import type { KeptMedia, MediaSource, Staged } from '../../journal/files/media.ts'
import type { Entry, Head, Journal, Salvaged, Verdict } from '../../journal/log/journal.ts'
import type { StoredRecord } from '../../journal/log/stored-record.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import type { Then } from './fork-journal.ts'
import type { Moment } from './head-at.ts'
import type { RestoreOutcome, Unpacked } from './restore.ts'
import type { Command } from './rules/decide.ts'
import type { CreatePersona, ForkPersona, RestorePersona } from './rules/self.ts'
import type { SharedPast } from './shared-past.ts'
import type { Vouched } from './sound-media.ts'
import type { ErasePlan } from './word-erasure.ts'

export interface Executed {
  /** Its state after the commit. */
  readonly persona: Persona
  /** Empty when there was nothing to write, as for a message heard before. */
  readonly entries: readonly Entry[]
}

/** `trouble`: why its journal can only be read; null for a sound one. */
export interface Listed {
  readonly self: Self
  readonly trouble: string | null
}

/** What is known of it without looking into its facts. */
export interface Vitals {
  readonly head: Head
  /** Of its journal on the disk. */
  readonly bytes: number
  /** When its whole chain was last found intact, epoch milliseconds; null where nobody knows. */
  readonly verified: number | null
  /** Organs that refer to a key which is gone. */
  readonly keyless: readonly Slot[]
}

/** What a reader sees: its state as it is on disk, and its journal. */
export interface Reading {
  readonly persona: Persona
  readonly journal: Journal
}

export interface Personas {
  /** By creation. Opens no journal. */
  all(): readonly Listed[]
  listed(id: PersonaId): Listed | undefined
  /** Why nothing is known of one whose journal is there: it could not be read yet, or cannot be. */
  unread(id: PersonaId): Error | null
  /** Resolves when what a crash left open has been read again: before it, `all` may be behind. */
  readonly ready: Promise<void>
  /** Asks the rules on paper; nothing is written. Refused. */
  would(id: PersonaId, command: Command): Promise<void>
  /**
   * Refused · JournalUnavailable · JournalDamaged. Resolves once the facts are on disk and every listener has
   * been told.
   */
  execute(id: PersonaId, command: Command, by: Cause['by']): Promise<Executed>
  create(command: CreatePersona): Promise<Executed>
  /** Holds its journal open while `look` runs; `persona_unknown` otherwise. A damaged one can be read too. */
  read<T>(id: PersonaId, look: (reading: Reading) => Promise<T>): Promise<T>
  /** Keeps words that no fact holds, durably, before the fact that names them. JournalUnavailable. */
  keepPart(id: PersonaId, bytes: Uint8Array): Promise<Sha256>
  /**
   * Removes what models were sent before an instant (epoch milliseconds), and what no younger call names.
   * JournalUnavailable, or the signal's reason.
   */
  pruneCalls(id: PersonaId, before: number, signal: AbortSignal): Promise<void>
  /** Gives back the memory that its journal holds of what was appended. JournalUnavailable. */
  flush(id: PersonaId): Promise<void>
  /** Keeps a key durably and gives the reference a fact may hold. */
  keepSecret(id: PersonaId, value: string): Promise<string>
  /** Forgets a key whose fact was not written. Where that is in doubt, the key stays: JournalUnavailable. */
  dropSecret(id: PersonaId, ref: string): Promise<void>
  /** Another value under a reference that a fact holds. JournalUnavailable. */
  replaceSecret(id: PersonaId, ref: string, value: string): Promise<void>
  /** Null when it is gone. */
  secret(id: PersonaId, ref: string): Promise<string | null>
  /** Opens no journal, and works whatever is wrong with it. `persona_unknown`. */
  vitals(id: PersonaId): Promise<Vitals>
  /** Recomputes its whole chain. What is found damaged is shown so from then on. */
  verify(id: PersonaId, each?: (record: StoredRecord) => void): Promise<Verdict>
  /**
   * Goes on with what of its damaged journal verifies. `not_damaged` · JournalDamaged where nothing is left.
   */
  salvage(id: PersonaId): Promise<Salvaged>
  /** Whether those are facts with words. Refused: fact_unknown, fact_wordless. JournalDamaged. */
  wouldErase(id: PersonaId, seqs: readonly Seq[]): Promise<void>
  /**
   * What would go with the words of those facts; nothing does. Refused: fact_unknown, fact_wordless.
   * JournalDamaged.
   */
  previewErase(id: PersonaId, seqs: readonly Seq[]): Promise<ErasePlan>
  /**
   * Makes the words of facts gone for good; with `also` those of what was made of them, too. It must not be
   * served meanwhile. `beside` drops whatever else holds them, right before the switch. Refused:
   * fact_unknown, fact_wordless. JournalDamaged, JournalUnavailable: nothing has changed then.
   */
  eraseWords(
    id: PersonaId,
    seqs: readonly Seq[],
    also: boolean,
    beside: () => Promise<void>,
  ): Promise<ErasePlan>
  /** Who else holds the same facts. */
  readonly sharedPast: SharedPast
  /** What would come of a diary, on paper. Refused: histories_parted, damaged_here. JournalUnavailable. */
  previewRestore(id: PersonaId, diary: Unpacked): Promise<RestoreOutcome>
  /** Brings it back from a diary; it must not be served meanwhile. The same errors. */
  restore(id: PersonaId, diary: Unpacked, command: RestorePersona): Promise<Executed>
  /**
   * Who it was at a moment; null is now. Refused: persona_unknown, moment_unknown before its first fact.
   */
  asOf(id: PersonaId, moment: Moment | null): Promise<Then>
  /**
   * Another one with its past up to then; nothing is left of one that fails. Refused: persona_unknown.
   * JournalUnavailable · Damaged · the signal's reason.
   */
  fork(id: PersonaId, then: Then, command: ForkPersona, gone: AbortSignal): Promise<Executed>
  /**
   * After its PersonaDeleted is on disk: closes and removes everything of its own. Its last diary stays for
   * thirty days, but for `purge`.
   */
  remove(id: PersonaId, purge: boolean): Promise<void>
  /**
   * This daemon hosts it from now on: its journal is read anew, and it is listed. `persona_unknown` ·
   * JournalUnavailable · Newer. A damaged one is listed as such.
   */
  admit(id: PersonaId): Promise<void>
  /** Another daemon hosts it: its journal is closed once nobody reads it, and it is listed no more. */
  dismiss(id: PersonaId): Promise<void>
  /** Folder of its files under names we make, with all of them in it. JournalUnavailable. */
  mediaFolder(id: PersonaId): Promise<string>
  /** Where one of them lies, whether it is still there or not. JournalUnavailable. */
  mediaPath(id: PersonaId, filename: string): Promise<string>
  /**
   * Brings bytes to the disk that are nobody's yet. What `chunks` throws is passed on. JournalUnavailable.
   */
  stageMedia(chunks: AsyncIterable<Uint8Array>): Promise<Staged>
  /** Makes a file its own, durably, before the fact that names it. `persona_unknown` · JournalUnavailable. */
  keepMedia(id: PersonaId, from: MediaSource, extension: string): Promise<KeptMedia>
  /**
   * Removes a file whose fact was not written, or whose skill is there no more. Where that is in doubt, or
   * the disk refuses, the file stays.
   * Never rejects.
   */
  dropMedia(id: PersonaId, filename: string): Promise<void>
  /**
   * Whether a file is what the fact that names it says; also where nothing vouches for it, or it is gone.
   * JournalUnavailable.
   */
  isSound(id: PersonaId, media: Vouched): Promise<boolean>
  /** The same for whichever fact names it. `persona_unknown` · JournalUnavailable. */
  isSoundFile(id: PersonaId, filename: string): Promise<boolean>
  close(): Promise<void>
}

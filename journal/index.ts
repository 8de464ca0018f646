/** The public interface of the package. */
export {
  Conflict,
  Damaged,
  Denied,
  Exists,
  Held,
  InDoubt,
  type JournalErrorCode,
  maxCommitBytes,
  Newer,
  TooLarge,
  Unavailable,
  Unknown,
} from './log/errors.ts'
export { emptyHead, type Head, type JournalId, type Seq, type Sha256 } from './log/head.ts'
export type {
  AuditEntry,
  Commit,
  Draft,
  Entry,
  Erasure,
  First,
  Journal,
  Journals,
  Loss,
  Pruning,
  Range,
  Salvaged,
  Snapshot,
  Staged,
  Verdict,
  Witness,
} from './log/journal.ts'
export { openJournals } from './log/journals.ts'
export { entryAt, findCommitEnd } from './log/keys.ts'
export { type Op, type Span, type Store, type Stores, Unreadable } from './log/store.ts'
export {
  type Cause,
  defineVocabulary,
  type Erased,
  type Fact,
  type FactOf,
  type FactTraits,
  fact,
  type JournalTypes,
  keepPayload,
  type Payload,
  type TypesOf,
  type Upcast,
  type Vocabulary,
} from './log/vocabulary.ts'

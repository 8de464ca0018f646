/** Plain values that all parts of the journal share. */

/** Position of a record in its journal. Starts at 1, without gaps. */
export type Seq = number

/** Matches `[a-z0-9][a-z0-9_-]{0,63}`. */
export type JournalId = string

/** SHA-256 as lower-case hex. */
export type Sha256 = string

/** `hash` is the chain hash (lower-case hex) of the record at `seq`; 64 zeros before the first. */
export interface Head {
  readonly seq: Seq | 0
  readonly hash: string
}

export const emptyHead: Head = { seq: 0, hash: '0'.repeat(64) }

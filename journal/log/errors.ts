/** Errors of a journal, independent of the storage engine. README.md explains how to handle each. */
import type { Seq } from '../facts/fact-values.ts'
import type { Head } from './journal.ts'
import { entryOf, isErased } from './record.ts'
import type { StoredRecord } from './stored-record.ts'

export type JournalErrorCode =
  | 'conflict'
  | 'in_doubt'
  | 'unavailable'
  | 'held'
  | 'damaged'
  | 'newer'
  | 'too_large'
  | 'exists'
  | 'unknown'

abstract class JournalError extends Error {
  abstract readonly code: JournalErrorCode
  override get name(): string {
    return this.constructor.name
  }
}

/** Another writer appended. Read from `head` and decide again. */
export class Conflict extends JournalError {
  readonly code = 'conflict'
  readonly head: Head
  constructor(head: Head) {
    super(`the head of the journal is ${head.seq}`)
    this.head = head
  }
}
/** The records may or may not be on disk. Call `settle` first. */
export class InDoubt extends JournalError {
  readonly code = 'in_doubt'
}
/** The records were certainly not written. */
export class Unavailable extends JournalError {
  readonly code = 'unavailable'
}
/** The permissions of the folder or its files deny access. Works again after the permissions change. */
export class Denied extends Unavailable {}
export class Held extends JournalError {
  readonly code = 'held'
}
export class Damaged extends JournalError {
  readonly code = 'damaged'
  readonly seq: number
  constructor(seq: number, message: string, options?: ErrorOptions) {
    super(`record ${seq}: ${message}`, options)
    this.seq = seq
  }
}
/** The journal contains facts of a newer version of the daemon. */
export class Newer extends JournalError {
  readonly code = 'newer'
}
/** The commit exceeds 512 KiB. Store larger data as a part or as media. */
export class TooLarge extends JournalError {
  readonly code = 'too_large'
}
export class Exists extends JournalError {
  readonly code = 'exists'
}
export class Unknown extends JournalError {
  readonly code = 'unknown'
}

// Tracks erased records. Each must be named, with the hash of its remainder, by a later fact.

export interface Erasures {
  /** Takes records in order. Throws Damaged if a `FactsErased` fact cannot be read. */
  take(record: StoredRecord): void
  /** Returns erased records that no fact names: damage or manipulation. */
  unnamed(): readonly Erased[]
}

/** `left`: the SHA-256 of a fact's remainder. */
export interface Erased {
  readonly seq: Seq
  readonly left: string
}

export const createErasures = (): Erasures => {
  const open = new Map<Seq, string>()
  return {
    take: (record) => {
      if (isErased(record)) open.set(record.seq, record.salt.toString('hex'))
      if (record.type !== 'FactsErased') return
      const { event } = entryOf(record)
      if (event.type !== 'FactsErased') return
      for (const { seq, left } of event.facts) if (open.get(seq) === left) open.delete(seq)
    },
    unnamed: () => [...open].map(([seq, left]) => ({ seq, left })),
  }
}

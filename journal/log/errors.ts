/** What can go wrong with a journal, by kind, never by an engine's class. */
import type { Head } from './journal.ts'

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

/** Another wrote: read on from `head`, decide again. */
export class Conflict extends JournalError {
  readonly code = 'conflict'
  readonly head: Head
  constructor(head: Head) {
    super(`the journal stands at ${head.seq}`)
    this.head = head
  }
}
/** The records may be there or not: `settle` before anything else. */
export class InDoubt extends JournalError {
  readonly code = 'in_doubt'
}
/** Certainly not there. */
export class Unavailable extends JournalError {
  readonly code = 'unavailable'
}
/**
 * Not there for us: the rights of the folder or its files do not allow it. Passes when somebody changes them.
 */
export class Denied extends Unavailable {}
export class Held extends JournalError {
  readonly code = 'held'
}
export class Damaged extends JournalError {
  readonly code = 'damaged'
  readonly seq: number
  constructor(seq: number, what: string, options?: ErrorOptions) {
    super(`record ${seq}: ${what}`, options)
    this.seq = seq
  }
}
/** It holds facts of a newer version of the service. */
export class Newer extends JournalError {
  readonly code = 'newer'
}
/** A commit over 512 KiB: what is bigger is a part or media. */
export class TooLarge extends JournalError {
  readonly code = 'too_large'
}
export class Exists extends JournalError {
  readonly code = 'exists'
}
export class Unknown extends JournalError {
  readonly code = 'unknown'
}

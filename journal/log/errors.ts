import type { Head } from './head.ts'
/** Errors of a journal, independent of the storage engine. README.md explains how to handle each. */

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
/** The journal contains facts of a newer version of the program. */
export class Newer extends JournalError {
  readonly code = 'newer'
}
/** The commit exceeds 512 KiB. Store larger data as a part or as media. */
/** Max bytes of the records of a commit. */
export const maxCommitBytes = 512 * 1024

export class TooLarge extends JournalError {
  readonly code = 'too_large'
}
export class Exists extends JournalError {
  readonly code = 'exists'
}
export class Unknown extends JournalError {
  readonly code = 'unknown'
}

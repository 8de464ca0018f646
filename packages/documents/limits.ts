/** How much of a document is read, and what is said of one that is not. */
import type { DocumentFormat } from './formats.ts'

export interface Limits {
  /** Milliseconds for one document, from the start of its process to its text. */
  readonly ms: number
  /** Bytes that the process which reads it may take, its own 60 MB included. */
  readonly memory: number
  /** Bytes of a file that has to be in memory as a whole: a PDF, a mail. */
  readonly whole: number
  /** Entries of a package. */
  readonly entries: number
  /** Bytes of the list of them: names, comments and all. */
  readonly directory: number
  /** Bytes of one entry, unpacked. */
  readonly entry: number
  /** Bytes of all entries that are read, unpacked. */
  readonly total: number
  /** How many times its packed size an entry may have. */
  readonly ratio: number
  /** Elements within each other. */
  readonly depth: number
  /** Characters of the text; what is longer is cut. */
  readonly characters: number
}

const MiB = 1024 * 1024

export const usualLimits: Limits = {
  ms: 20_000,
  memory: 300 * MiB,
  whole: 100 * MiB,
  entries: 2000,
  directory: 4 * MiB,
  entry: 50 * MiB,
  total: 100 * MiB,
  ratio: 250,
  depth: 256,
  characters: 2_000_000,
}

/** One sentence each, to go on after the name of the file. */
const sentences = {
  encrypted: 'it is protected; save it without a password and send it again',
  damaged: 'it is damaged and cannot be opened; save it once more and send it again',
  too_large: 'there is too much in it to be read; send the part that matters',
  too_long: 'reading it took too long; send the part that matters',
  too_many_entries: 'it is made of more parts than a document has, so it was left closed',
  list_too_long: 'the list of its parts is longer than that of a document, so it was left closed',
  bomb: 'it would unpack into far more than a document holds, so it was left closed',
  not_text: 'it is not text in any encoding that is known; save it in UTF-8 and send it again',
  empty: 'there are no words in it; if it is a scan, send its pages as pictures',
  missing: 'it is no longer there; send it again',
  lost: 'reading it ended before its time; send it again',
} as const

export type Reason = keyof typeof sentences

export type Extracted =
  | {
      readonly kind: 'text'
      readonly format: DocumentFormat
      readonly text: string
      /** The document goes on where the text ends. */
      readonly cut: boolean
      /** Sentences about the reading: an encoding that was guessed, damaged characters. */
      readonly note?: string
    }
  | { readonly kind: 'refused'; readonly reason: Reason; readonly words: string }

export const createUnreadable = (reason: Reason): Extracted => ({
  kind: 'refused',
  reason,
  words: sentences[reason],
})

/** Thrown while a document is read, where it cannot be read on. */
export class Unreadable extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(sentences[reason])
    this.name = 'Unreadable'
    this.reason = reason
  }
}

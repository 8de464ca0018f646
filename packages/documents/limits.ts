/** Defines the limits for reading a document, and the sentences for documents that cannot be read. */
import type { DocumentFormat } from './formats.ts'

export interface Limits {
  /** Max milliseconds per document, from the start of its process to its text. */
  readonly ms: number
  /** Max memory of the reading process in bytes, including its own 60 MB. */
  readonly memory: number
  /** Max bytes of a file that is loaded into memory as a whole: a PDF, a mail. */
  readonly whole: number
  /** Max entries of a package. */
  readonly entries: number
  /** Max bytes of the list of entries, including names and comments. */
  readonly directory: number
  /** Max bytes of one unpacked entry. */
  readonly entry: number
  /** Max unpacked bytes of all entries that are read. */
  readonly total: number
  /** Max ratio of the unpacked to the packed size of an entry. */
  readonly ratio: number
  /** Max nesting of elements. */
  readonly depth: number
  /** Max characters of the text. Longer text is truncated. */
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

/** Each sentence continues after the name of the file. */
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
      /** True if the text was truncated. */
      readonly cut: boolean
      /** Sentences about the reading: a guessed encoding, damaged characters. */
      readonly note?: string
    }
  | { readonly kind: 'refused'; readonly reason: Reason; readonly words: string }

export const createUnreadable = (reason: Reason): Extracted => ({
  kind: 'refused',
  reason,
  words: sentences[reason],
})

/** Thrown while reading if the rest of the document cannot be read. */
export class Unreadable extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(sentences[reason])
    this.name = 'Unreadable'
    this.reason = reason
  }
}

/** Removes quoted text from the lines of a conversation, so that each speaker's own words remain. */
import type { TalkLine } from '../models/prompt-data.ts'

/** Matches a row that is marked as a quotation, and a transcript line that was pasted into a message. */
const quotation = /^[ \t]*>.*$|\[\d{1,15}\] (?:[A-Z][a-z]{2} )?\d{4}-\d\d-\d\dT\d\d:\d\d.*$/s

export const ownLines = (lines: readonly TalkLine[]): readonly TalkLine[] =>
  lines.map((line) => ({
    ...line,
    words: line.words
      .toWellFormed()
      .split(/\r\n|[\n\r\u2028\u2029\v\f\u0085]/)
      .map((row) => row.replace(quotation, ''))
      .join('\n')
      .trim(),
  }))

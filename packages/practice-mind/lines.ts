/** The lines of a talk that is gone over, as far as somebody said them themselves. */
import type { TalkLine } from '../models/prompt-data.ts'

/**
 * What is marked as somebody else's, and a line of a talk that was copied into somebody's words, whoever is
 * said to have spoken it.
 */
const quoted = /^[ \t]*>.*$|\[\d{1,15}\] \d{4}-\d\d-\d\dT\d\d:\d\d.*$/s

export const ownLines = (lines: readonly TalkLine[]): readonly TalkLine[] =>
  lines.map((line) => ({
    ...line,
    words: line.words
      .toWellFormed()
      .split(/\r\n|[\n\r\u2028\u2029\v\f\u0085]/)
      .map((row) => row.replace(quoted, ''))
      .join('\n')
      .trim(),
  }))

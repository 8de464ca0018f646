/** The newest texts of an index, in memory until a write is worthwhile. */

import type { Seq } from '../../facts/fact-values.ts'
import type { Head } from '../../journal/log/head.ts'
import { add, type Positions } from './positions.ts'

export interface NewestWords {
  /** All facts up to here are in memory or on disk. */
  upTo: Head
  /** Number of texts. */
  texts: number
  readonly words: Map<string, Seq[]>
  /** The last fact about each plan. */
  readonly plans: Map<string, Seq>
}

export const noNewestWords = (upTo: Head): NewestWords => ({
  upTo,
  texts: 0,
  words: new Map(),
  plans: new Map(),
})

/** Call in order. Adds a word once per fact. */
export const noteWord = ({ words }: NewestWords, word: string, seq: Seq): void => {
  const seqs = words.get(word)
  if (!seqs) words.set(word, [seq])
  else if (seqs.at(-1) !== seq) seqs.push(seq)
}

export const addNewestWords = (
  { words }: NewestWords,
  form: string,
  isPrefix: boolean,
  positions: Positions,
): void => {
  const addAll = (seqs: readonly Seq[] = []) => {
    for (const seq of seqs) add(positions, seq)
  }
  if (!isPrefix) return addAll(words.get(form))
  for (const [word, seqs] of words) if (word.startsWith(form)) addAll(seqs)
}

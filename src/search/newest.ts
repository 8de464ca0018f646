/** The newest of what can be found, in memory: what is not worth a stretch on disk yet. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Head } from '../../journal/log/journal.ts'
import { add, type Positions } from './postings.ts'

export interface Tail {
  /** All facts up to here are in it, or on disk. */
  upTo: Head
  /** Texts it holds. */
  texts: number
  readonly words: Map<string, Seq[]>
  /** The last fact that says what a plan is. */
  readonly plans: Map<string, Seq>
}

export const emptyTail = (upTo: Head): Tail => ({ upTo, texts: 0, words: new Map(), plans: new Map() })

/** Ascending: a word is noted once for each fact. */
export const noteWord = ({ words }: Tail, word: string, seq: Seq): void => {
  const seqs = words.get(word)
  if (!seqs) words.set(word, [seq])
  else if (seqs.at(-1) !== seq) seqs.push(seq)
}

export const addFromTail = ({ words }: Tail, form: string, begins: boolean, positions: Positions): void => {
  const addAll = (seqs: readonly Seq[] = []) => {
    for (const seq of seqs) add(positions, seq)
  }
  if (!begins) return addAll(words.get(form))
  for (const [word, seqs] of words) if (word.startsWith(form)) addAll(seqs)
}

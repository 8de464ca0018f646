/** Removes entries from the index of a kind, which still detects missing entries afterwards. */

import { following, type Marks, readMarks, toIndexEntry, toMarksOp } from './fact-index.ts'
import type { Head, Seq } from './head.ts'
import { indexKey, indexMark, writeSeq } from './keys.ts'
import { type Item, type Op, type Store, Unreadable } from './store.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * Removes ascending positions of a kind and relinks the entries after them. Removes the marks, which forces a
 * rebuild, if an entry is missing.
 */
export const dropEntries = async (
  vocabulary: Vocabulary,
  store: Store,
  head: Head,
  kind: string,
  seqs: readonly Seq[],
): Promise<void> => {
  const marks = await readMarks(vocabulary, store, head)
  if (!marks || seqs.length === 0) return
  const ops = await droppings(store, marks, kind, seqs).catch((error: unknown) => {
    if (!(error instanceof Unreadable)) throw error
  })
  await store.batch(ops ?? [{ type: 'del', key: indexMark }], { sync: false })
}

/** Returns undefined if an entry is missing or does not name the one before it. */
const droppings = async (
  store: Store,
  marks: Marks,
  kind: string,
  seqs: readonly Seq[],
): Promise<readonly Op[] | undefined> => {
  const droppedSeqs = new Set(seqs)
  const ops: Op[] = []
  let last = marks.last[kind] ?? 0
  let lastDropped: { readonly seq: Seq; readonly left: Seq | 0 } | undefined
  for (const seq of seqs) {
    const key = indexKey(kind, seq)
    const value = await store.get(key)
    const entry = value && toIndexEntry([key, value])
    if (!entry) return undefined
    const previousSeq: Seq | 0 = entry.before === lastDropped?.seq ? lastDropped.left : entry.before
    lastDropped = { seq, left: previousSeq }
    ops.push({ type: 'del', key })
    if (seq === last) {
      last = previousSeq
      continue
    }
    const item = await following(store, marks, kind, seq)
    const next = item && toIndexEntry(item)
    if (!next || next.before !== seq) return undefined
    if (!droppedSeqs.has(next.seq)) ops.push(toNamingOp(item, previousSeq))
  }
  return [...ops, toMarksOp({ ...marks, last: { ...marks.last, [kind]: last } })]
}

/** Returns the entry with another predecessor. */
const toNamingOp = ([key, value]: Item, previousSeq: Seq | 0): Op => {
  const entry = Buffer.from(value)
  writeSeq(entry, 0, previousSeq)
  return { type: 'put', key, value: entry }
}

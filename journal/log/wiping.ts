/** Erases the payloads of some facts from a store, and snapshots and parts that contain them. */

import { headIn, recordAt } from './chain.ts'
import { dropEntries } from './dropped-entries.ts'
import { Damaged } from './errors.ts'
import type { Head, Seq } from './head.ts'
import type { Erasure } from './journal.ts'
import { partKey, recordKey, wholeSnapshots } from './keys.ts'
import { isErased, keepsItsWord, withoutWords } from './record.ts'
import { type Op, type Store, Unreadable } from './store.ts'
import type { Erased, Vocabulary } from './vocabulary.ts'

export interface Wiped {
  /** Head of the journal in the store. */
  readonly head: Head
  readonly erased: readonly Erased[]
}

/** Does not sync. Throws Damaged or Newer. */
export const wipeWords = async (vocabulary: Vocabulary, store: Store, erasure: Erasure): Promise<Wiped> => {
  try {
    return await wipe(vocabulary, store, erasure)
  } catch (cause) {
    throw cause instanceof Unreadable ? new Damaged(1, 'it cannot be read', { cause }) : cause
  }
}

const wipe = async (
  vocabulary: Vocabulary,
  store: Store,
  { seqs, parts, texts }: Erasure,
): Promise<Wiped> => {
  const head = await headIn(store)
  const erasedFacts: Erased[] = []
  /** Erased facts by the index that they leave. */
  const leaving = new Map<string, Seq[]>()
  for (const seq of [...seqs].sort((a, b) => a - b)) {
    const record = await recordAt(store, seq)
    if (!record) continue
    if (!keepsItsWord(record)) throw new Damaged(seq, 'its payload does not match its commitment')
    if (isErased(record)) continue
    const { value, commitment } = withoutWords(vocabulary, record)
    await store.batch([{ type: 'put', key: recordKey(seq), value }], { sync: false })
    erasedFacts.push({ seq, left: commitment })
    const index = vocabulary.indexFor(record.type)
    if (index !== null && vocabulary.indexOptions(index).omitsErased)
      leaving
        .set(index, leaving.get(index) ?? [])
        .get(index)
        ?.push(seq)
  }
  for (const [index, unnamedSeqs] of leaving) await dropEntries(vocabulary, store, head, index, unnamedSeqs)
  await store.batch(
    [...parts].map((part) => ({ type: 'del', key: partKey(part) })),
    { sync: false },
  )
  await dropSnapshots(store, texts)
  return { head, erased: erasedFacts }
}

/** Deletes snapshots that contain one of the texts. */
const dropSnapshots = async (store: Store, texts: readonly Buffer[]): Promise<void> => {
  for await (const page of store.items(wholeSnapshots)) {
    const ops = page.flatMap(([key, value]): readonly Op[] =>
      texts.some((text) => value.includes(text)) ? [{ type: 'del', key }] : [],
    )
    await store.batch(ops, { sync: false })
  }
}

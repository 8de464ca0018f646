/** Trims a store to its records up to a head. The result equals a record-by-record copy of that past. */

import { headIn } from './chain.ts'
import { pastPages } from './copy-past.ts'
import { cutDedupe } from './dedupe.ts'
import { cutIndex } from './fact-index.ts'
import type { Head, Seq } from './head.ts'
import {
  partIn,
  partKey,
  prunedMark,
  recordSpan,
  seqInKey,
  wholeParts,
  wholeSnapshots,
  wholeStore,
} from './keys.ts'
import { type Op, type Store, wipe } from './store.ts'
import type { Erased, Vocabulary } from './vocabulary.ts'

/**
 * Like `copyPast`, for a store that no one else uses, with the same checks. After the last page no byte after
 * the head remains in its files. Does not sync. Throws Damaged or Unreadable.
 */
export async function* trimPast(
  vocabulary: Vocabulary,
  store: Store,
  upTo: Head,
): AsyncGenerator<readonly string[], readonly Erased[]> {
  const unnamedParts = await partsIn(store)
  const pages = pastPages(vocabulary, store, upTo, () => unnamedParts.size > 0)
  let page = await pages.next()
  for (; !page.done; page = await pages.next()) {
    for (const part of page.value.parts) unnamedParts.delete(part)
    yield page.value.files
  }
  await store.batch([{ type: 'del', key: prunedMark }], { sync: false })
  await drop(store, unnamedParts)
  const end = await headIn(store)
  if (end.seq > upTo.seq) await deletePast(vocabulary, store, end, upTo.seq)
  return page.value
}

const partsIn = async (store: Store): Promise<Set<string>> => {
  const parts = new Set<string>()
  for await (const items of store.items(wholeParts)) for (const [key] of items) parts.add(partIn(key) ?? '')
  return parts
}

/** Max deletions per batch, and max ranges to compact one by one. */
const maxPerBatch = 100

/** Deletes parts that no remaining record refers to. */
const drop = async (store: Store, parts: ReadonlySet<string>): Promise<void> => {
  const keys = [...parts].map(partKey)
  for (let n = 0; n < keys.length; n += maxPerBatch) {
    const ops = keys.slice(n, n + maxPerBatch).map((key): Op => ({ type: 'del', key }))
    await store.batch(ops, { sync: false })
  }
  const spans = keys.length > maxPerBatch ? [wholeParts] : keys.map((key) => ({ from: key, to: key }))
  for (const span of spans) await store.compact(span)
}

/** Removed and replaced data may be from after the head, too. */
const deletePast = async (vocabulary: Vocabulary, store: Store, end: Head, upTo: Seq): Promise<void> => {
  await cutIndex(vocabulary, store, end, upTo)
  await cutDedupe(store, upTo)
  const laterRecords = recordSpan(upTo)
  await wipe(store, laterRecords)
  for await (const items of store.items(wholeSnapshots)) {
    const ops = items.filter(([key]) => seqInKey(key) > upTo).map(([key]): Op => ({ type: 'del', key }))
    await store.batch(ops, { sync: false })
  }
  await store.compact(wholeParts)
  await store.compact({ from: laterRecords.from, to: wholeStore.to })
}

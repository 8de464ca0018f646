/** Pages of consecutive records: the unit of reading and of transfer to a thread. */

import type { Seq } from './head.ts'
import { recordSpan } from './keys.ts'
import type { RecordPage, Store } from './store.ts'

/** Yields the existing records with `after < seq <= upTo`. Throws Unreadable or Unavailable. */
export async function* recordPages(store: Store, afterSeq: Seq | 0, upTo: Seq): AsyncGenerator<RecordPage> {
  if (store.recordPages) return yield* store.recordPages(afterSeq, upTo)
  yield* pagesOfValues(store, afterSeq, upTo)
}

/** The same from the engine's values. */
export async function* pagesOfValues(
  store: Pick<Store, 'values'>,
  afterSeq: Seq | 0,
  upTo: Seq,
): AsyncGenerator<RecordPage> {
  let last = afterSeq
  for await (const values of store.values(recordSpan(afterSeq, upTo))) {
    yield toPage(last, values)
    last += values.length
  }
}

const toPage = (afterSeq: Seq | 0, values: readonly Buffer[]): RecordPage => {
  const bytes = new Uint8Array(values.reduce((sum, { length }) => sum + length, 0))
  const recordEnds = new Uint32Array(values.length)
  let position = 0
  for (const [n, value] of values.entries()) {
    bytes.set(value, position)
    position += value.length
    recordEnds[n] = position
  }
  return { after: afterSeq, bytes, ends: recordEnds }
}

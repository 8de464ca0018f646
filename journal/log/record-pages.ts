/** Records side by side: how they go from one thread to another, and how many are read at once. */
import type { Seq } from '../facts/fact-values.ts'
import { recordSpan } from './keys.ts'
import type { RecordPage, Store } from './store.ts'

/** Records with `after < seq <= upTo`, as far as there are any. Unreadable, Unavailable. */
export async function* recordPages(store: Store, after: Seq | 0, upTo: Seq): AsyncGenerator<RecordPage> {
  if (store.recordPages) return yield* store.recordPages(after, upTo)
  yield* pagesOfValues(store, after, upTo)
}

/** The same as the engine gives its values. */
export async function* pagesOfValues(
  store: Pick<Store, 'values'>,
  after: Seq | 0,
  upTo: Seq,
): AsyncGenerator<RecordPage> {
  let last = after
  for await (const values of store.values(recordSpan(after, upTo))) {
    yield pageOf(last, values)
    last += values.length
  }
}

const pageOf = (after: Seq | 0, values: readonly Buffer[]): RecordPage => {
  const bytes = new Uint8Array(values.reduce((sum, { length }) => sum + length, 0))
  const ends = new Uint32Array(values.length)
  let at = 0
  for (const [n, value] of values.entries()) {
    bytes.set(value, at)
    at += value.length
    ends[n] = at
  }
  return { after, bytes, ends }
}

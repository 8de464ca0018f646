/** Pages of consecutive records: the unit of reading and of transfer to a thread. */
import type { Seq } from '../facts/fact-values.ts'
import { recordSpan } from './keys.ts'
import type { RecordPage, Store } from './store.ts'

/** Yields the existing records with `after < seq <= upTo`. Throws Unreadable or Unavailable. */
export async function* recordPages(store: Store, after: Seq | 0, upTo: Seq): AsyncGenerator<RecordPage> {
  if (store.recordPages) return yield* store.recordPages(after, upTo)
  yield* pagesOfValues(store, after, upTo)
}

/** The same from the engine's values. */
export async function* pagesOfValues(
  store: Pick<Store, 'values'>,
  after: Seq | 0,
  upTo: Seq,
): AsyncGenerator<RecordPage> {
  let last = after
  for await (const values of store.values(recordSpan(after, upTo))) {
    yield toPage(last, values)
    last += values.length
  }
}

const toPage = (after: Seq | 0, values: readonly Buffer[]): RecordPage => {
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

/** A journal's records by pages: those of a long stretch out of its tables, in a thread beside the handle. */
import type { Seq } from '../facts/fact-values.ts'
import { pagesOfValues } from '../log/record-pages.ts'
import type { RecordPage, Store } from '../log/store.ts'
import { openThread } from '../log/thread.ts'
import type { Reading } from './table-thread.ts'

/** Below so many a thread costs more than it spares. */
const many = 20_000

/**
 * Records with `after < seq <= upTo`; where the thread cannot go on, the handle does, which tells what is
 * wrong. Unreadable, Unavailable.
 */
export async function* tablePages(
  folder: string,
  store: Pick<Store, 'values'>,
  after: Seq | 0,
  upTo: Seq,
  apartFrom = many,
): AsyncGenerator<RecordPage> {
  let last = after
  if (upTo - after >= apartFrom)
    for await (const page of readApart({ folder, after, upTo })) {
      last = page.after + page.ends.length
      yield page
    }
  yield* pagesOfValues(store, last, upTo)
}

/** Where a build has put `table-thread.ts`, seen from here; told by the build. */
declare const TABLE_THREAD: string | undefined
const file = new URL(typeof TABLE_THREAD === 'string' ? TABLE_THREAD : './table-thread.ts', import.meta.url)

/** Pages that are read ahead. */
const ahead = 8

/** As far as it gets. */
async function* readApart(reading: Reading): AsyncGenerator<RecordPage> {
  const thread = openThread<null, RecordPage | null>(file, reading)
  try {
    for (let n = 0; n < ahead; n++) thread.ask(null)
    for (let page = await thread.next(); page; page = await thread.next()) {
      thread.ask(null)
      yield page
    }
  } finally {
    await thread.end()
  }
}

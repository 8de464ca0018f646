/** Pages of a journal's records. A long range is read from the tables in a worker thread. */

import { extname } from 'node:path'
import type { Seq } from '../log/head.ts'
import { pagesOfValues } from '../log/record-pages.ts'
import type { RecordPage, Store } from '../log/store.ts'
import type { Reading } from './table-thread.ts'

/** For fewer records, the thread costs more than it saves. */
const minRecordsForThread = 20_000

/**
 * Yields records with `after < seq <= upTo`. If the thread stops early, the open store reads the rest and
 * reports any error. Throws Unreadable or Unavailable.
 */
export async function* tablePages(
  folder: string,
  store: Pick<Store, 'values'>,
  afterSeq: Seq | 0,
  upTo: Seq,
  apartFrom = minRecordsForThread,
): AsyncGenerator<RecordPage> {
  let last = afterSeq
  if (upTo - afterSeq >= apartFrom)
    for await (const page of readInThread({ folder, after: afterSeq, upTo })) {
      last = page.after + page.ends.length
      yield page
    }
  yield* pagesOfValues(store, last, upTo)
}

/** Set by the build: relative path of `table-thread.ts` in the bundle. */
declare const TABLE_THREAD: string | undefined
const file = new URL(
  typeof TABLE_THREAD === 'string' ? TABLE_THREAD : `./table-thread${extname(import.meta.url)}`,
  import.meta.url,
)

/** Number of pages that are prefetched. */
const readAhead = 8

/** Yields pages from the thread until it cannot continue. */
async function* readInThread(reading: Reading): AsyncGenerator<RecordPage> {
  const { openThread } = await import('../log/thread.ts')
  const thread = openThread<null, RecordPage | null>(file, reading)
  try {
    for (let n = 0; n < readAhead; n++) thread.ask(null)
    for (let page = await thread.next(); page; page = await thread.next()) {
      thread.ask(null)
      yield page
    }
  } finally {
    await thread.end()
  }
}

/**
 * Verifies a journal from its first record. Long journals are hashed in a worker thread, so the main thread
 * stays responsive.
 */

import { extname } from 'node:path'
import { type Found, inspect, recordAt } from './chain.ts'
import type { PageVerdict } from './chain-thread.ts'
import { createErasures } from './erasures.ts'
import { Damaged } from './errors.ts'
import { emptyHead, type Head } from './head.ts'
import { decodeRecord, mayNameFile } from './record.ts'
import { recordPages } from './record-pages.ts'
import { type RecordPage, type Store, Unreadable } from './store.ts'
import type { StoredRecord } from './stored-record.ts'
import type { FactTable, Vocabulary } from './vocabulary.ts'

export interface Verifying {
  /** Undefined if the journal is damaged: verification then stops at the first unreadable record. */
  readonly to: Head | undefined
  readonly witness: Head
  /** Called in order with the valid records that may name a file. */
  readonly onRecord: (record: StoredRecord) => void
}

/** Below this number of records a thread costs more than it saves. */
const minRecordsForThread = 20_000

/** Returns the reason for damage from `inspect`, which reports every kind. Throws Unavailable. */
export const verifyRecords = async (
  vocabulary: Vocabulary,
  store: Store,
  options: Verifying,
  apartFrom = minRecordsForThread,
): Promise<Found> => {
  const { to, witness } = options
  let reportedSeq = 0
  const onRecord = (record: StoredRecord): void => {
    if (record.seq <= reportedSeq || !mayNameFile(vocabulary, record)) return
    options.onRecord(record)
    reportedSeq = record.seq
  }
  if (to && to.seq >= apartFrom && (await verifyInThread(vocabulary, store, { to, witness, onRecord })))
    return { head: to }
  return inspect(vocabulary, store, emptyHead, witness, to, onRecord)
}

/** Max pages in flight, so a slow thread is not flooded. */
const maxPages = 8

/** Path of the built `chain-thread.ts` relative to this file, defined by the build. */
declare const CHAIN_THREAD: string | undefined
const file = new URL(
  typeof CHAIN_THREAD === 'string' ? CHAIN_THREAD : `./chain-thread${extname(import.meta.url)}`,
  import.meta.url,
)

const toFactTable = ({ versions, fileTypes, fileHint }: Vocabulary): FactTable => ({
  versions,
  fileTypes,
  fileHint,
})

/** Returns false also if the thread fails. */
const verifyInThread = async (
  vocabulary: Vocabulary,
  store: Store,
  { to, witness, onRecord }: Verifying & { readonly to: Head },
): Promise<boolean> => {
  const { openThread } = await import('./thread.ts')
  const thread = openThread<RecordPage, PageVerdict>(file, toFactTable(vocabulary))
  const erasures = createErasures(vocabulary)
  let head: Head | undefined = emptyHead
  const hear = async (limit: number): Promise<void> => {
    while (head && thread.onTheirWay() > limit) {
      const verdict = await thread.next()
      for (const { seq, value } of verdict?.records ?? []) {
        const record = decodeRecord(seq, value)
        erasures.take(record)
        onRecord(record)
      }
      head = verdict?.sound ? verdict.head : undefined
    }
  }
  try {
    if (witness.seq > 0 && (await recordAt(store, witness.seq))?.hash !== witness.hash) return false
    for await (const page of recordPages(store, 0, to.seq)) {
      thread.ask(page, [page.bytes.buffer, page.ends.buffer])
      await hear(maxPages)
      if (!head) return false
    }
    await hear(0)
    return head?.seq === to.seq && head.hash === to.hash && erasures.unnamed().length === 0
  } catch (error) {
    if (error instanceof Unreadable || error instanceof Damaged) return false
    throw error
  } finally {
    await thread.end()
  }
}

/** Worker thread that verifies pages of raw records. */

import { parentPort, workerData } from 'node:worker_threads'
import { emptyHead, type Head, type Seq } from './head.ts'
import { decodeRecord, isErased, keepsItsWord, mayNameFile } from './record.ts'
import type { RecordPage } from './store.ts'
import { previousHash, type StoredRecord } from './stored-record.ts'
import { type FactTable, isKnown } from './vocabulary.ts'

/** `telling`: records that the main thread has to examine. */
export interface PageVerdict {
  readonly sound: boolean
  /** The last verified record. */
  readonly head: Head
  readonly records: readonly { readonly seq: Seq; readonly value: Uint8Array }[]
}

const facts: FactTable = workerData
let head = emptyHead

const look = ({ bytes, ends }: RecordPage): PageVerdict => {
  const records: { seq: Seq; value: Uint8Array }[] = []
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let from = 0
  for (const end of ends) {
    const value = page.subarray(from, end)
    const record = decodeRecord(head.seq + 1, value)
    if (
      previousHash(record) !== head.hash ||
      !keepsItsWord(record) ||
      !isKnown(facts, record.type, record.version)
    )
      return { sound: false, head, records }
    // A view would clone the whole page.
    if (isTelling(record)) records.push({ seq: record.seq, value: new Uint8Array(value) })
    head = { seq: record.seq, hash: record.hash }
    from = end
  }
  return { sound: true, head, records }
}

const isTelling = (record: StoredRecord): boolean =>
  isErased(record) || record.type === 'FactsErased' || mayNameFile(facts, record)

// An unreadable record ends the thread, which reports the failure.
parentPort?.on('message', (page: RecordPage) => parentPort?.postMessage(look(page)))

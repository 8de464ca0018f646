/** A thread that is handed a journal's records as they lie, page by page, and tells whether they hold. */
import { parentPort } from 'node:worker_threads'
import type { Seq } from '../facts/fact-values.ts'
import { isKnown } from '../facts/facts.ts'
import { type Head, nowhere } from './journal.ts'
import { decodeRecord, isErased, keepsItsWord, mayNameMedia } from './record.ts'
import type { RecordPage } from './store.ts'
import { prevOf, type StoredRecord } from './stored-record.ts'

/** `telling`: records that say something of more than themselves. */
export interface PageVerdict {
  readonly sound: boolean
  /** The last record that was looked at. */
  readonly head: Head
  readonly telling: readonly { readonly seq: Seq; readonly value: Uint8Array }[]
}

let head = nowhere

const look = ({ bytes, ends }: RecordPage): PageVerdict => {
  const telling: { seq: Seq; value: Uint8Array }[] = []
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let from = 0
  for (const end of ends) {
    const value = page.subarray(from, end)
    const record = decodeRecord(head.seq + 1, value)
    if (prevOf(record) !== head.hash || !keepsItsWord(record) || !isKnown(record.type, record.version))
      return { sound: false, head, telling }
    // A view would take the whole page along.
    if (isTelling(record)) telling.push({ seq: record.seq, value: new Uint8Array(value) })
    head = { seq: record.seq, hash: record.hash }
    from = end
  }
  return { sound: true, head, telling }
}

const isTelling = (record: StoredRecord): boolean =>
  isErased(record) || record.type === 'FactsErased' || mayNameMedia(record)

// What cannot be read at all ends the thread, which tells as much.
parentPort?.on('message', (page: RecordPage) => parentPort?.postMessage(look(page)))

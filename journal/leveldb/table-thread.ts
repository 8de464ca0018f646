/**
 * Worker thread that reads a journal's tables. Each message requests a page; the answer is null after the
 * last one.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { Seq } from '../log/head.ts'
import type { RecordPage } from '../log/store.ts'
import { recordsInTables } from './table-records.ts'

export interface Reading {
  readonly folder: string
  readonly after: Seq | 0
  readonly upTo: Seq
}

/** Bytes per page: a few hundred records. */
const ofPage = 64 * 1024

function* pages({ folder, after, upTo }: Reading): Generator<RecordPage> {
  let page: Buffer = room(ofPage)
  let recordEnds: number[] = []
  let last: Seq | 0 = after
  const takeFullPage = (): RecordPage => {
    const fullPage = {
      after: last,
      bytes: asArray(page, recordEnds.at(-1) ?? 0),
      ends: Uint32Array.from(recordEnds),
    }
    last += recordEnds.length
    return fullPage
  }
  for (const { block, from, to } of recordsInTables(folder, after, upTo)) {
    const position = recordEnds.at(-1) ?? 0
    if (position + to - from > page.length) {
      if (recordEnds.length > 0) yield takeFullPage()
      page = room(Math.max(ofPage, to - from))
      recordEnds = []
    }
    const beginOffset = recordEnds.at(-1) ?? 0
    block.copy(page, beginOffset, from, to)
    recordEnds.push(beginOffset + to - from)
  }
  if (recordEnds.length > 0) yield takeFullPage()
}

/** Not from Node's buffer pool, because the whole ArrayBuffer is transferred. */
const room = (size: number): Buffer => Buffer.from(new ArrayBuffer(size))
const asArray = ({ buffer }: Buffer, length: number) => new Uint8Array(buffer as ArrayBuffer, 0, length)

const iterator = pages(workerData as Reading)

// A read error ends the thread, and the caller is notified of that.
parentPort?.on('message', () => {
  const { value: page } = iterator.next()
  parentPort?.postMessage(page ?? null, page ? [page.bytes.buffer, page.ends.buffer] : [])
})

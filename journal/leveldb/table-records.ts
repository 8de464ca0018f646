/**
 * Reads records from LevelDB's files while the store is open: tables never change, and newer data is in a
 * log. This avoids a buffer per record, which is most of the cost of reading through LevelDB.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findEnd } from '../leveldb-reader/log-file.ts'
import type { Seq } from '../log/head.ts'
import { isRecord, recordKey, seqInKey } from '../log/keys.ts'
import { keysOfLog } from './gather.ts'
import { createManifest, type Manifest, type TableSpan } from './manifest-file.ts'
import { createCursor, type RecordCursor } from './table-cursor.ts'

/** Records per lookup of tables, so that not all blocks are held in memory. */
const atOnce = 16_384

/** A compaction may end between two attempts, but rarely this often in a row. */
const maxAttempts = 20

/**
 * Yields records with `after < seq <= upTo` in order, and stops where a table lacks a record or a log has
 * newer data; the open store has the rest. Each cursor is valid until the next is requested. Throws
 * RangeError if a table is damaged.
 */
export function* recordsInTables(folder: string, afterSeq: Seq | 0, upTo: Seq): Generator<RecordCursor> {
  let last = afterSeq
  while (last < upTo) {
    const end = Math.min(upTo, last + atOnce)
    const cursors = look(folder, last, end)
    for (const record of cursors ? merge(cursors, last) : []) {
      last = record.seq
      yield record
    }
    if (last < end) return
  }
}

/**
 * Returns a cursor for each table that may hold some of the records; undefined if the files keep changing.
 */
const look = (folder: string, afterSeq: Seq | 0, upTo: Seq): readonly RecordCursor[] | undefined => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const manifestBefore = manifestIn(folder)
    if (findEnd(manifestBefore) !== 'whole') continue
    const cursors = unlessMissing(() => {
      const manifest = createManifest(manifestBefore)
      const end = Math.min(upTo, firstInLogs(folder, manifest) - 1)
      return [...manifest.tables]
        .filter(([, table]) => mayHold(table, afterSeq, end))
        .map(([number]) => openTable(folder, number, afterSeq, end))
    })
    // If the manifest is unchanged, no data has moved from a log or a table into another table.
    if (cursors && manifestIn(folder).equals(manifestBefore)) return cursors
  }
  return undefined
}

const manifestIn = (folder: string): Buffer =>
  readFileSync(join(folder, readFileSync(join(folder, 'CURRENT'), 'latin1').trim()))

/** Returns undefined if a file was deleted meanwhile. */
const unlessMissing = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Returns the lowest position in any log: from there on, a table may hold outdated records. Returns 0 if a
 * log cannot be read.
 */
const firstInLogs = (folder: string, { log }: Manifest): number => {
  let first = Number.POSITIVE_INFINITY
  for (const name of readdirSync(folder)) {
    if (!/^\d+\.log$/.test(name) || Number.parseInt(name, 10) < log) continue
    const keys = keysOfLog(readFileSync(join(folder, name)))
    if (!keys) return 0
    for (const key of keys) if (isRecord(key)) first = Math.min(first, seqInKey(key))
  }
  return first
}

const mayHold = ({ first, last }: TableSpan, afterSeq: Seq | 0, upTo: number): boolean =>
  upTo > afterSeq && first.compare(recordKey(upTo)) <= 0 && last.compare(recordKey(afterSeq + 1)) >= 0

const openTable = (folder: string, number: number, afterSeq: Seq | 0, upTo: Seq): RecordCursor => {
  const path = join(folder, String(number).padStart(6, '0'))
  // Older versions of LevelDB used the extension `sst`.
  return (
    unlessMissing(() => createCursor(`${path}.ldb`, afterSeq, upTo)) ??
    createCursor(`${path}.sst`, afterSeq, upTo)
  )
}

/**
 * Merges the cursors in order and yields the newest version of each position. Stops at the first position
 * that is missing or deleted.
 */
function* merge(cursors: readonly RecordCursor[], afterSeq: Seq | 0): Generator<RecordCursor> {
  for (let next = afterSeq + 1; ; next++) {
    let newestCursor: RecordCursor | undefined
    for (const cursor of cursors)
      if (cursor.seq === next && !(newestCursor && newestCursor.number > cursor.number)) newestCursor = cursor
    if (!newestCursor || newestCursor.isDeleted) return
    yield newestCursor
    for (const cursor of cursors) while (cursor.seq === next) cursor.step()
  }
}

/**
 * Records of a journal read from the files of its LevelDB, beside whoever has it open: tables never change,
 * and what is newer than all of them stands in a log. No buffer is made of each record, which is most of what
 * LevelDB's handle takes for one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endOf } from '../../packages/leveldb-reader/log-file.ts'
import type { Seq } from '../facts/fact-values.ts'
import { isRecord, recordKey, seqOf } from '../log/keys.ts'
import { keysOfLog } from './gather.ts'
import { type Manifest, manifestOf, type TableSpan } from './manifest-file.ts'
import { createCursor, type RecordCursor } from './table-cursor.ts'

/** Records whose tables are looked up at once: nothing is held of a file while others are read. */
const atOnce = 16_384

/** A compaction may end between two looks, but hardly so often one after the other. */
const mostLooks = 20

/**
 * Records with `after < seq <= upTo` in their order, each good until the next is asked for, as far as tables
 * hold all of them and nothing newer stands in a log: the handle tells the rest. RangeError where a table is
 * damaged.
 */
export function* recordsInTables(folder: string, after: Seq | 0, upTo: Seq): Generator<RecordCursor> {
  let last = after
  while (last < upTo) {
    const end = Math.min(upTo, last + atOnce)
    const cursors = look(folder, last, end)
    for (const record of cursors ? merged(cursors, last) : []) {
      last = record.seq
      yield record
    }
    if (last < end) return
  }
}

/** Where each table that may hold some of them begins to. Undefined where the files do not come to rest. */
const look = (folder: string, after: Seq | 0, upTo: Seq): readonly RecordCursor[] | undefined => {
  for (let looks = 0; looks < mostLooks; looks++) {
    const before = manifestIn(folder)
    if (endOf(before) !== 'whole') continue
    const cursors = present(() => {
      const manifest = manifestOf(before)
      const end = Math.min(upTo, firstInLogs(folder, manifest) - 1)
      return [...manifest.tables]
        .filter(([, table]) => mayHold(table, after, end))
        .map(([number]) => openTable(folder, number, after, end))
    })
    // What was in a log has not left for another table, and no table for another.
    if (cursors && manifestIn(folder).equals(before)) return cursors
  }
  return undefined
}

const manifestIn = (folder: string): Buffer =>
  readFileSync(join(folder, readFileSync(join(folder, 'CURRENT'), 'latin1').trim()))

/** Undefined where a file is gone meanwhile. */
const present = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The lowest position that a log says anything of: from there on a table may hold what counts no more. None
 * does where a log cannot be read.
 */
const firstInLogs = (folder: string, { log }: Manifest): number => {
  let first = Number.POSITIVE_INFINITY
  for (const name of readdirSync(folder)) {
    if (!/^\d+\.log$/.test(name) || Number.parseInt(name, 10) < log) continue
    const keys = keysOfLog(readFileSync(join(folder, name)))
    if (!keys) return 0
    for (const key of keys) if (isRecord(key)) first = Math.min(first, seqOf(key))
  }
  return first
}

const mayHold = ({ first, last }: TableSpan, after: Seq | 0, upTo: number): boolean =>
  upTo > after && first.compare(recordKey(upTo)) <= 0 && last.compare(recordKey(after + 1)) >= 0

const openTable = (folder: string, number: number, after: Seq | 0, upTo: Seq): RecordCursor => {
  const path = join(folder, String(number).padStart(6, '0'))
  // LevelDB called them `sst` before.
  return present(() => createCursor(`${path}.ldb`, after, upTo)) ?? createCursor(`${path}.sst`, after, upTo)
}

/** One after the other, the newest of each position; up to the first that none has, or that was deleted. */
function* merged(cursors: readonly RecordCursor[], after: Seq | 0): Generator<RecordCursor> {
  for (let next = after + 1; ; next++) {
    let newest: RecordCursor | undefined
    for (const cursor of cursors)
      if (cursor.seq === next && !(newest && newest.number > cursor.number)) newest = cursor
    if (!newest || newest.isDeleted) return
    yield newest
    for (const cursor of cursors) while (cursor.seq === next) cursor.step()
  }
}

/**
 * LevelDB's log format, in which its logs and its manifest are written (doc/log_format.md), and the batches
 * in a log (db/write_batch.cc).
 */

import { checksumOf } from './checksum.ts'
import type { Op } from './entries.ts'
import { varintsIn } from './varints.ts'

const blockSize = 32 * 1024
const headerSize = 7
const nothing = Buffer.alloc(0)

/**
 * A piece of a record: kind 1 is a whole one, 2 to 4 are its first, a middle and its last piece; 0 is a run
 * of zeros, which ends a record that was begun.
 */
export interface Fragment {
  readonly kind: number
  readonly data: Buffer
  /** Whether it fits its checksum. */
  readonly whole: boolean
}

/** The pieces in order: masked checksum (4), length (2), kind (1), data. None crosses the end of a block. */
export function* fragments(log: Buffer): Generator<Fragment> {
  for (let at = 0; at + headerSize <= log.length; ) {
    const left = blockSize - (at % blockSize)
    const empty = left < headerSize || log.readUIntBE(at + 4, 3) === 0
    const end = empty ? at : at + headerSize + log.readUInt16LE(at + 4)
    const fits = end <= Math.min(at + left, log.length)
    if (empty && left >= headerSize) yield { kind: 0, data: nothing, whole: true }
    if (!empty) {
      const data = log.subarray(at + headerSize, end)
      const whole = fits && checksumOf(log.subarray(at + 6, end)) === log.readUInt32LE(at)
      yield { kind: log.readUInt8(at + 6), data, whole }
    }
    // Where its length cannot be right, the next block is the next place to look.
    at = empty || !fits ? at + left : end
  }
}

export interface LogContents {
  /**
   * `torn`: a bad end, as a crash leaves it, and no damage by itself. `broken`: something in the middle is
   * not what was written.
   */
  readonly end: 'whole' | 'torn' | 'broken'
  /** The records that LevelDB finds in it too. They share the memory of the log. */
  readonly records: readonly Buffer[]
}

export const readLog = (log: Buffer): LogContents => {
  const records: Buffer[] = []
  let end: LogContents['end'] = 'whole'
  let parts: Buffer[] = []
  let isOpen = false
  for (const { kind, data, whole } of fragments(log)) {
    if (!whole && end === 'whole') end = 'torn'
    else if (whole && kind !== 0 && end === 'torn') end = 'broken'
    if (kind === 1 || kind === 2) [parts, isOpen] = [[], true]
    isOpen &&= whole && kind !== 0
    parts.push(data)
    if (isOpen && (kind === 1 || kind === 4)) records.push(parts.length === 1 ? data : Buffer.concat(parts))
    // A last piece without its first is no record.
    isOpen &&= kind === 2 || kind === 3
  }
  return { end, records }
}

export const endOf = (log: Buffer): LogContents['end'] => readLog(log).end

/** Bytes before the operations of a batch: its sequence number (8) and their count (4). */
const batchHeader = 12

/** The batches among the records of a log. LevelDB skips a record that is too short for one. */
export const batchesIn = ({ records }: LogContents): readonly Buffer[] =>
  records.filter((record) => record.length >= batchHeader)

/** The sequence number of the last operation of a batch: LevelDB numbers all of a store's operations. */
export const lastSequenceOf = (batch: Buffer): number =>
  Number(batch.readBigUInt64LE(0)) + batch.readUInt32LE(8) - 1

/** The operations of a batch, in order. Each is its kind (1 a put, 0 a deletion), its key and its value. */
export function* opsOf(batch: Buffer): Generator<Op> {
  const fields = varintsIn(batch, batchHeader)
  while (fields.at() < batch.length) {
    const kind = fields.number()
    const key = fields.bytes(fields.number())
    if (kind === 1) yield { type: 'put', key, value: fields.bytes(fields.number()) }
    else yield { type: 'del', key }
  }
}

/**
 * Reads LevelDB's log format, which logs and manifests use (doc/log_format.md), and the batches in a log
 * (db/write_batch.cc).
 */

import { getChecksum } from './checksum.ts'
import type { Op } from './entries.ts'
import { varintsIn } from './varints.ts'

const blockSize = 32 * 1024
const headerSize = 7
const noData = Buffer.alloc(0)

/**
 * A fragment of a record. Kind 1 is a whole record, 2 to 4 are the first, a middle and the last fragment.
 * Kind 0 is a run of zeros, which ends an unfinished record.
 */
export interface Fragment {
  readonly kind: number
  readonly data: Buffer
  /** Whether the checksum matches. */
  readonly whole: boolean
}

/**
 * Yields the fragments in order: masked checksum (4 bytes), length (2), kind (1), data. None crosses the end
 * of a block.
 */
export function* fragments(log: Buffer): Generator<Fragment> {
  for (let position = 0; position + headerSize <= log.length; ) {
    const blockRest = blockSize - (position % blockSize)
    const empty = blockRest < headerSize || log.readUIntBE(position + 4, 3) === 0
    const end = empty ? position : position + headerSize + log.readUInt16LE(position + 4)
    const isFitting = end <= Math.min(position + blockRest, log.length)
    if (empty && blockRest >= headerSize) yield { kind: 0, data: noData, whole: true }
    if (!empty) {
      const data = log.subarray(position + headerSize, end)
      const isWhole = isFitting && getChecksum(log.subarray(position + 6, end)) === log.readUInt32LE(position)
      yield { kind: log.readUInt8(position + 6), data, whole: isWhole }
    }
    // After an impossible length, continue at the next block.
    position = empty || !isFitting ? position + blockRest : end
  }
}

export interface LogContents {
  /**
   * `torn`: a bad end, which a crash leaves and which alone is no damage. `broken`: bad data before good
   * data.
   */
  readonly end: 'whole' | 'torn' | 'broken'
  /** The records that LevelDB would read too. They share the memory of the log. */
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
    if (kind === 1 || kind === 2) {
      parts = []
      isOpen = true
    }
    isOpen &&= whole && kind !== 0
    parts.push(data)
    if (isOpen && (kind === 1 || kind === 4)) records.push(parts.length === 1 ? data : Buffer.concat(parts))
    // A last fragment without a first one is skipped.
    isOpen &&= kind === 2 || kind === 3
  }
  return { end, records }
}

export const findEnd = (log: Buffer): LogContents['end'] => readLog(log).end

/** Bytes before the operations of a batch: sequence number (8) and count (4). */
const batchHeader = 12

/** Returns the batches of a log. LevelDB skips records that are too short. */
export const batchesIn = ({ records }: LogContents): readonly Buffer[] =>
  records.filter((record) => record.length >= batchHeader)

/** Returns the sequence number of a batch's last operation. LevelDB numbers all operations of a store. */
export const getLastSequence = (batch: Buffer): number =>
  Number(batch.readBigUInt64LE(0)) + batch.readUInt32LE(8) - 1

/**
 * Yields the operations of a batch in order. Each consists of its kind (1 put, 0 deletion), key and value.
 */
export function* readOps(batch: Buffer): Generator<Op> {
  const fields = varintsIn(batch, batchHeader)
  while (fields.at() < batch.length) {
    const kind = fields.number()
    const key = fields.bytes(fields.number())
    if (kind === 1) yield { type: 'put', key, value: fields.bytes(fields.number()) }
    else yield { type: 'del', key }
  }
}

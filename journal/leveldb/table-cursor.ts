/**
 * Iterates over the records of one table in order. The last eight bytes of each key are LevelDB's own: the
 * type, a put (1) or a deletion (0), and a sequence number.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import {
  blockAt,
  blocksBetween,
  endOfPairs,
  footerSize,
  type Handle,
  locateIndex,
  trailerSize,
} from '../leveldb-reader/table-file.ts'
import type { Seq } from '../log/head.ts'
import { readSeq, recordKey } from '../log/keys.ts'

/** A mutable cursor: each step changes its fields. */
export interface RecordCursor {
  /** Infinity after the last record. */
  readonly seq: number
  /** LevelDB's sequence number. Of two records with the same key, the higher one is valid. */
  readonly number: number
  readonly isDeleted: boolean
  /** The block that contains the record's bytes. */
  readonly block: Buffer
  readonly from: number
  readonly to: number
  /** Throws RangeError if a block is damaged. */
  step(): void
}

const lengthOfKey = recordKey(1).length + 8

/** Blocks are rarely larger than this. */
const usualBlockSize = 16 * 1024

/**
 * Creates a cursor at the first record with `after < seq <= upTo`. Throws RangeError if a needed block is
 * damaged.
 */
export const createCursor = (path: string, afterSeq: Seq | 0, upTo: Seq): RecordCursor => {
  const { bytes, blocks } = readBlocks(path, recordKey(afterSeq + 1), recordKey(upTo))
  const room = Buffer.allocUnsafe(usualBlockSize)
  /** The previous key: keys are stored as the difference from it. No key of a journal is longer. */
  const key = Buffer.alloc(1024)
  let next = 0
  let position = 0
  let end = 0
  const emptyBuffer: Buffer = key
  const cursor = { seq: 0, number: 0, isDeleted: false, block: emptyBuffer, from: 0, to: 0, step: () => {} }

  const varint = (): number => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = cursor.block[position++]
      if (byte === undefined) throw new RangeError('a block ends early')
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  /** Reads the next pair. Returns the key's length; the value is between `from` and `to`. */
  const pair = (): number => {
    const sharedLength = varint()
    const unsharedLength = varint()
    const length = varint()
    if (sharedLength + unsharedLength > key.length) throw new RangeError('a key is too long')
    cursor.block.copy(key, sharedLength, position, position + unsharedLength)
    cursor.from = position + unsharedLength
    position = cursor.to = cursor.from + length
    return sharedLength + unsharedLength
  }
  const open = (): boolean => {
    const handle = blocks[next++]
    if (!handle) return false
    const block = blockAt(bytes, handle, room)
    if (!block) throw new RangeError('a block is damaged')
    cursor.block = block
    ;[position, end] = [0, endOfPairs(block)]
    return true
  }
  cursor.step = () => {
    for (;;) {
      while (position >= end)
        if (!open()) {
          cursor.seq = Number.POSITIVE_INFINITY
          return
        }
      const length = pair()
      if (length !== lengthOfKey || !isRecordKey(key)) continue
      cursor.seq = readSeq(key, 2)
      cursor.number = key.readUIntLE(lengthOfKey - 7, 6)
      cursor.isDeleted = key[lengthOfKey - 8] === 0
      if (cursor.seq > afterSeq && cursor.seq <= upTo) return
    }
  }
  cursor.step()
  return cursor
}

const [letter = 0, slash = 0] = recordKey(1)
/** Compares two bytes, to avoid creating a string for each key. */
const isRecordKey = (key: Buffer): boolean => key[0] === letter && key[1] === slash

interface Blocks {
  readonly bytes: Buffer
  /** Positions of the blocks in the table. */
  readonly blocks: readonly Handle[]
}

/** Reads only the adjacent blocks of a table that may hold keys from `first` to `last`. */
const readBlocks = (path: string, first: Buffer, last: Buffer): Blocks => {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const read = (from: number, to: number): Buffer => {
      if (from < 0 || to < from || to > size) throw new RangeError('it ends early')
      const bytes = Buffer.allocUnsafe(to - from)
      if (readSync(file, bytes, 0, bytes.length, from) < bytes.length) throw new RangeError('it ends early')
      return bytes
    }
    const [indexOffset, length] = locateIndex(read(size - footerSize, size))
    const index = blockAt(read(indexOffset, indexOffset + length + trailerSize), [0, length])
    if (!index) throw new RangeError('its index is damaged')
    const handles = blocksBetween(index, first, last)
    const beginOffset = handles[0]?.[0] ?? 0
    const [offset, extent] = handles.at(-1) ?? [0, 0]
    const bytes = handles.length > 0 ? read(beginOffset, offset + extent + trailerSize) : Buffer.alloc(0)
    return { bytes, blocks: handles.map(([from, length]): Handle => [from - beginOffset, length]) }
  } finally {
    closeSync(file)
  }
}

/**
 * The records of one table in their order. Behind each key stand eight bytes of LevelDB's own: whether it is
 * a pair (1) or a deletion (0), and a running number.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import {
  blockAt,
  blocksBetween,
  endOfPairs,
  footerSize,
  type Handle,
  indexOf,
  trailerSize,
} from '../../packages/leveldb-reader/table-file.ts'
import type { Seq } from '../facts/fact-values.ts'
import { readSeq, recordKey } from '../log/keys.ts'

/** Changes with each step. */
export interface RecordCursor {
  /** Behind the last of them it is infinite. */
  readonly seq: number
  /** LevelDB's running number: of two under one key the higher one counts. */
  readonly number: number
  readonly isDeleted: boolean
  /** Where its bytes lie. */
  readonly block: Buffer
  readonly from: number
  readonly to: number
  /** RangeError where a block is damaged. */
  step(): void
}

const lengthOfKey = recordKey(1).length + 8

/** Blocks of pairs are hardly ever larger. */
const usual = 16 * 1024

/** At the first of the records with `after < seq <= upTo`. RangeError where a block of them is damaged. */
export const createCursor = (path: string, after: Seq | 0, upTo: Seq): RecordCursor => {
  const { bytes, blocks } = readBlocks(path, recordKey(after + 1), recordKey(upTo))
  const room = Buffer.allocUnsafe(usual)
  /** The key of the pair before, whose beginning may be that of the next; no key of ours is longer. */
  const key = Buffer.alloc(1024)
  let [next, at, end] = [0, 0, 0]
  const none: Buffer = key
  const cursor = { seq: 0, number: 0, isDeleted: false, block: none, from: 0, to: 0, step: () => {} }

  const varint = (): number => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = cursor.block[at++]
      if (byte === undefined) throw new RangeError('a block ends early')
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  /** Length of the next pair's key, whose value is left between `from` and `to`. */
  const pair = (): number => {
    const [shared, unshared, length] = [varint(), varint(), varint()]
    if (shared + unshared > key.length) throw new RangeError('a key is too long')
    cursor.block.copy(key, shared, at, at + unshared)
    cursor.from = at + unshared
    at = cursor.to = cursor.from + length
    return shared + unshared
  }
  const open = (): boolean => {
    const handle = blocks[next++]
    if (!handle) return false
    const block = blockAt(bytes, handle, room)
    if (!block) throw new RangeError('a block is damaged')
    cursor.block = block
    ;[at, end] = [0, endOfPairs(block)]
    return true
  }
  cursor.step = () => {
    for (;;) {
      while (at >= end)
        if (!open()) {
          cursor.seq = Number.POSITIVE_INFINITY
          return
        }
      const length = pair()
      if (length !== lengthOfKey || !isRecordKey(key)) continue
      cursor.seq = readSeq(key, 2)
      cursor.number = key.readUIntLE(lengthOfKey - 7, 6)
      cursor.isDeleted = key[lengthOfKey - 8] === 0
      if (cursor.seq > after && cursor.seq <= upTo) return
    }
  }
  cursor.step()
  return cursor
}

const [letter = 0, slash = 0] = recordKey(1)
/** Two bytes: no word is made of them for each. */
const isRecordKey = (key: Buffer): boolean => key[0] === letter && key[1] === slash

interface Blocks {
  readonly bytes: Buffer
  /** Where they lie in it. */
  readonly blocks: readonly Handle[]
}

/**
 * The blocks of a table that may hold keys from `first` to `last`: they lie side by side. No more is read.
 */
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
    const [at, length] = indexOf(read(size - footerSize, size))
    const index = blockAt(read(at, at + length + trailerSize), [0, length])
    if (!index) throw new RangeError('its index is damaged')
    const found = blocksBetween(index, first, last)
    const begin = found[0]?.[0] ?? 0
    const [offset, extent] = found.at(-1) ?? [0, 0]
    const bytes = found.length > 0 ? read(begin, offset + extent + trailerSize) : Buffer.alloc(0)
    return { bytes, blocks: found.map(([from, length]): Handle => [from - begin, length]) }
  } finally {
    closeSync(file)
  }
}

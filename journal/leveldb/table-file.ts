/**
 * LevelDB's tables (doc/table_format.md): a run of blocks, each followed by its kind (0 plain, 1 snappy) and
 * the masked CRC-32C of both; then 48 bytes that say where the last two lie. The last block is the index: it
 * says where the blocks of pairs lie. The one before it says where the others lie.
 */

import type { Item } from '../log/store.ts'
import { extend, masked, step } from './log-file.ts'
import { unpack } from './snappy.ts'

const trailer = 5
const footer = 48
const magic = Buffer.from('57fb808b247547db', 'hex')

type Handle = readonly [offset: number, size: number]

/**
 * Whether every byte that counts is what LevelDB wrote: the blocks that it names fill it, and each fits its
 * checksum.
 */
export const isWhole = (table: Buffer): boolean => {
  const last = handlesOf(table)
  const [others, indexed] = last?.map((handle) => pairsOf(table, handle)) ?? []
  if (!last || !others || !indexed) return false
  const blocks = [...indexed, ...others].map(([, value]) => handleIn(value))
  let end = 0
  for (const [offset, size] of [...blocks, ...last]) {
    if (offset !== end || !blockAt(table, [offset, size])) return false
    end += size + trailer
  }
  return end === table.length - footer
}

/**
 * The pairs of each block that fits its checksum. Where the index is broken, the blocks are found by their
 * checksums, as far as they go.
 */
export function* pairsOfBlocks(table: Buffer): Generator<readonly Item[]> {
  const [, index] = handlesOf(table) ?? []
  const indexed = index && pairsOf(table, index)
  for (const handle of indexed ? indexed.map(([, value]) => handleIn(value)) : blocksOf(table))
    yield pairsOf(table, handle) ?? []
}

const handlesOf = (table: Buffer): readonly [others: Handle, index: Handle] | undefined => {
  const end = table.length - footer
  if (end < 0 || !table.subarray(-8).equals(magic)) return undefined
  const { number } = numbersIn(table, end)
  return [
    [number(), number()],
    [number(), number()],
  ]
}

const handleIn = (value: Buffer): Handle => {
  const { number } = numbersIn(value, 0)
  return [number(), number()]
}

/** Undefined where it is not what was written, or is no block of pairs: only its checksum told of it. */
const pairsOf = (table: Buffer, handle: Handle): readonly Item[] | undefined => {
  const block = blockAt(table, handle)
  if (!block) return undefined
  try {
    return [...pairs(table[handle[0] + handle[1]] === 1 ? unpack(block) : block)]
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Keys share beginnings: how much of the one before, how much of its own, how long the value is; then places
 * to begin at, for whoever searches.
 */
function* pairs(block: Buffer): Generator<Item> {
  const end = block.length - 4 * (block.readUInt32LE(block.length - 4) + 1)
  let key = Buffer.alloc(0)
  for (let at = 0; at < end; ) {
    const head = numbersIn(block, at)
    const [shared, unshared, length] = [head.number(), head.number(), head.number()]
    key = Buffer.concat([key.subarray(0, shared), block.subarray(head.at, head.at + unshared)])
    at = head.at + unshared + length
    yield [key, block.subarray(at - length, at)]
  }
}

const blockAt = (table: Buffer, [offset, size]: Handle): Buffer | undefined => {
  const end = offset + size
  if (end + trailer > table.length) return undefined
  const whole = masked(~extend(0xffffffff, table.subarray(offset, end + 1))) === table.readUInt32LE(end + 1)
  return whole ? table.subarray(offset, end) : undefined
}

/** Blocks as their checksums tell them, one after the other, as far as they are whole. */
export function* blocksOf(table: Buffer): Generator<Handle> {
  for (let at = 0, size: number | undefined; at < table.length - footer; at += size + trailer) {
    size = sizeOfBlock(table, at)
    if (size === undefined) return
    yield [at, size]
  }
}

/** Length of the block that begins here, undefined where no checksum fits. */
const sizeOfBlock = (table: Buffer, from: number): number | undefined => {
  let crc = 0xffffffff
  for (let at = from; at <= table.length - footer - trailer; at++) {
    const byte = table[at] ?? 0
    const next = step(crc, byte)
    if (byte <= 1 && table.readUInt32LE(at + 1) === masked(~next)) return at - from
    crc = next
  }
  return undefined
}

/** Numbers of seven bits a byte, one after the other. RangeError behind the end. */
export const numbersIn = (bytes: Buffer, from: number) => {
  let at = from
  return {
    get at() {
      return at
    },
    number: (): number => {
      for (let value = 0, scale = 1; ; scale *= 128) {
        const byte = bytes.readUInt8(at++)
        value += (byte & 127) * scale
        if (byte < 128) return value
      }
    },
    /** So many bytes, as the number before them says. */
    bytes(): Buffer {
      const length = this.number()
      at += length
      return bytes.subarray(at - length, at)
    },
  }
}

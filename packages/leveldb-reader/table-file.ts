/**
 * LevelDB's tables (doc/table_format.md): a run of blocks, each followed by its kind (0 plain, 1 snappy) and
 * the masked CRC-32C of both; then 48 bytes that say where the last two lie. The last block is the index: it
 * says where the blocks of pairs lie. The one before it says where the others lie.
 */

import { checksumOf, createChecksum } from './checksum.ts'
import type { Item } from './entries.ts'
import { unpack } from './snappy.ts'
import { varintsIn } from './varints.ts'

const trailer = 5
const footer = 48
const magic = Buffer.from('57fb808b247547db', 'hex')

export type Handle = readonly [offset: number, size: number]

/**
 * Whether every byte that counts is what LevelDB wrote: the blocks that it names fill it, and each fits its
 * checksum.
 */
export const isWhole = (table: Buffer): boolean => {
  const last = handlesOf(table)
  const [others, indexed] = last?.map((handle) => handlesIn(table, handle)) ?? []
  if (!last || !others || !indexed) return false
  let end = 0
  for (const [offset, size] of [...indexed, ...others, ...last]) {
    if (offset !== end || !isSound(table, [offset, size])) return false
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
  for (const handle of (index && handlesIn(table, index)) ?? blocksOf(table))
    yield pairsOf(table, handle) ?? []
}

const handlesOf = (table: Buffer): readonly [others: Handle, index: Handle] | undefined => {
  const end = table.length - footer
  if (end < 0 || !table.subarray(-8).equals(magic)) return undefined
  const { number } = varintsIn(table, end)
  return [
    [number(), number()],
    [number(), number()],
  ]
}

/** Where the index of a table lies, as its last bytes say. RangeError where they are none. */
export const footerSize = footer
export const indexOf = (last: Buffer): Handle => {
  const [, index] = handlesOf(last) ?? []
  if (!index) throw new RangeError('it does not end as a table')
  return index
}

/**
 * The blocks that may hold keys from `first` to `last`, both within: the index names for each a key that none
 * of it lies behind.
 */
export const blocksBetween = (index: Buffer, first: Buffer, last: Buffer): readonly Handle[] => {
  const found: Handle[] = []
  for (const [key, handle] of pairs(index)) {
    const end = key.subarray(0, -8)
    const { number } = varintsIn(handle, 0)
    if (end.compare(first) >= 0) found.push([number(), number()])
    if (end.compare(last) > 0) break
  }
  return found
}

/** What stands behind each block. */
export const trailerSize = trailer

/**
 * Undefined where it is not what was written. RangeError where it cannot be unpacked. `room`: where that may
 * be put.
 */
export const blockAt = (table: Buffer, [offset, size]: Handle, room?: Buffer): Buffer | undefined => {
  if (!isSound(table, [offset, size])) return undefined
  const block = table.subarray(offset, offset + size)
  return table[offset + size] === 1 ? unpack(block, room) : block
}

/** The blocks that one names; undefined as `pairsOf` is. Whatever the keys are: ⏱ an eighth of the time. */
const handlesIn = (table: Buffer, handle: Handle): readonly Handle[] | undefined =>
  parsed(table, handle, (block) => {
    const { number, skip, at } = varintsIn(block, 0)
    const handles: Handle[] = []
    for (const end = endOfPairs(block); at() < end; ) {
      number()
      const unshared = number()
      number()
      skip(unshared)
      handles.push([number(), number()])
    }
    return handles
  })

/** Undefined where it is not what was written, or is no block of pairs: only its checksum told of it. */
const pairsOf = (table: Buffer, handle: Handle): readonly Item[] | undefined =>
  parsed(table, handle, (block) => [...pairs(block)])

const parsed = <T>(table: Buffer, handle: Handle, parse: (block: Buffer) => T): T | undefined => {
  try {
    const block = blockAt(table, handle)
    return block && parse(block)
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
  const end = endOfPairs(block)
  let key = Buffer.alloc(0)
  for (let at = 0; at < end; ) {
    const head = varintsIn(block, at)
    const [shared, unshared, length] = [head.number(), head.number(), head.number()]
    key = Buffer.concat([key.subarray(0, shared), head.bytes(unshared)])
    at = head.at() + length
    yield [key, block.subarray(at - length, at)]
  }
}

/** Behind the last pair are the places to begin at, and how many they are. */
export const endOfPairs = (block: Buffer): number =>
  block.length - 4 * (block.readUInt32LE(block.length - 4) + 1)

const isSound = (table: Buffer, [offset, size]: Handle): boolean => {
  const end = offset + size
  return (
    end + trailer <= table.length &&
    checksumOf(table.subarray(offset, end + 1)) === table.readUInt32LE(end + 1)
  )
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
  const further = createChecksum()
  for (let at = from; at <= table.length - footer - trailer; at++) {
    const byte = table[at] ?? 0
    const checksum = further(byte)
    if (byte <= 1 && table.readUInt32LE(at + 1) === checksum) return at - from
  }
  return undefined
}

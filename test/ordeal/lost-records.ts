/** Determines which records a LevelDB file contains, and the first record that a flipped bit destroys. */

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { readBlocks } from '../../journal/leveldb-reader/table-file.ts'
import { recordSpan } from '../../journal/log/keys.ts'
import { decodeRecord } from '../../journal/log/record.ts'
import type { Damage } from './damages.ts'

/**
 * Locates a record by its salt, which is unique and incompressible, and lists the files that contain it: a
 * table from before a compaction may remain.
 */
interface Place {
  readonly seq: number
  readonly salt: Buffer
  readonly files: readonly string[]
}

/** Reads a journal in a folder that can be discarded afterwards. */
export const locateRecords = async (folder: string): Promise<readonly Place[]> => {
  const names = (await readdir(folder)).filter((name) => /\.(ldb|log)$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name))] as const),
  )
  const store = await openLevelStore(folder, 'existing')
  const places: Place[] = []
  for await (const page of store.values(recordSpan(0)))
    for (const value of page) {
      const seq = places.length + 1
      const salt = Buffer.from(decodeRecord(seq, value).salt)
      places.push({
        seq,
        salt,
        files: files.flatMap(([name, bytes]) => (bytes.includes(salt) ? [name] : [])),
      })
    }
  await store.close()
  return places
}

/**
 * Returns the first lost record: in a table the damaged block is lost, in a log the batch. Undefined if no
 * record is lost, or if the damage is not a flip.
 */
export const findFirstLost = (
  { file, kind, effect, at }: Damage,
  bytes: Buffer,
  places: readonly Place[],
): number | undefined => {
  if (effect !== 'flip' || (kind !== 'log' && kind !== 'table')) return undefined
  const hit = kind === 'table' ? blockAt(bytes, at) : batchAt(bytes, at)
  const isOnlyHere = ({ files }: Place) => files.every((name) => name === basename(file))
  return hit && places.find((place) => isOnlyHere(place) && hit.includes(place.salt))?.seq
}

/** Includes the trailer of the block: its kind and its checksum. */
const blockAt = (table: Buffer, place: number): Buffer | undefined => {
  for (const [offset, size] of readBlocks(table))
    if (offset <= place && place < offset + size + 5) return table.subarray(offset, offset + size)
  return undefined
}

const blockSize = 32 * 1024

/** Returns the complete batch that contains a byte of a log. Format: LevelDB, doc/log_format.md. */
const batchAt = (log: Buffer, place: number): Buffer | undefined => {
  let pieces: Buffer[] = []
  let hit = false
  for (let offset = 0; offset + 7 <= log.length; ) {
    const blockRest = blockSize - (offset % blockSize)
    if (blockRest < 7) {
      offset += blockRest
      continue
    }
    const end = offset + 7 + log.readUInt16LE(offset + 4)
    pieces.push(log.subarray(offset + 7, end))
    hit ||= offset <= place && place < end
    const kind = log.readUInt8(offset + 6)
    if (kind === 1 || kind === 4) {
      if (hit) return Buffer.concat(pieces)
      pieces = []
    }
    offset = end
  }
  return undefined
}

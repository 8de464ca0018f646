/**
 * LevelDB's table files, checked before it reads them. It was built with assertions and reads tables without their checksums:
 * one flipped bit can end the whole process, and with it every other persona (⏱ 1 in 12 flips of a table did).
 *
 * A table is a run of blocks, each followed by its kind (0 plain, 1 snappy) and the masked CRC-32C of both, then 48 bytes that say
 * where its last two blocks lie (LevelDB, doc/table_format.md). Where a block ends is found by its checksum, so nothing is unpacked.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Damaged } from './errors.ts'

const trailer = 5
const footer = 48
const magic = Buffer.from('57fb808b247547db', 'hex')

/** Tables never change once they are there, so each is looked at once in the life of the process. */
const whole = new Map<string, string>()

/** Damaged where a table is not what LevelDB wrote. ⏱ 300 MB/s, in steps of a file (2 MB at most, by LevelDB's own limit). */
export const checkTables = async (folder: string): Promise<void> => {
  for (const path of await tablesIn(folder)) {
    const { ino, size, mtimeMs } = await stat(path)
    const print = `${ino} ${size} ${mtimeMs}`
    if (whole.get(path) === print) continue
    if (!isWhole(await readFile(path))) throw new Damaged(1, 'a table of the store is damaged')
    whole.set(path, print)
    await setImmediate()
  }
}

/** Those that are not what LevelDB wrote. */
export const badTables = async (folder: string): Promise<readonly string[]> => {
  const bad: string[] = []
  for (const path of await tablesIn(folder)) if (!isWhole(await readFile(path))) bad.push(path)
  return bad
}

const tablesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => /\.(ldb|sst)$/.test(name)).map((name) => join(folder, name))

const isWhole = (file: Buffer): boolean => {
  const end = file.length - footer
  if (end < 0 || !file.subarray(-8).equals(magic)) return false
  const blocks: (readonly [offset: number, size: number])[] = []
  for (let at = 0; at < end; ) {
    const size = blockSize(file, at, end)
    if (size === undefined) return false
    blocks.push([at, size])
    at += size + trailer
  }
  // Only their checksums say where blocks lie; the footer must say the same.
  const handles = Buffer.concat(blocks.slice(-2).flat().map(varint))
  return blocks.length >= 2 && file.subarray(end, end + handles.length).equals(handles)
}

/** Length of the block that begins here, undefined where no checksum fits. */
const blockSize = (file: Buffer, from: number, end: number): number | undefined => {
  let crc = 0xffffffff
  for (let at = from; at <= end - trailer; at++) {
    const byte = file[at] ?? 0
    const next = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
    if (byte <= 1 && file.readUInt32LE(at + 1) === masked(~next)) return at - from
    crc = next
  }
  return undefined
}

const masked = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  return Buffer.from([...bytes, value])
}

/**
 * LevelDB's files, checked before it reads them. It was built with assertions and reads tables without their checksums:
 * one flipped bit can end the whole process, and with it every other persona (⏱ 7 of 1500 flipped bits did). And what it cannot read of
 * a log it leaves out without a word, and then deletes the log.
 *
 * A table is a run of blocks, each followed by its kind (0 plain, 1 snappy) and the masked CRC-32C of both, then 48 bytes that say
 * where its last two blocks lie (LevelDB, doc/table_format.md). Where a block ends is found by its checksum, so nothing is unpacked.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Damaged, Unavailable } from './errors.ts'
import { isBroken, masked, step } from './level-log.ts'
import { liveTables } from './level-manifest.ts'

const trailer = 5
const footer = 48
const magic = Buffer.from('57fb808b247547db', 'hex')

/** Tables never change once they are there, so each is looked at once in the life of the process. */
const whole = new Map<string, string>()

/** Damaged where a table is not what LevelDB wrote, Unavailable where it cannot be read. In steps of a file, 2 MB by LevelDB's own limit. */
export const checkFiles = async (folder: string): Promise<void> => {
  for (const path of await filesIn(folder, /\.log$/))
    if (isBroken(await readFile(path))) throw new Damaged(1, 'a log of the store is damaged')
  for (const path of await filesIn(folder, tables)) {
    const print = await printOf(path)
    if (print === undefined || whole.get(path) === print) continue
    if (isWhole(await readFile(path))) whole.set(path, print)
    else if (await isLive(path)) throw new Damaged(1, 'a table of the store is damaged')
    await setImmediate()
  }
}

/** Those that are not what LevelDB wrote. */
export const badTables = async (folder: string): Promise<readonly string[]> => {
  const bad: string[] = []
  for (const path of await filesIn(folder, tables)) if (!isWhole(await readFile(path))) bad.push(path)
  return bad
}

// What a compaction left behind that was cut off is none of LevelDB's own, and no damage.
const isLive = async (path: string): Promise<boolean> => {
  const live = await liveTables(dirname(path))
  return live === undefined || live.has(Number.parseInt(basename(path), 10))
}

const tables = /\.(ldb|sst)$/

const filesIn = async (folder: string, names: RegExp): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => names.test(name)).map((name) => join(folder, name))

/** Undefined where it is gone meanwhile: another process holds the store, as opening it will say. */
const printOf = async (path: string): Promise<string | undefined> => {
  try {
    const { ino, size, mtimeMs } = await stat(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return undefined
    throw new Unavailable('a table of the store cannot be read', { cause })
  }
}

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
    const next = step(crc, byte)
    if (byte <= 1 && file.readUInt32LE(at + 1) === masked(~next)) return at - from
    crc = next
  }
  return undefined
}

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  return Buffer.from([...bytes, value])
}

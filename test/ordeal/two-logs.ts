/**
 * Splits a journal's log in two, as LevelDB leaves them between starting a new log and writing the table of
 * the old one.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getChecksum } from '../../journal/leveldb-reader/checksum.ts'
import { readLog } from '../../journal/leveldb-reader/log-file.ts'

const blockSize = 32 * 1024
const headerSize = 7

/** Moves the second half of the batches to a log of its own. */
export const splitLog = async (folder: string): Promise<void> => {
  const names = await readdir(folder)
  const [log = ''] = names.filter((name) => name.endsWith('.log'))
  const batches = readLog(await readFile(join(folder, log))).records
  const next = Math.max(...names.map((name) => Number.parseInt(name.replace('MANIFEST-', ''), 10) || 0)) + 1
  const middle = batches.length >> 1
  await writeFile(join(folder, log), toLog(batches.slice(0, middle)))
  await writeFile(join(folder, `${String(next).padStart(6, '0')}.log`), toLog(batches.slice(middle)))
}

/** Format: LevelDB, doc/log_format.md. */
const toLog = (batches: readonly Buffer[]): Buffer => {
  let log = Buffer.alloc(0)
  for (const batch of batches)
    for (const piece of toPieces(batch, log.length)) log = Buffer.concat([log, piece])
  return log
}

function* toPieces(batch: Buffer, begin: number): Generator<Buffer> {
  let offset = begin
  for (let first = 0; first < batch.length; ) {
    const blockRest = blockSize - (offset % blockSize)
    if (blockRest < headerSize) yield Buffer.alloc(blockRest)
    offset += blockRest < headerSize ? blockRest : 0
    const data = batch.subarray(first, first + blockSize - (offset % blockSize) - headerSize)
    const isFirst = first === 0
    const isLast = first + data.length === batch.length
    yield piece(isFirst && isLast ? 1 : isFirst ? 2 : isLast ? 4 : 3, data)
    first += data.length
    offset += headerSize + data.length
  }
}

const piece = (kind: number, data: Buffer): Buffer => {
  const typedData = Buffer.concat([Buffer.of(kind), data])
  const head = Buffer.alloc(6)
  head.writeUInt32LE(getChecksum(typedData))
  head.writeUInt16LE(data.length, 4)
  return Buffer.concat([head, typedData])
}

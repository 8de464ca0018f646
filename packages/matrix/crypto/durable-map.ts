/**
 * A map of texts in one append-only file. Each write is one checksummed record, synced before it resolves.
 * The file is rewritten when most records are outdated.
 *
 * LevelDB is not used here: it drops damaged records of its log without a message, and an older state of
 * these keys would repeat positions of a ratchet. Here only a record that was cut off at the end of the file,
 * which no caller has got an answer for, is dropped. Every other damage is an error.
 *
 * Record: length, number, CRC-32C of the data, CRC-32C of the 12 bytes before it (each uint32,
 * little-endian), then the data: JSON of changes, `[[key, value or null], …]`.
 */
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32c } from '@node-rs/crc32'
import { syncFolder } from '../../../journal/leveldb/durable-files.ts'

/** `null` removes the key. */
export type Change = readonly [key: string, value: string | null]

export interface DurableMap {
  get(key: string): string | undefined
  entries(): IterableIterator<[string, string]>
  /**
   * Visible at once, durable when it resolves. Rejects if the disk fails; every later write is then rejected
   * too, because the file may be behind the memory. During `atomic` it resolves at once.
   */
  write(changes: readonly Change[]): Promise<void>
  /** All writes until `work` settles go to disk together: after a crash there are all or none. */
  atomic<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when all writes so far are durable, after a running `atomic`. Rejects if one failed. */
  flush(): Promise<void>
  /** Never rejects. */
  close(): Promise<void>
}

/** The file is damaged. Nothing was changed. */
export class MapDamaged extends Error {}

const headerBytes = 16
/** A file below this size is not rewritten. */
const minRewriteBytes = 1024 * 1024
/** The file is rewritten when it has grown by this factor. */
const rewriteFactor = 4
/** Max bytes of a record that a rewrite produces. */
const rewriteRecordBytes = 256 * 1024

/** Creates the file if it is missing. Throws MapDamaged. */
export const openDurableMap = async (path: string): Promise<DurableMap> => {
  await rm(draftOf(path), { force: true }) // a rewrite that a crash interrupted
  const records = await readRecords(path)
  const map = records?.map ?? new Map<string, string>()
  let { file, bytes, count } = records ? await openForAppends(path, records) : await rewriteFile(path, map)
  let rewrittenBytes = bytes
  let failure: Error | null = null
  let waitingWrites: {
    readonly data: Buffer
    readonly resolve: () => void
    readonly reject: (error: Error) => void
  }[] = []
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  /** Running calls of `atomic`, and their changes. */
  let groups = 0
  const held: Change[] = []
  let groupEnd: Promise<unknown> = Promise.resolve()

  const appendNow = async (batch: readonly Buffer[]) => {
    const records = Buffer.concat(batch.map((data) => encodeRecord(data, count++)))
    await writeAll(file, records, bytes)
    await file.datasync()
    bytes += records.length
  }
  const rewrite = async () => {
    const newFile = await rewriteFile(path, map)
    await file.close().catch(() => {})
    ;({ file, bytes, count } = newFile)
    rewrittenBytes = bytes
  }
  const run = async () => {
    isWriting = true
    while (waitingWrites.length > 0) {
      const batch = waitingWrites
      waitingWrites = []
      try {
        if (failure) throw failure
        await appendNow(batch.map(({ data }) => data))
        const isWhole = waitingWrites.length === 0 && held.length === 0
        if (isWhole && bytes > Math.max(minRewriteBytes, rewrittenBytes * rewriteFactor)) await rewrite()
        for (const { resolve } of batch) resolve()
      } catch (error) {
        failure ??= error as Error
        for (const { reject } of batch) reject(failure)
      }
    }
    isWriting = false
  }
  const append = (changes: readonly Change[]): Promise<void> => {
    const data = Buffer.from(JSON.stringify(changes))
    const appended = new Promise<void>(
      (resolve, reject) => void waitingWrites.push({ data, resolve, reject }),
    )
    if (!isWriting) writing = run()
    return appended
  }
  const write = async (changes: readonly Change[]) => {
    if (failure) throw failure
    if (changes.length === 0) return
    apply(map, changes)
    if (groups === 0) return append(changes)
    held.push(...changes)
  }
  const runGroup = async <T>(work: () => Promise<T>): Promise<T> => {
    groups++
    try {
      return await work()
    } finally {
      groups--
      if (groups === 0 && held.length > 0) await append(held.splice(0))
    }
  }
  const atomic = <T>(work: () => Promise<T>): Promise<T> => {
    const result = runGroup(work)
    groupEnd = Promise.allSettled([groupEnd, result])
    return result
  }
  const flush = async () => {
    await groupEnd
    await writing
    if (failure) throw failure
  }
  const close = async () => {
    await writing
    failure ??= new Error('The keys of the encryption are closed')
    await file.close().catch(() => {})
  }
  return { get: (key) => map.get(key), entries: () => map.entries(), write, atomic, flush, close }
}

const draftOf = (path: string) => `${path}.new`

const apply = (map: Map<string, string>, changes: readonly Change[]) => {
  for (const [key, value] of changes)
    if (value === null) map.delete(key)
    else map.set(key, value)
}

interface Stored {
  readonly map: Map<string, string>
  /** Bytes of the complete records. */
  readonly bytes: number
  readonly count: number
}

interface Appendable {
  readonly file: FileHandle
  readonly bytes: number
  readonly count: number
}

const readRecords = async (path: string): Promise<Stored | null> => {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!content) return null
  const map = new Map<string, string>()
  let bytes = 0
  let count = 0
  for (let data = readRecord(content, bytes, count); data; data = readRecord(content, bytes, count)) {
    apply(map, JSON.parse(data.toString()) as Change[])
    bytes += headerBytes + data.length
    count++
  }
  if (count === 0) throw new MapDamaged('The file of the encryption keys is empty')
  return { map, bytes, count }
}

/** Returns null at the end of the file, or at a record that was cut off there. Throws MapDamaged. */
const readRecord = (content: Buffer, start: number, number: number): Buffer | null => {
  // The system may have extended the file with zeros before a power failure.
  if (content.length - start < headerBytes || isZero(content, start)) return null
  const header = content.subarray(start, start + headerBytes)
  if (header.readUInt32LE(12) !== crc32c(header.subarray(0, 12)) || header.readUInt32LE(4) !== number)
    throw new MapDamaged(`Record ${number} of the encryption keys is damaged`)
  const end = start + headerBytes + header.readUInt32LE(0)
  if (end > content.length) return null
  const data = content.subarray(start + headerBytes, end)
  if (header.readUInt32LE(8) === crc32c(data)) return data
  if (end === content.length && isZero(data, Math.floor(data.length / 4096) * 4096)) return null
  throw new MapDamaged(`Record ${number} of the encryption keys is damaged`)
}

const isZero = (bytes: Buffer, start: number) => {
  for (let i = start; i < bytes.length; i++) if (bytes[i] !== 0) return false
  return true
}

const encodeRecord = (data: Buffer, number: number): Buffer => {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(data.length, 0)
  header.writeUInt32LE(number, 4)
  header.writeUInt32LE(crc32c(data), 8)
  header.writeUInt32LE(crc32c(header.subarray(0, 12)), 12)
  return Buffer.concat([header, data])
}

/** Opens the file behind its last complete record. */
const openForAppends = async (path: string, records: Stored): Promise<Appendable> => {
  const file = await open(path, 'r+')
  try {
    await file.truncate(records.bytes)
    await file.sync()
    return { file, bytes: records.bytes, count: records.count }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Replaces the file by one with the content of the map. */
const rewriteFile = async (path: string, map: ReadonlyMap<string, string>): Promise<Appendable> => {
  const records = encodeAll(map) // before the first wait: the map may change then
  const draft = draftOf(path)
  const file = await open(draft, 'wx', 0o600)
  try {
    let bytes = 0
    for (const record of records) {
      await writeAll(file, record, bytes)
      bytes += record.length
    }
    await file.sync()
    await rename(draft, path)
    await syncFolder(dirname(path))
    return { file, bytes, count: records.length }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** A new file begins with an empty record, so that an empty file is known to be damaged. */
const encodeAll = (map: ReadonlyMap<string, string>): readonly Buffer[] => {
  const records: Buffer[] = [encodeRecord(Buffer.from('[]'), 0)]
  let changes: Change[] = []
  let size = 0
  const finish = () => {
    records.push(encodeRecord(Buffer.from(JSON.stringify(changes)), records.length))
    changes = []
    size = 0
  }
  for (const change of map) {
    changes.push(change)
    size += change[0].length + change[1].length
    if (size >= rewriteRecordBytes) finish()
  }
  if (changes.length > 0) finish()
  return records
}

const writeAll = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let writtenBytes = 0; writtenBytes < bytes.length; ) {
    const result = await file.write(bytes, writtenBytes, bytes.length - writtenBytes, position + writtenBytes)
    writtenBytes += result.bytesWritten
  }
}

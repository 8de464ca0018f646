/**
 * A map of texts in one append-only file. Each write is one checksummed record, synced before it resolves.
 * The file is rewritten when it is opened, and when most records are outdated.
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
   * The error of the disk, or null. After it every write is rejected, because the file may be behind the
   * memory: close the map, and open it again.
   */
  readonly failure: Error | null
  /**
   * Visible at once, durable when it resolves. Rejects if the disk fails. During `atomic` it resolves
   * immediately.
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

/** Creates the file if it is missing. Throws MapDamaged, or the error of the disk. */
export const openDurableMap = async (path: string): Promise<DurableMap> => {
  const map = await readRecords(path)
  // A new file, because after a failed sync the system may drop what was written to the old one.
  let { file, bytes, count } = await writeDraft(path, map)
  try {
    await replaceByDraft(path)
  } catch (error) {
    await file.close()
    throw error
  }
  let nextRewriteBytes = Math.max(minRewriteBytes, bytes * rewriteFactor)
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
    // Without space for a second file, the first one is still complete.
    const draft = await writeDraft(path, map).catch(() => null)
    if (draft === null) {
      nextRewriteBytes = bytes + minRewriteBytes
      return
    }
    try {
      await replaceByDraft(path)
    } catch (error) {
      await draft.file.close().catch(() => {})
      throw error
    }
    await file.close().catch(() => {})
    ;({ file, bytes, count } = draft)
    nextRewriteBytes = Math.max(minRewriteBytes, bytes * rewriteFactor)
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
        if (isWhole && bytes > nextRewriteBytes) await rewrite()
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
    // Parts of a failed write would look like damage if the system stored only some of them.
    if (failure) await file.truncate(bytes).catch(() => {})
    failure ??= new Error('The keys of the encryption are closed')
    await file.close().catch(() => {})
  }
  return {
    get: (key) => map.get(key),
    entries: () => map.entries(),
    get failure() {
      return failure
    },
    write,
    atomic,
    flush,
    close,
  }
}

const draftOf = (path: string) => `${path}.new`

const apply = (map: Map<string, string>, changes: readonly Change[]) => {
  for (const [key, value] of changes)
    if (value === null) map.delete(key)
    else map.set(key, value)
}

interface Appendable {
  readonly file: FileHandle
  /** Bytes of the complete records. */
  readonly bytes: number
  readonly count: number
}

/** Returns an empty map if the file is missing. */
const readRecords = async (path: string): Promise<Map<string, string>> => {
  const map = new Map<string, string>()
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!content) return map
  let bytes = 0
  let count = 0
  for (let data = readRecord(content, bytes, count); data; data = readRecord(content, bytes, count)) {
    apply(map, JSON.parse(data.toString()) as Change[])
    bytes += headerBytes + data.length
    count++
  }
  if (count === 0) throw new MapDamaged('The file of the encryption keys is empty')
  return map
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

/** Writes a file with the content of the map beside the file, and syncs it. Leaves no file if it fails. */
const writeDraft = async (path: string, map: ReadonlyMap<string, string>): Promise<Appendable> => {
  const records = encodeAll(map) // before the first wait: the map may change then
  const draft = draftOf(path)
  await rm(draft, { force: true }) // of a rewrite that a crash interrupted
  const file = await open(draft, 'wx', 0o600)
  try {
    let bytes = 0
    for (const record of records) {
      await writeAll(file, record, bytes)
      bytes += record.length
    }
    await file.sync()
    return { file, bytes, count: records.length }
  } catch (error) {
    await file.close().catch(() => {})
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

/** If it fails, either file may be in place after a power failure. Both have all changes until now. */
const replaceByDraft = async (path: string): Promise<void> => {
  await rename(draftOf(path), path)
  await syncFolder(dirname(path))
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

/** Opens a diary into a folder. Checks everything: the content is untrusted. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { syncFolder, syncWhole } from '../../journal/leveldb/durable-files.ts'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { Damaged, Newer, Unavailable } from '../../journal/log/errors.ts'
import { recordKey } from '../../journal/log/keys.ts'
import type { Op, Store } from '../../journal/log/store.ts'
import { decryptAge, fileKeyIn, nonceSize } from './age.ts'
import { createCheckedRecords } from './checked-records.ts'
import { createConclusions } from './conclusions.ts'
import { createForeignFacts, type ForeignFacts } from './foreign-facts.ts'
import {
  AnyManifest,
  ageLine,
  chunkName,
  chunkSize,
  format,
  Manifest,
  type MediaFile,
  manifestName,
  manifestSize,
  mediaName,
  removeLengthPrefix,
} from './format.ts'
import { DiaryUnopened, isOfTheSystem } from './unopened.ts'

/** `diary`: any age file. `gone`: the file does not exist. */
export type FileKind = 'diary' | 'other' | 'gone'

/** Reads only the first bytes. Throws Unavailable. */
export const fileKindOfPath = async (path: string): Promise<FileKind> => {
  try {
    return toFirstLine(await readHead(path)) === ageLine ? 'diary' : 'other'
  } catch (error) {
    if (isMissing(error)) return 'gone'
    throw error
  }
}

/**
 * Creates the folder `into` with `journal` (records and indexes) and `media`, all synced. Throws
 * DiaryUnopened or Unavailable; then the caller removes the folder.
 */
export const unseal = async (
  path: string,
  identity: string,
  folder: string,
  foreignFacts = createForeignFacts(),
): Promise<Manifest> => {
  try {
    const plain = await decrypt(path, identity)
    await makeSyncedFolder(folder)
    return await unpack(readFiles(plain), folder, foreignFacts)
  } catch (error) {
    throw toTrouble(error)
  }
}

/** Library errors have no types. They count as damage unless the system caused them. */
const toTrouble = (cause: unknown): Error => {
  if (cause instanceof DiaryUnopened || cause instanceof Unavailable) return cause
  if (cause instanceof Newer) return new DiaryUnopened('newer', cause.message, { cause })
  if (isOfTheSystem(cause)) return new Unavailable('the disk refused', { cause })
  return createDamageError(cause instanceof Damaged ? cause.message : 'it cannot be read', cause)
}

const createDamageError = (subject: string, cause?: unknown): DiaryUnopened =>
  new DiaryUnopened('damaged', subject, { cause })

/** Max bytes of header and nonce, against endless headers. Ours take 200. */
const maxHeaderSize = 16 * 1024

const isMissing = (error: unknown): boolean =>
  error instanceof Unavailable && (error.cause as { code?: unknown } | undefined)?.code === 'ENOENT'

const readHead = async (path: string): Promise<Buffer> => {
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHeaderSize), 0, maxHeaderSize, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new Unavailable('the diary cannot be read', { cause })
  }
}

const toFirstLine = (head: Buffer): string => head.toString('latin1', 0, ageLine.length)

const decrypt = async (path: string, identity: string): Promise<ReadableStream<Uint8Array>> => {
  const head = await readHead(path)
  if (toFirstLine(head) !== ageLine)
    throw new DiaryUnopened('not_a_diary', 'it does not begin as a diary does')
  const end = /\n--- [^\n]*\n/.exec(head.toString('latin1'))
  if (!end) throw createDamageError('its first lines do not end')
  const start = end.index + end[0].length
  const header = head.subarray(0, start)
  const nonce = head.subarray(start, start + nonceSize)
  try {
    const fileKey = await fileKeyIn(header, identity)
    // Not Readable.toWeb: it throws outside of every catch when the reader stops early.
    return ReadableStream.from<Uint8Array>(decryptAge(readPieces(path, start + nonceSize), fileKey, nonce))
  } catch (cause) {
    if (/no identity matched/.test((cause as Error).message))
      throw new DiaryUnopened('other_phrase', 'it is sealed for another recipient', { cause })
    throw cause
  }
}

/** Opens the file on the first read, so that an unread stream leaks nothing. */
async function* readPieces(path: string, start: number): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { start, highWaterMark: 1024 * 1024 })
}

interface File {
  readonly name: string
  readonly size: number
  readonly body: AsyncIterable<Uint8Array>
}

/** Accepts only plain files. The end mark must exist, with nothing after it. */
async function* readFiles(tar: ReadableStream<Uint8Array>): AsyncGenerator<File> {
  for await (const { header, body } of tar.pipeThrough<ParsedTarEntry>(createTarDecoder({ strict: true }))) {
    const { name, size, type, linkname, pax } = header
    if (type !== 'file' || linkname || pax) throw createDamageError('it contains something other than files')
    yield { name, size, body }
  }
}

const unpack = async (
  files: AsyncGenerator<File>,
  folder: string,
  foreignFacts: ForeignFacts,
): Promise<Manifest> => {
  const next = async (): Promise<File | undefined> => (await files.next()).value ?? undefined
  try {
    const manifest = await readManifest(await next())
    const journal = join(folder, 'journal')
    const media = join(folder, 'media')
    const firstMedia = await storeRecords({ manifest, next, folder: journal, foreign: foreignFacts })
    await makeSyncedFolder(media)
    let file = firstMedia
    for (const manifestFile of manifest.media) {
      await storeMedia(manifestFile, file, media)
      file = await next()
    }
    if (file) throw createDamageError('it contains more files than its manifest lists')
    await onDisk(async () => {
      await syncWhole(journal)
      await syncFolder(media)
      await syncFolder(folder)
    })
    return manifest
  } finally {
    await files.return(undefined)
  }
}

const readManifest = async (file: File | undefined): Promise<Manifest> => {
  if (file?.name !== manifestName) throw createDamageError('it does not begin with its manifest')
  const content: unknown = JSON.parse((await readWhole(file, manifestSize)).toString())
  const anyManifest = AnyManifest.parse(content)
  if (anyManifest.format > format) throw new DiaryUnopened('newer', `it is of format ${anyManifest.format}`)
  const manifest = Manifest.parse(content)
  if (manifest.records !== manifest.head.seq)
    throw createDamageError('its manifest has two different record counts')
  return manifest
}

interface StoreOptions {
  readonly manifest: Manifest
  readonly next: () => Promise<File | undefined>
  readonly folder: string
  readonly foreign: ForeignFacts
}

/** Stores all records of the manifest. Returns the file after them. */
const storeRecords = async ({ manifest, next, folder, foreign }: StoreOptions): Promise<File | undefined> => {
  const history = createCheckedRecords(foreign)
  let store: Store | undefined
  const conclusions = createConclusions()
  try {
    while (history.head.seq < manifest.head.seq) {
      const file = await next()
      const first = history.head.seq + 1
      if (file?.name !== chunkName(first)) throw createDamageError('records are missing, or not in order')
      const values = removeLengthPrefix(await readWhole(file, chunkSize))
      if (!values || values.length === 0) throw createDamageError('a file of records has a wrong length')
      const ops: Op[] = []
      for (const value of values) {
        const entry = history.takeFact(value)
        ops.push({ type: 'put', key: recordKey(entry.seq), value }, ...conclusions.take(entry, history.head))
      }
      store ??= await onDisk(() => openLevelStore(folder, 'new'))
      await putOps(store, ops)
    }
    if (history.head.seq !== manifest.head.seq || history.head.hash !== manifest.head.hash)
      throw createDamageError('its records do not end at the head of its manifest')
    if (history.isWordless) throw createDamageError('payloads are missing that were not erased')
    if (history.personaId !== manifest.persona.id)
      throw createDamageError('its records belong to another persona than its manifest')
    await onDisk(async () => store && conclusions.keep(store, history.head))
  } finally {
    await onDisk(async () => store?.close())
  }
  return next()
}

const putOps = (store: Store, ops: readonly Op[]): Promise<void> =>
  onDisk(() => store.batch(ops, { sync: false }))

/** Bytes between syncs. A single sync at the end would take long. */
const syncInterval = 16 * 1024 * 1024

const storeMedia = async (
  { filename, bytes, sha256 }: MediaFile,
  file: File | undefined,
  folder: string,
): Promise<void> => {
  if (file?.name !== mediaName(filename) || file.size !== bytes)
    throw createDamageError('a file is missing, or not in order')
  const hash = createHash('sha256')
  const target = await onDisk(() => open(join(folder, filename), 'wx', 0o600))
  try {
    let writtenBytes = 0
    let syncedBytes = 0
    for await (const piece of file.body) {
      hash.update(piece)
      await onDisk(() => target.writeFile(piece))
      writtenBytes += piece.length
      if (writtenBytes - syncedBytes < syncInterval) continue
      await onDisk(() => target.sync())
      syncedBytes = writtenBytes
    }
    if (writtenBytes !== bytes || hash.digest('hex') !== sha256)
      throw createDamageError('a file is not the one that was sealed')
    await onDisk(() => target.sync())
  } finally {
    await target.close()
  }
}

const readWhole = async ({ size, body }: File, maxSize: number): Promise<Buffer> => {
  if (size > maxSize) throw createDamageError('a file is too large')
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  const wholeFile = Buffer.concat(pieces)
  if (wholeFile.length !== size) throw createDamageError('a file ends early')
  return wholeFile
}

const makeSyncedFolder = (folder: string): Promise<void> =>
  onDisk(async () => {
    await mkdir(folder, { mode: 0o700 })
    await syncFolder(dirname(folder))
  })

/** Turns all errors into Unavailable. */
const onDisk = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act()
  } catch (cause) {
    throw new Unavailable('the diary cannot be unpacked here', { cause })
  }
}

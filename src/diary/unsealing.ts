/**
 * Opening a diary into a folder, as it is done in a process of its own: all of it is checked, and nothing in
 * it is believed.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { syncFolder, syncWhole } from '../../journal/files/places.ts'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { Damaged, Newer, Unavailable } from '../../journal/log/errors.ts'
import { recordKey } from '../../journal/log/keys.ts'
import type { Op, Store } from '../../journal/log/store.ts'
import { decrypted, fileKeyIn, nonceSize } from './age.ts'
import { createHistory } from './checked-records.ts'
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
  unframed,
} from './format.ts'
import { DiaryUnopened, isOfTheSystem } from './unopened.ts'

/** `diary`: an age file, of whatever; `gone`: there is none any more. */
export type FileKind = 'diary' | 'other' | 'gone'

/** Looks at its first bytes only. Unavailable. */
export const kindOf = async (path: string): Promise<FileKind> => {
  try {
    return firstBytes(await headOf(path)) === ageLine ? 'diary' : 'other'
  } catch (error) {
    if (isMissing(error)) return 'gone'
    throw error
  }
}

/**
 * Leaves `journal` (a store of its records and what follows from them) and `media` in `into`, a folder that
 * it makes, all of it synced. Throws DiaryUnopened or Unavailable, and leaves then what it has made for the
 * caller to remove.
 */
export const unseal = async (
  path: string,
  identity: string,
  into: string,
  foreign = createForeignFacts(),
): Promise<Manifest> => {
  try {
    const plain = await plainOf(path, identity)
    await made(into)
    return await staged(filesOf(plain), into, foreign)
  } catch (error) {
    throw asTrouble(error)
  }
}

/** What the libraries throw has no kinds: it is about the file, unless the disk has said it. */
const asTrouble = (cause: unknown): Error => {
  if (cause instanceof DiaryUnopened || cause instanceof Unavailable) return cause
  if (cause instanceof Newer) return new DiaryUnopened('newer', cause.message, { cause })
  if (isOfTheSystem(cause)) return new Unavailable('the disk refused', { cause })
  return damaged(cause instanceof Damaged ? cause.message : 'it cannot be read', cause)
}

const damaged = (what: string, cause?: unknown): DiaryUnopened =>
  new DiaryUnopened('damaged', what, { cause })

/**
 * Bytes in which the lines and the nonce before the sealed bytes must end: ours take 200, and one who never
 * ends them would fill the memory.
 */
const mostLines = 16 * 1024

const isMissing = (error: unknown): boolean =>
  error instanceof Unavailable && (error.cause as { code?: unknown } | undefined)?.code === 'ENOENT'

const headOf = async (path: string): Promise<Buffer> => {
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(mostLines), 0, mostLines, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new Unavailable('the diary cannot be read', { cause })
  }
}

const firstBytes = (head: Buffer): string => head.toString('latin1', 0, ageLine.length)

const plainOf = async (path: string, identity: string): Promise<ReadableStream<Uint8Array>> => {
  const head = await headOf(path)
  if (firstBytes(head) !== ageLine)
    throw new DiaryUnopened('not_a_diary', 'it does not begin as a diary does')
  const end = /\n--- [^\n]*\n/.exec(head.toString('latin1'))
  if (!end) throw damaged('its first lines do not end')
  const start = end.index + end[0].length
  const [lines, nonce] = [head.subarray(0, start), head.subarray(start, start + nonceSize)]
  try {
    const fileKey = await fileKeyIn(lines, identity)
    // Not by way of Readable.toWeb: where the reader stops early, it throws outside of every catch.
    return ReadableStream.from<Uint8Array>(decrypted(piecesOf(path, start + nonceSize), fileKey, nonce))
  } catch (cause) {
    if (/no identity matched/.test((cause as Error).message))
      throw new DiaryUnopened('other_phrase', 'it is sealed for somebody else', { cause })
    throw cause
  }
}

/** Opened when it is asked for the first: one that nobody reads stays closed. */
async function* piecesOf(path: string, start: number): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { start, highWaterMark: 1024 * 1024 })
}

interface File {
  readonly name: string
  readonly size: number
  readonly body: AsyncIterable<Uint8Array>
}

/** Plain files only, one after the other; the mark at the end must be there, and nothing behind it. */
async function* filesOf(tar: ReadableStream<Uint8Array>): AsyncGenerator<File> {
  for await (const { header, body } of tar.pipeThrough<ParsedTarEntry>(createTarDecoder({ strict: true }))) {
    const { name, size, type, linkname, pax } = header
    if (type !== 'file' || linkname || pax) throw damaged('it holds something else than files')
    yield { name, size, body }
  }
}

const staged = async (
  files: AsyncGenerator<File>,
  into: string,
  foreign: ForeignFacts,
): Promise<Manifest> => {
  const next = async (): Promise<File | undefined> => (await files.next()).value ?? undefined
  try {
    const manifest = await readManifest(await next())
    const [journal, media] = [join(into, 'journal'), join(into, 'media')]
    const after = await keepRecords({ manifest, next, folder: journal, foreign })
    await made(media)
    let file = after
    for (const wanted of manifest.media) {
      await keepMedia(wanted, file, media)
      file = await next()
    }
    if (file) throw damaged('it holds more than its manifest tells')
    await onDisk(async () => {
      await syncWhole(journal)
      await syncFolder(media)
      await syncFolder(into)
    })
    return manifest
  } finally {
    await files.return(undefined)
  }
}

const readManifest = async (file: File | undefined): Promise<Manifest> => {
  if (file?.name !== manifestName) throw damaged('it does not begin with its manifest')
  const told: unknown = JSON.parse((await wholeOf(file, manifestSize)).toString())
  const any = AnyManifest.parse(told)
  if (any.format > format) throw new DiaryUnopened('newer', `it is of format ${any.format}`)
  const manifest = Manifest.parse(told)
  if (manifest.records !== manifest.head.seq) throw damaged('its manifest counts in two ways')
  return manifest
}

interface Keeping {
  readonly manifest: Manifest
  readonly next: () => Promise<File | undefined>
  readonly folder: string
  readonly foreign: ForeignFacts
}

/** The files of records up to the last that the manifest tells of; gives the file behind them. */
const keepRecords = async ({ manifest, next, folder, foreign }: Keeping): Promise<File | undefined> => {
  const history = createHistory(foreign)
  let store: Store | undefined
  const conclusions = createConclusions()
  try {
    while (history.head.seq < manifest.head.seq) {
      const file = await next()
      const first = history.head.seq + 1
      if (file?.name !== chunkName(first)) throw damaged('records are missing, or not in order')
      const values = unframed(await wholeOf(file, chunkSize))
      if (!values || values.length === 0) throw damaged('a file of records has lost its measure')
      const ops: Op[] = []
      for (const value of values) {
        const entry = history.takeFact(value)
        ops.push({ type: 'put', key: recordKey(entry.seq), value }, ...conclusions.take(entry, history.head))
      }
      store ??= await onDisk(() => openLevelStore(folder, 'new'))
      await put(store, ops)
    }
    if (history.head.seq !== manifest.head.seq || history.head.hash !== manifest.head.hash)
      throw damaged('its records end elsewhere than told')
    if (history.wordless) throw damaged('words are missing, and nothing says that they were erased')
    if (history.whose !== manifest.persona.id) throw damaged('it tells of somebody else than its manifest')
    await onDisk(async () => store && conclusions.keep(store, history.head))
  } finally {
    await onDisk(async () => store?.close())
  }
  return next()
}

const put = (store: Store, ops: readonly Op[]): Promise<void> =>
  onDisk(() => store.batch(ops, { sync: false }))

/** Bytes after which what was written is brought to the disk: the last of them would wait for all. */
const syncEvery = 16 * 1024 * 1024

const keepMedia = async (
  { filename, bytes, sha256 }: MediaFile,
  file: File | undefined,
  folder: string,
): Promise<void> => {
  if (file?.name !== mediaName(filename) || file.size !== bytes)
    throw damaged('a file is missing, or not in order')
  const hash = createHash('sha256')
  const kept = await onDisk(() => open(join(folder, filename), 'wx', 0o600))
  try {
    let [written, lasting] = [0, 0]
    for await (const piece of file.body) {
      hash.update(piece)
      await onDisk(() => kept.writeFile(piece))
      written += piece.length
      if (written - lasting < syncEvery) continue
      await onDisk(() => kept.sync())
      lasting = written
    }
    if (written !== bytes || hash.digest('hex') !== sha256)
      throw damaged('a file is not the one that was sealed')
    await onDisk(() => kept.sync())
  } finally {
    await kept.close()
  }
}

const wholeOf = async ({ size, body }: File, most: number): Promise<Buffer> => {
  if (size > most) throw damaged('a file is larger than any of its kind')
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  const whole = Buffer.concat(pieces)
  if (whole.length !== size) throw damaged('a file ends early')
  return whole
}

const made = (folder: string): Promise<void> =>
  onDisk(async () => {
    await mkdir(folder, { mode: 0o700 })
    await syncFolder(dirname(folder))
  })

/** Whatever a disk says: Unavailable. */
const onDisk = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act()
  } catch (cause) {
    throw new Unavailable('the diary cannot be unpacked here', { cause })
  }
}

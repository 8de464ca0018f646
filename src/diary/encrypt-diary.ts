/** Seals a diary. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createTarPacker, type TarPackController } from 'modern-tar'
import { Damaged, TooLarge, Unavailable } from '../../journal/log/errors.ts'
import { encryptAge } from './age.ts'
import { createCheckedRecords } from './checked-records.ts'
import {
  addLengthPrefix,
  chunkName,
  chunkSize,
  type Manifest,
  type MediaFile,
  manifestName,
  manifestSize,
  mediaName,
} from './format.ts'

/** A manifest without the media. */
export type Outline = Omit<Manifest, 'media'>

/** A media file. */
export interface MediaPlace {
  readonly filename: string
  readonly path: string
  /** Current size, approximate. */
  readonly bytes: number
}

/**
 * Hashes the files as they are now, sorted by name. Skips missing ones. A damaged file must not prevent a
 * diary.
 */
export const surveyDiary = async (places: readonly MediaPlace[]): Promise<readonly MediaFile[]> => {
  const files: MediaFile[] = []
  for (const { filename, path } of [...places].sort(byName)) {
    const hash = createHash('sha256')
    let bytes = 0
    try {
      for await (const piece of readAhead(path)) {
        hash.update(piece)
        bytes += piece.length
      }
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') continue
      throw error
    }
    files.push({ filename, bytes, sha256: hash.digest('hex') })
  }
  return files
}

/**
 * Streams an age file. Throws Damaged if the raw `records` do not match the manifest, Unavailable if media
 * have changed since. Calls `onDamaged` with the number of files whose checksum differs from their fact; they
 * are sealed as they are, and readers can detect them by the same facts.
 */
export async function* encryptDiary(
  manifest: Manifest,
  records: AsyncIterable<readonly Uint8Array[]>,
  getPath: (filename: string) => string,
  onDamaged: (files: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker()
  const packTask = pack({ controller, manifest, records, getPath, onDamaged }).catch((error: unknown) =>
    controller.error(error),
  )
  try {
    yield* encryptAge(readable, manifest.persona.recipient)
    await packTask
  } finally {
    controller.error(new Error('nobody reads it any more'))
  }
}

interface Packing {
  readonly controller: TarPackController
  readonly manifest: Manifest
  readonly records: AsyncIterable<readonly Uint8Array[]>
  readonly getPath: (filename: string) => string
  readonly onDamaged: (files: number) => void
}

const pack = async ({ controller, manifest, records, getPath, onDamaged }: Packing): Promise<void> => {
  const mtime = new Date(manifest.made)
  const add = async (
    name: string,
    size: number,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> => {
    const writer = controller.add({ name, size, mtime, mode: 0o600, type: 'file' }).getWriter()
    for await (const piece of pieces) await writer.write(piece)
    await writer.close()
  }
  const manifestBytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  if (manifestBytes.length > manifestSize) throw new TooLarge('there are too many media for one diary')
  await add(manifestName, manifestBytes.length, [manifestBytes])
  const checksums = new Map<string, string>()
  for await (const { first, bytes } of chunks(manifest, records, checksums))
    await add(chunkName(first), bytes.length, [bytes])
  const damagedMedia = manifest.media.filter(
    ({ filename, sha256 }) => (checksums.get(filename) ?? sha256) !== sha256,
  )
  if (damagedMedia.length > 0) onDamaged(damagedMedia.length)
  for (const { filename, bytes } of manifest.media)
    await add(mediaName(filename), bytes, takeExactly(bytes, readPieces(getPath(filename))))
  controller.finalize()
}

interface Chunk {
  readonly first: number
  readonly bytes: Buffer
}

/** Adds the checksums in the facts to `checksums`. */
async function* chunks(
  manifest: Manifest,
  records: AsyncIterable<readonly Uint8Array[]>,
  checksums: Map<string, string>,
): AsyncGenerator<Chunk> {
  const history = createCheckedRecords()
  let first = 1
  let frames: Buffer[] = []
  let size = 0
  for await (const page of records) {
    for (const value of page) {
      const frame = addLengthPrefix(value)
      if (frame.length > chunkSize) throw new TooLarge(`a record of a diary holds at most ${chunkSize} bytes`)
      if (size + frame.length > chunkSize) {
        yield { first, bytes: Buffer.concat(frames) }
        first = history.head.seq + 1
        frames = []
        size = 0
      }
      const media = history.take(value)
      if (media?.sha256) checksums.set(media.filename, media.sha256)
      frames.push(frame)
      size += frame.length
    }
  }
  if (size > 0) yield { first, bytes: Buffer.concat(frames) }
  const { seq, hash } = history.head
  if (seq !== manifest.head.seq || hash !== manifest.head.hash)
    throw new Damaged(seq + 1, 'does not match the head of the manifest')
}

/** Media are immutable: another size means another file. */
async function* takeExactly(bytes: number, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytesLeft = bytes
  for await (const piece of pieces) {
    bytesLeft -= piece.length
    if (bytesLeft < 0) break
    yield piece
  }
  if (bytesLeft !== 0) throw new Unavailable('a file of its own changed while it was read')
}

const pieceSize = 1024 * 1024

const readPieces = (path: string): AsyncIterable<Buffer> =>
  createReadStream(path, { highWaterMark: pieceSize })

/**
 * Reads the next piece into the second of two buffers meanwhile. A piece is valid until the next is
 * requested. Measured: nearly twice as fast as a stream, which allocates each piece.
 */
async function* readAhead(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    let current = Buffer.allocUnsafeSlow(pieceSize)
    let spareBuffer = Buffer.allocUnsafeSlow(pieceSize)
    let { bytesRead } = await file.read(current, 0, pieceSize, null)
    while (bytesRead > 0) {
      const next = file.read(spareBuffer, 0, pieceSize, null)
      // The reader may stop before awaiting it.
      next.catch(() => undefined)
      yield current.subarray(0, bytesRead)
      bytesRead = (await next).bytesRead
      const finishedPiece = current
      current = spareBuffer
      spareBuffer = finishedPiece
    }
  } finally {
    await file.close()
  }
}

const byName = (a: MediaPlace, b: MediaPlace): number => (a.filename < b.filename ? -1 : 1)

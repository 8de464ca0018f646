/**
 * Stores a persona's media files under generated names. A file is complete and synced before the fact that
 * names it.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId, Sha256 } from '../facts/fact-values.ts'
import { makeFolder, syncFolder } from '../journal/leveldb/durable-files.ts'
import { Unavailable, Unknown } from '../journal/log/errors.ts'
import { orUnavailable, type Stopwatch } from '../journal/log/timeout.ts'
import { mediaFolder, personaFolder, trashFolder } from './places.ts'

/** Size and hash, to detect a replaced file. */
export interface Measured {
  readonly bytes: number
  readonly sha256: Sha256
}

export interface KeptMedia extends Measured {
  readonly filename: string
}

/** A file in the trash that belongs to no persona yet. The next start deletes it if it is still there. */
export interface Staged {
  readonly path: string
  readonly measured: Measured
  /** Deletes the file. Does nothing if it was moved. Never rejects. */
  drop(): Promise<void>
}

/** `path` is a file on the same file system, which is moved. It is read if `measured` is missing. */
export type MediaSource =
  | { readonly path: string; readonly measured?: Measured }
  | { readonly bytes: Uint8Array }

/** All methods throw Unavailable. */
export interface MediaStore {
  /** Stores a file. Throws Unknown if the persona does not exist. Nothing is stored if it rejects. */
  keep(id: PersonaId, from: MediaSource, extension: string): Promise<KeptMedia>
  /** Deletes a file if it exists. Throws Unknown if the name is not a generated one. */
  drop(id: PersonaId, filename: string): Promise<void>
  /** Makes the file available in its folder if any host of the cluster has it. */
  bring(id: PersonaId, filename: string): Promise<void>
  /** Does the same for all files. */
  bringAll(id: PersonaId): Promise<void>
  /** Replaces a damaged file. Returns false if no intact copy exists. */
  replaceFile(id: PersonaId, filename: string): Promise<boolean>
}

/** Creates a store that uses only the home's file system. */
export const createMediaStore = (home: string, stopwatch: Stopwatch): MediaStore => ({
  keep: async (id, from, extension) => {
    const keptMedia = keepMedia(home, id, from, extension)
    try {
      return await orUnavailable(stopwatch, keptMedia)
    } catch (error) {
      // The write may still succeed after the timeout. Delete the file then, because no fact names it.
      keptMedia.then(({ filename }) => dropMedia(home, id, filename)).catch(ignoreError)
      throw error
    }
  },
  drop: (id, filename) => orUnavailable(stopwatch, dropMedia(home, id, filename)),
  bring: async () => {},
  bringAll: async () => {},
  replaceFile: async () => false,
})

/** Bytes between syncs, so that the final sync is short. */
const syncEvery = 16 * 1024 * 1024

/**
 * Writes chunks to a file and measures it. Throws Unavailable if the disk fails or hangs. Errors of `chunks`
 * are passed on. Deletes the file on any error.
 */
export const stageMedia = async (
  home: string,
  chunks: AsyncIterable<Uint8Array>,
  stopwatch: Stopwatch,
): Promise<Staged> => {
  const path = join(trashFolder(home), `media-${randomUUID()}`)
  const withTimeout = <T>(operation: Promise<T>): Promise<T> =>
    orUnavailable(stopwatch, orRefused(operation, 'the file cannot be written'))
  await withTimeout(makeFolder(trashFolder(home)))
  const openingFile = open(path, 'wx', 0o600)
  try {
    const file = await withTimeout(openingFile)
    const hash = createHash('sha256')
    let bytes = 0
    let lastWrite: Promise<void> = Promise.resolve()
    for await (const piece of pieces(chunks)) {
      await lastWrite
      // The hash is computed while the disk writes.
      lastWrite = withTimeout(file.writeFile(piece))
      lastWrite.catch(ignoreError)
      hash.update(piece)
      if (Math.floor(bytes / syncEvery) < Math.floor((bytes + piece.length) / syncEvery))
        await lastWrite.then(() => withTimeout(file.sync()))
      bytes += piece.length
    }
    await lastWrite
    await withTimeout(file.sync())
    await withTimeout(file.close())
    return { path, measured: { bytes, sha256: hash.digest('hex') }, drop: () => dropFile(path) }
  } catch (error) {
    // Not awaited, because the disk may hang.
    void openingFile
      .then((file) => file.close())
      .catch(ignoreError)
      .then(() => dropFile(path))
    throw error
  }
}

/** Bytes per write. Measured: writing 64 KB network chunks directly took 1.3 times as long. */
const pieceSize = 256 * 1024

async function* pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pendingChunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    pendingChunks.push(chunk)
    size += chunk.byteLength
    if (size < pieceSize) continue
    yield Buffer.concat(pendingChunks)
    pendingChunks = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pendingChunks)
}

/**
 * Stores a file. Throws Unknown if the persona does not exist, else Unavailable. Nothing is stored if it
 * rejects.
 */
export const keepMedia = async (
  home: string,
  id: PersonaId,
  from: MediaSource,
  extension: string,
): Promise<KeptMedia> => {
  const filename = `${randomBytes(16).toString('hex')}.${safeExtension(extension)}`
  const folder = mediaFolder(home, id)
  const place = join(mediaFolder(home, id), filename)
  const draft = 'path' in from ? from.path : join(trashFolder(home), `media-${randomUUID()}`)
  try {
    const measurement = 'path' in from ? await sync(from) : await writeMeasured(home, draft, from.bytes)
    await makeMediaFolder(home, id)
    await rename(draft, place)
    await syncFolder(folder)
    return { filename, ...measurement }
  } catch (cause) {
    await Promise.all([dropFile(place), ...('path' in from ? [] : [dropFile(draft)])])
    if (isAbsence(cause) && (await isMissing(personaFolder(home, id))))
      throw new Unknown('the persona does not exist')
    throw new Unavailable('the file cannot be stored', { cause })
  }
}

/**
 * Deletes a file if it exists. Throws Unknown if the name is not a generated one, Unavailable if the disk
 * fails.
 */
export const dropMedia = async (home: string, id: PersonaId, filename: string): Promise<void> => {
  const path = join(mediaFolder(home, id), checkName(filename))
  await orRefused(rm(path, { force: true }), 'the file cannot be removed')
}

/** Returns whether the name is a generated one. */
export const isMediaName = (name: string): boolean => mediaName.test(name)
const mediaName = /^[0-9a-f]{32}\.[a-z0-9]{1,8}$/
const checkName = (filename: string): string => {
  if (!mediaName.test(filename)) throw new Unknown('the file does not exist')
  return filename
}

/** Removes a leading dot. Returns `bin` for an extension that is too long or has special characters. */
const safeExtension = (extension: string): string => {
  const plainExtension = extension.replace(/^\./, '').toLowerCase()
  return /^[a-z0-9]{1,8}$/.test(plainExtension) ? plainExtension : 'bin'
}

const sync = async ({ path, measured }: Extract<MediaSource, { path: string }>): Promise<Measured> => {
  const file = await open(path, 'r')
  try {
    await file.sync()
    return measured ?? (await measure(file.createReadStream({ autoClose: false })))
  } finally {
    await file.close()
  }
}

const measure = async (chunks: AsyncIterable<Uint8Array>): Promise<Measured> => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    bytes += chunk.byteLength
  }
  return { bytes, sha256: hash.digest('hex') }
}

const writeMeasured = async (home: string, path: string, content: Uint8Array): Promise<Measured> => {
  await makeFolder(trashFolder(home))
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  return { bytes: content.byteLength, sha256: createHash('sha256').update(content).digest('hex') }
}

/** Creates only the last folder, so that no empty persona folder appears while a persona is being deleted. */
const makeMediaFolder = async (home: string, id: PersonaId): Promise<void> => {
  try {
    await mkdir(mediaFolder(home, id), { mode: 0o700 })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return
    throw error
  }
  await syncFolder(personaFolder(home, id))
}

const isAbsence = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT'

const isMissing = async (path: string): Promise<boolean> => {
  try {
    await (await open(path, 'r')).close()
    return false
  } catch (error) {
    return isAbsence(error)
  }
}

const orRefused = async <T>(operation: Promise<T>, refusalMessage: string): Promise<T> => {
  try {
    return await operation
  } catch (cause) {
    throw new Unavailable(refusalMessage, { cause })
  }
}

const dropFile = (path: string): Promise<void> => rm(path, { force: true }).catch(ignoreError)

const ignoreError = () => undefined

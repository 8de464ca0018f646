/** A persona's files, under names that are made here: whole and durable before the fact that names them. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId, Sha256 } from '../facts/fact-values.ts'
import { Unavailable, Unknown } from '../log/errors.ts'
import { orUnavailable, type Stopwatch } from '../log/timeout.ts'
import { makeFolder, mediaFolder, personaFolder, syncFolder, trashFolder } from './places.ts'

/** What a file is, so that another in its place shows. */
export interface Measured {
  readonly bytes: number
  readonly sha256: Sha256
}

export interface KeptMedia extends Measured {
  readonly filename: string
}

/** A file that is nobody's yet. It lies in the trash: one that is left there goes with the next start. */
export interface Staged {
  readonly path: string
  readonly measured: Measured
  /** No trouble where it was kept. Never rejects. */
  drop(): Promise<void>
}

/**
 * `path` leads to a file under the same home, which is moved; one that was not measured yet is read for it.
 */
export type MediaSource =
  | { readonly path: string; readonly measured?: Measured }
  | { readonly bytes: Uint8Array }

/** All throw Unavailable. */
export interface MediaStore {
  /** Unknown where there is no such persona. Where it rejects nothing was kept. */
  keep(id: PersonaId, from: MediaSource, extension: string): Promise<KeptMedia>
  /** No trouble where there is none. Unknown for a name that was not made here. */
  drop(id: PersonaId, filename: string): Promise<void>
  /** It lies in its folder from then on, where there is one of that name anywhere. */
  bring(id: PersonaId, filename: string): Promise<void>
  /** The same of all. */
  bringAll(id: PersonaId): Promise<void>
  /** In the place of one that is damaged; false where nobody has another. */
  bringAnew(id: PersonaId, filename: string): Promise<boolean>
}

/** Those of a home alone. */
export const createMediaStore = (home: string, stopwatch: Stopwatch): MediaStore => ({
  keep: async (id, from, extension) => {
    const keeping = keepMedia(home, id, from, extension)
    try {
      return await orUnavailable(stopwatch, keeping)
    } catch (error) {
      // Where the disk still takes it, it goes when it is there: nobody was told its name.
      keeping.then(({ filename }) => dropMedia(home, id, filename)).catch(nothing)
      throw error
    }
  },
  drop: (id, filename) => orUnavailable(stopwatch, dropMedia(home, id, filename)),
  bring: async () => {},
  bringAll: async () => {},
  bringAnew: async () => false,
})

/** Bytes after which what was staged is brought to the disk: the last of them would wait for all. */
const syncEvery = 16 * 1024 * 1024

/**
 * Writes, counts and hashes what comes. Unavailable where the disk refuses or hangs; what `chunks` throws is
 * passed on; nothing is left of either.
 */
export const stageMedia = async (
  home: string,
  chunks: AsyncIterable<Uint8Array>,
  stopwatch: Stopwatch,
): Promise<Staged> => {
  const path = join(trashFolder(home), `media-${randomUUID()}`)
  const soon = <T>(asked: Promise<T>): Promise<T> =>
    orUnavailable(stopwatch, orRefused(asked, 'the file cannot be written'))
  await soon(makeFolder(trashFolder(home)))
  const opening = open(path, 'wx', 0o600)
  try {
    const file = await soon(opening)
    const hash = createHash('sha256')
    let bytes = 0
    let writing: Promise<void> = Promise.resolve()
    for await (const piece of pieces(chunks)) {
      await writing
      // Hashed while it is written.
      writing = soon(file.writeFile(piece))
      writing.catch(nothing)
      hash.update(piece)
      if (Math.floor(bytes / syncEvery) < Math.floor((bytes + piece.length) / syncEvery))
        await writing.then(() => soon(file.sync()))
      bytes += piece.length
    }
    await writing
    await soon(file.sync())
    await soon(file.close())
    return { path, measured: { bytes, sha256: hash.digest('hex') }, drop: () => dropFile(path) }
  } catch (error) {
    // Not waited for: a disk that hangs is let go behind whoever waits.
    void opening
      .then((file) => file.close())
      .catch(nothing)
      .then(() => dropFile(path))
    throw error
  }
}

/** Bytes that are written at once: ⏱ what the network brings, 64 KB at a time, took 1.3 times as long. */
const pieceSize = 256 * 1024

async function* pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    size += chunk.byteLength
    if (size < pieceSize) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

/** Unknown where there is no such persona, Unavailable. Where it rejects nothing was kept. */
export const keepMedia = async (
  home: string,
  id: PersonaId,
  from: MediaSource,
  extension: string,
): Promise<KeptMedia> => {
  const filename = `${randomBytes(16).toString('hex')}.${safeExtension(extension)}`
  const [folder, place] = [mediaFolder(home, id), join(mediaFolder(home, id), filename)]
  const draft = 'path' in from ? from.path : join(trashFolder(home), `media-${randomUUID()}`)
  try {
    const measured = 'path' in from ? await synced(from) : await written(home, draft, from.bytes)
    await makeMediaFolder(home, id)
    await rename(draft, place)
    await syncFolder(folder)
    return { filename, ...measured }
  } catch (cause) {
    await Promise.all([dropFile(place), ...('path' in from ? [] : [dropFile(draft)])])
    if (isAbsence(cause) && (await isGone(personaFolder(home, id))))
      throw new Unknown('there is no such persona')
    throw new Unavailable('the file cannot be kept', { cause })
  }
}

/** No trouble where there is none. Unknown for a name that was not made here; Unavailable. */
export const dropMedia = async (home: string, id: PersonaId, filename: string): Promise<void> => {
  const path = join(mediaFolder(home, id), nameOf(filename))
  await orRefused(rm(path, { force: true }), 'the file cannot be removed')
}

/** A name that is made here. */
export const isMediaName = (name: string): boolean => made.test(name)
const made = /^[0-9a-f]{32}\.[a-z0-9]{1,8}$/
const nameOf = (filename: string): string => {
  if (!made.test(filename)) throw new Unknown('there is no such file')
  return filename
}

/** With or without its dot; one that nobody would know is `bin`. */
const safeExtension = (extension: string): string => {
  const plain = extension.replace(/^\./, '').toLowerCase()
  return /^[a-z0-9]{1,8}$/.test(plain) ? plain : 'bin'
}

const synced = async ({ path, measured }: Extract<MediaSource, { path: string }>): Promise<Measured> => {
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

const written = async (home: string, path: string, content: Uint8Array): Promise<Measured> => {
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

/** In a persona's own folder alone: one who is being deleted must not come back as an empty folder. */
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

const isGone = async (path: string): Promise<boolean> => {
  try {
    await (await open(path, 'r')).close()
    return false
  } catch (error) {
    return isAbsence(error)
  }
}

const orRefused = async <T>(asked: Promise<T>, otherwise: string): Promise<T> => {
  try {
    return await asked
  } catch (cause) {
    throw new Unavailable(otherwise, { cause })
  }
}

const dropFile = (path: string): Promise<void> => rm(path, { force: true }).catch(nothing)

const nothing = () => undefined

/** Checks media files against the checksum in their fact. Results are cached until the file changes. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pLimit from 'p-limit'
import type { Media, PersonaId, Seq } from '../../facts/fact-values.ts'
import { isIn } from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { isMediaName, type MediaStore } from '../../home/media.ts'
import { mediaFolder } from '../../home/places.ts'
import { unlessAbsent } from '../../journal/leveldb/durable-files.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import { yieldingJournal } from './yielding-journal.ts'

/** The checksum in a fact; null if it was written before checksums existed. */
export type MediaChecksum = Pick<Media, 'filename' | 'bytes' | 'sha256'>

export interface MediaIntegrity {
  /** True if there is no checksum or the file is gone. Throws file system errors. */
  isSound(id: PersonaId, media: MediaChecksum): Promise<boolean>
  /** Returns the checksum in the latest fact that names a file. */
  findNamed(id: PersonaId, filename: string, journal: Journal): Promise<MediaChecksum | undefined>
  forget(id: PersonaId): void
}

/** Files hashed at once. A large one keeps a disk busy for seconds. */
const maxParallelReads = 2
/** Cache limits. */
const maxFiles = 10_000
const maxPersonas = 32

export const createMediaIntegrity = (
  home: string,
  media: Pick<MediaStore, 'bring' | 'replaceFile'>,
): MediaIntegrity => {
  const reading = pLimit(maxParallelReads)
  const runExclusive = createKeyedMutex().run
  /** Checksum by path; `stamp` changes with the file. */
  const checksums = new Map<string, { readonly stamp: string; readonly sha256: Promise<string> }>()
  const indexes = new Map<PersonaId, MediaIndex>()

  const hashFile = async (path: string): Promise<string> => {
    const hash = createHash('sha256')
    for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 }))
      hash.update(piece as Buffer)
    return hash.digest('hex')
  }

  const getChecksum = (path: string, stamp: string): Promise<string> => {
    const cachedChecksum = checksums.get(path)
    if (cachedChecksum?.stamp === stamp) return cachedChecksum.sha256
    const sha256 = reading(hashFile, path)
    sha256.catch(() => checksums.delete(path))
    remember(checksums, path, { stamp, sha256 }, maxFiles)
    return sha256
  }

  const isLocallySound = async (
    id: PersonaId,
    { filename, bytes, sha256 }: MediaChecksum,
  ): Promise<boolean> => {
    const path = join(mediaFolder(home, id), basename(filename))
    const stats = await unlessAbsent(stat(path))
    if (!stats?.isFile()) return true
    if (bytes !== null && stats.size !== bytes) return false
    const { size, mtimeMs, ctimeMs, ino } = stats
    return sha256 === null || (await getChecksum(path, `${size} ${mtimeMs} ${ctimeMs} ${ino}`)) === sha256
  }

  return {
    isSound: async (id, checksum) => {
      await media.bring(id, checksum.filename)
      if (await isLocallySound(id, checksum)) return true
      return (await media.replaceFile(id, checksum.filename)) && isLocallySound(id, checksum)
    },
    findNamed: async (id, filename, journal) => {
      if (!isMediaName(filename)) return undefined
      // One at a time per persona, so that the next caller reuses the index.
      return runExclusive(id, async () => {
        const index = await extendIndex(filename, indexes.get(id) ?? emptyIndex, journal)
        remember(indexes, id, index, maxPersonas)
        return index.files.get(filename)
      })
    },
    forget: (id) => {
      indexes.delete(id)
    },
  }
}

/** Evicts the oldest entry above the limit. */
const remember = <K, V>(all: Map<K, V>, key: K, value: V, max: number): void => {
  all.delete(key)
  all.set(key, value)
  const [oldestName] = all.keys()
  if (all.size > max && oldestName !== undefined) all.delete(oldestName)
}

/** The files named by facts with `from < seq <= head.seq`. */
interface MediaIndex {
  readonly from: Seq | 0
  readonly head: Head
  readonly files: ReadonlyMap<string, MediaChecksum>
}

const emptyIndex: MediaIndex = { from: 0, head: emptyHead, files: new Map() }

const firstPage = 500

/** Reads everything after the index, then backwards in doubling pages until the file is found. */
const extendIndex = async (
  filename: string,
  indexBefore: MediaIndex,
  journal: Journal,
): Promise<MediaIndex> => {
  const { head } = journal
  const journalReader = yieldingJournal(journal)
  // The journal may have been replaced since.
  const isCurrent =
    indexBefore.head.seq > 0 && (await journal.hashAt(indexBefore.head.seq)) === indexBefore.head.hash
  const { files, from: reachedSeq } = isCurrent
    ? indexBefore
    : { files: new Map<string, MediaChecksum>(), from: head.seq }
  const all = new Map(files)
  const add = (page: readonly Media[], isLatest: boolean) => {
    for (const media of page) if (isLatest || !all.has(media.filename)) all.set(media.filename, media)
  }
  if (isCurrent && head.seq > indexBefore.head.seq)
    add(await mediaIn(journalReader, { after: indexBefore.head.seq, upTo: head.seq }), true)
  let from = reachedSeq
  for (let last = firstPage; from > 0 && !all.has(filename); last *= 2) {
    let first: Seq = from
    let count = 0
    const page: Media[] = []
    for await (const { seq, event } of journalReader.read({ kind: 'talk', upTo: from, last })) {
      if (count++ === 0) first = seq
      if (isIn('talk', event) && event.media) page.push(event.media)
    }
    add(page.reverse(), false)
    from = count < last ? 0 : first - 1
  }
  return { from, head, files: all }
}

const mediaIn = async (
  journalReader: Pick<Journal, 'read'>,
  range: { readonly after: Seq; readonly upTo: Seq },
): Promise<readonly Media[]> => {
  const media: Media[] = []
  for await (const { event } of journalReader.read({ kind: 'talk', ...range }))
    if (isIn('talk', event) && event.media) media.push(event.media)
  return media
}

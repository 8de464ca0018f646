/** Checks media files against the checksum in their fact. Results are cached until the file changes. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pLimit from 'p-limit'
import type { Media, PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import { isIn } from '../../journal/facts/facts.ts'
import { isMediaName, type MediaStore } from '../../journal/files/media.ts'
import { present } from '../../journal/files/moves.ts'
import { mediaFolder } from '../../journal/files/places.ts'
import type { Head } from '../../journal/log/head.ts'
import { emptyHead, type Journal } from '../../journal/log/journal.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import { yieldingJournal } from './yielding-journal.ts'

/** The checksum in a fact; null if it was written before checksums existed. */
export type Vouched = Pick<Media, 'filename' | 'bytes' | 'sha256'>

export interface MediaIntegrity {
  /** True if there is no checksum or the file is gone. Throws file system errors. */
  isSound(id: PersonaId, media: Vouched): Promise<boolean>
  /** Returns the checksum in the latest fact that names a file. */
  named(id: PersonaId, filename: string, journal: Journal): Promise<Vouched | undefined>
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
    const cached = checksums.get(path)
    if (cached?.stamp === stamp) return cached.sha256
    const sha256 = reading(hashFile, path)
    sha256.catch(() => checksums.delete(path))
    remember(checksums, path, { stamp, sha256 }, maxFiles)
    return sha256
  }

  const isLocallySound = async (id: PersonaId, { filename, bytes, sha256 }: Vouched): Promise<boolean> => {
    const path = join(mediaFolder(home, id), basename(filename))
    const found = await present(stat(path))
    if (!found?.isFile()) return true
    if (bytes !== null && found.size !== bytes) return false
    const { size, mtimeMs, ctimeMs, ino } = found
    return sha256 === null || (await getChecksum(path, `${size} ${mtimeMs} ${ctimeMs} ${ino}`)) === sha256
  }

  return {
    isSound: async (id, vouched) => {
      await media.bring(id, vouched.filename)
      if (await isLocallySound(id, vouched)) return true
      return (await media.replaceFile(id, vouched.filename)) && isLocallySound(id, vouched)
    },
    named: async (id, filename, journal) => {
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
  const [oldest] = all.keys()
  if (all.size > max && oldest !== undefined) all.delete(oldest)
}

/** The files named by facts with `from < seq <= head.seq`. */
interface MediaIndex {
  readonly from: Seq | 0
  readonly head: Head
  readonly files: ReadonlyMap<string, Vouched>
}

const emptyIndex: MediaIndex = { from: 0, head: emptyHead, files: new Map() }

const firstPage = 500

/** Reads everything after the index, then backwards in doubling pages until the file is found. */
const extendIndex = async (filename: string, before: MediaIndex, journal: Journal): Promise<MediaIndex> => {
  const { head } = journal
  const read = yieldingJournal(journal)
  // The journal may have been replaced since.
  const isCurrent = before.head.seq > 0 && (await journal.hashAt(before.head.seq)) === before.head.hash
  const { files, from: reached } = isCurrent ? before : { files: new Map<string, Vouched>(), from: head.seq }
  const all = new Map(files)
  const add = (page: readonly Media[], latest: boolean) => {
    for (const media of page) if (latest || !all.has(media.filename)) all.set(media.filename, media)
  }
  if (isCurrent && head.seq > before.head.seq)
    add(await mediaIn(read, { after: before.head.seq, upTo: head.seq }), true)
  let from = reached
  for (let last = firstPage; from > 0 && !all.has(filename); last *= 2) {
    let first: Seq = from
    let count = 0
    const page: Media[] = []
    for await (const { seq, event } of read.read({ kind: 'talk', upTo: from, last })) {
      if (count++ === 0) first = seq
      if (isIn('talk', event) && event.media) page.push(event.media)
    }
    add(page.reverse(), false)
    from = count < last ? 0 : first - 1
  }
  return { from, head, files: all }
}

const mediaIn = async (
  read: Pick<Journal, 'read'>,
  range: { readonly after: Seq; readonly upTo: Seq },
): Promise<readonly Media[]> => {
  const found: Media[] = []
  for await (const { event } of read.read({ kind: 'talk', ...range }))
    if (isIn('talk', event) && event.media) found.push(event.media)
  return found
}

/**
 * Whether a file is still what the fact that names it says: looked at once for as long as it lies there
 * unchanged, and never shown where it is not.
 */
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
import { type Head, type Journal, nowhere } from '../../journal/log/journal.ts'
import { createKeyedMutex } from '../flow/keyed-mutex.ts'
import { yieldingJournal } from '../flow/yielding.ts'

/** What a fact says of a file; null where it was written by a build that did not look. */
export type Vouched = Pick<Media, 'filename' | 'bytes' | 'sha256'>

export interface SoundMedia {
  /** Also true where nothing vouches for it, or it is gone. Throws what the disk says. */
  isSound(id: PersonaId, media: Vouched): Promise<boolean>
  /** What the latest fact that names a file says of it. */
  named(id: PersonaId, filename: string, journal: Journal): Promise<Vouched | undefined>
  forget(id: PersonaId): void
}

/** Files that are read at once: a large one takes a disk for seconds. */
const readAtOnce = 2
/** Files, and personas, of whom it is remembered what was found. */
const [mostFiles, mostPersonas] = [10_000, 32]

export const createSoundMedia = (
  home: string,
  media: Pick<MediaStore, 'bring' | 'bringAnew'>,
): SoundMedia => {
  const reading = pLimit(readAtOnce)
  const inTurn = createKeyedMutex().run
  /** By its place: how the file lay there when it was looked at, and what was found. */
  const looked = new Map<string, { readonly as: string; readonly sha256: Promise<string> }>()
  const known = new Map<PersonaId, Naming>()

  const hashed = async (path: string): Promise<string> => {
    const hash = createHash('sha256')
    for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 }))
      hash.update(piece as Buffer)
    return hash.digest('hex')
  }

  const sumOf = (path: string, as: string): Promise<string> => {
    const before = looked.get(path)
    if (before?.as === as) return before.sha256
    const sha256 = reading(hashed, path)
    sha256.catch(() => looked.delete(path))
    remember(looked, path, { as, sha256 }, mostFiles)
    return sha256
  }

  const isSoundHere = async (id: PersonaId, { filename, bytes, sha256 }: Vouched): Promise<boolean> => {
    const path = join(mediaFolder(home, id), basename(filename))
    const found = await present(stat(path))
    if (!found?.isFile()) return true
    if (bytes !== null && found.size !== bytes) return false
    const { size, mtimeMs, ctimeMs, ino } = found
    return sha256 === null || (await sumOf(path, `${size} ${mtimeMs} ${ctimeMs} ${ino}`)) === sha256
  }

  return {
    isSound: async (id, vouched) => {
      await media.bring(id, vouched.filename)
      if (await isSoundHere(id, vouched)) return true
      return (await media.bringAnew(id, vouched.filename)) && isSoundHere(id, vouched)
    },
    named: async (id, filename, journal) => {
      if (!isMediaName(filename)) return undefined
      // One after the other: who asks next goes on where this one stops.
      return inTurn(id, async () => {
        const naming = await soughtFor(filename, known.get(id) ?? unnamed, journal)
        remember(known, id, naming, mostPersonas)
        return naming.files.get(filename)
      })
    },
    forget: (id) => {
      known.delete(id)
    },
  }
}

/** The latest stay. */
const remember = <K, V>(all: Map<K, V>, key: K, value: V, most: number): void => {
  all.delete(key)
  all.set(key, value)
  const [oldest] = all.keys()
  if (all.size > most && oldest !== undefined) all.delete(oldest)
}

/** What the facts with `from < seq <= head.seq` name. */
interface Naming {
  readonly from: Seq | 0
  readonly head: Head
  readonly files: ReadonlyMap<string, Vouched>
}

const unnamed: Naming = { from: 0, head: nowhere, files: new Map() }

const firstPage = 500

/** Everything since it was last looked, then backwards in pages that double, as far as the file is named. */
const soughtFor = async (filename: string, before: Naming, journal: Journal): Promise<Naming> => {
  const { head } = journal
  const read = yieldingJournal(journal)
  // Another history may lie there since.
  const goesOn = before.head.seq > 0 && (await journal.hashAt(before.head.seq)) === before.head.hash
  const { files, from: reached } = goesOn ? before : { files: new Map<string, Vouched>(), from: head.seq }
  const all = new Map(files)
  const take = (page: readonly Media[], latest: boolean) => {
    for (const media of page) if (latest || !all.has(media.filename)) all.set(media.filename, media)
  }
  if (goesOn && head.seq > before.head.seq)
    take(await mediaIn(read, { after: before.head.seq, upTo: head.seq }), true)
  let from = reached
  for (let last = firstPage; from > 0 && !all.has(filename); last *= 2) {
    let [first, count]: [Seq, number] = [from, 0]
    const page: Media[] = []
    for await (const { seq, event } of read.read({ kind: 'talk', upTo: from, last })) {
      if (count++ === 0) first = seq
      if (isIn('talk', event) && event.media) page.push(event.media)
    }
    take(page.reverse(), false)
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

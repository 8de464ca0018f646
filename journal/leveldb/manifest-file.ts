/**
 * Which files a LevelDB counts as its own: a compaction that was cut off leaves other tables, and LevelDB
 * clears them away.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fragments } from '../../packages/leveldb-reader/log-file.ts'
import { varintsIn } from '../../packages/leveldb-reader/varints.ts'
import { Unavailable } from '../log/errors.ts'

/** The keys that a table begins and ends with. */
export interface TableSpan {
  readonly first: Buffer
  readonly last: Buffer
}

export interface Manifest {
  /** Of each live table, by its number. */
  readonly tables: ReadonlyMap<number, TableSpan>
  /** Number of the oldest log that is not yet in tables; 0 where none was ever named. */
  readonly log: number
  /** The highest sequence number in its tables. */
  readonly lastSequence: number
  /** The number that LevelDB gives to the manifest which it writes when it opens the store. */
  readonly nextFile: number
}

interface Counted extends Manifest {
  readonly tables: Map<number, TableSpan>
  log: number
  lastSequence: number
  nextFile: number
}

/**
 * Undefined if there is none or it is damaged, as LevelDB itself will say. Format: LevelDB,
 * db/version_edit.cc. Unavailable: an error of the system does not say what the manifest names.
 */
export const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  const current = await contents(join(folder, 'CURRENT'))
  return current && readManifestFile(folder, current.toString('latin1').trim())
}

/** The manifest that LevelDB has written while it opened a store, told by the one before. The same errors. */
export const readNextManifest = (folder: string, { nextFile }: Manifest): Promise<Manifest | undefined> =>
  readManifestFile(folder, `MANIFEST-${String(nextFile).padStart(6, '0')}`)

const readManifestFile = async (folder: string, name: string): Promise<Manifest | undefined> => {
  const bytes = await contents(join(folder, name))
  try {
    return bytes && manifestOf(bytes)
  } catch {
    return undefined
  }
}

/** Undefined if something else, or nothing, lies there. */
const contents = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as { code?: string }
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ERR_INVALID_ARG_VALUE')
      return undefined
    throw new Unavailable('the manifest of the store cannot be read', { cause })
  }
}

/** Throws where it is not one. */
export const manifestOf = (bytes: Buffer): Manifest => {
  const counted: Counted = { tables: new Map(), log: 0, lastSequence: 0, nextFile: 0 }
  for (const edit of records(bytes)) apply(edit, counted)
  return counted
}

/**
 * Records, put together from their pieces, up to where one is not whole: LevelDB takes no more of them
 * either.
 */
function* records(log: Buffer): Generator<Buffer> {
  let parts: Buffer[] = []
  for (const { kind, data, whole } of fragments(log)) {
    if (!whole) return
    if (kind === 0) parts = []
    parts.push(data)
    if (kind === 1 || kind === 4) {
      yield Buffer.concat(parts)
      parts = []
    }
  }
}

/** One edit: tagged fields. 1, 5 and 9 are the comparator, a compaction's place and an older log. */
const apply = (edit: Buffer, counted: Counted): void => {
  const { at, number, bytes, skip } = varintsIn(edit, 0)
  while (at() < edit.length) {
    const tag = number()
    if (tag === 1) skip(number())
    else if (tag === 2) counted.log = number()
    else if (tag === 4) counted.lastSequence = number()
    else if (tag === 3) counted.nextFile = number()
    else if (tag === 9) number()
    else if (tag === 5) {
      number()
      skip(number())
    } else if (tag === 6) {
      number()
      counted.tables.delete(number())
    } else if (tag === 7) {
      number()
      const table = number()
      number()
      // Behind a key are eight bytes of LevelDB's own.
      const first = bytes(number()).subarray(0, -8)
      counted.tables.set(table, { first, last: bytes(number()).subarray(0, -8) })
    } else throw new Error('unknown field')
  }
}

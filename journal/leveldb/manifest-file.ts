/**
 * Reads LevelDB's manifest, which lists the live files. An interrupted compaction leaves other tables, which
 * LevelDB deletes.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fragments } from '../leveldb-reader/log-file.ts'
import { varintsIn } from '../leveldb-reader/varints.ts'
import { Unavailable } from '../log/errors.ts'

/** First and last key of a table. */
export interface TableSpan {
  readonly first: Buffer
  readonly last: Buffer
}

export interface Manifest {
  /** Live tables by number. */
  readonly tables: ReadonlyMap<number, TableSpan>
  /** Number of the oldest log that is not yet in tables; 0 if none was named. */
  readonly log: number
  /** The highest sequence number in its tables. */
  readonly lastSequence: number
  /** Number of the manifest that LevelDB writes at the next opening. */
  readonly nextFile: number
}

interface Counted extends Manifest {
  readonly tables: Map<number, TableSpan>
  log: number
  lastSequence: number
  nextFile: number
}

/**
 * Reads the manifest. Returns undefined if there is none or it is damaged; LevelDB then fails to open. Throws
 * Unavailable on system errors, which say nothing about the manifest. Format: LevelDB, db/version_edit.cc.
 */
export const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  const current = await contents(join(folder, 'CURRENT'))
  return current && readManifestFile(folder, current.toString('latin1').trim())
}

/**
 * Reads the manifest that LevelDB wrote when it opened the store. Its number is in the manifest before. Same
 * errors.
 */
export const readNextManifest = (folder: string, { nextFile }: Manifest): Promise<Manifest | undefined> =>
  readManifestFile(folder, `MANIFEST-${String(nextFile).padStart(6, '0')}`)

const readManifestFile = async (folder: string, name: string): Promise<Manifest | undefined> => {
  const bytes = await contents(join(folder, name))
  try {
    return bytes && createManifest(bytes)
  } catch {
    return undefined
  }
}

/** Returns undefined if the path does not exist or is not a file. */
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

/** Throws if the bytes are not a manifest. */
export const createManifest = (bytes: Buffer): Manifest => {
  const state: Counted = { tables: new Map(), log: 0, lastSequence: 0, nextFile: 0 }
  for (const edit of records(bytes)) apply(edit, state)
  return state
}

/** Yields records, joined from their fragments, up to the first incomplete one. LevelDB stops there too. */
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

/**
 * Applies one edit, which consists of tagged fields. Tags 1, 5 and 9 are the comparator, a compaction pointer
 * and an older log.
 */
const apply = (edit: Buffer, state: Counted): void => {
  const { at, number, bytes, skip } = varintsIn(edit, 0)
  while (at() < edit.length) {
    const tag = number()
    if (tag === 1) skip(number())
    else if (tag === 2) state.log = number()
    else if (tag === 4) state.lastSequence = number()
    else if (tag === 3) state.nextFile = number()
    else if (tag === 9) number()
    else if (tag === 5) {
      number()
      skip(number())
    } else if (tag === 6) {
      number()
      state.tables.delete(number())
    } else if (tag === 7) {
      number()
      const table = number()
      number()
      // The last eight bytes of a key are LevelDB's own.
      const first = bytes(number()).subarray(0, -8)
      state.tables.set(table, { first, last: bytes(number()).subarray(0, -8) })
    } else throw new Error('unknown field')
  }
}

/**
 * Which files a LevelDB counts as its own: a compaction that was cut off leaves other tables, and LevelDB
 * clears them away.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fragments } from './log-file.ts'
import { varintsIn } from './varints.ts'

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
}

interface Counted extends Manifest {
  readonly tables: Map<number, TableSpan>
  log: number
}

/** Undefined where it cannot be read, as LevelDB itself will say. Format: LevelDB, db/version_edit.cc. */
export const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  try {
    const name = (await readFile(join(folder, 'CURRENT'), 'latin1')).trim()
    return manifestOf(await readFile(join(folder, name)))
  } catch {
    return undefined
  }
}

/** Throws where it is not one. */
export const manifestOf = (bytes: Buffer): Manifest => {
  const counted: Counted = { tables: new Map(), log: 0 }
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
    parts.push(data)
    if (kind === 1 || kind === 4) {
      yield Buffer.concat(parts)
      parts = []
    }
  }
}

/** One edit: tagged fields, of which only the log (2) and tables that came (7) and went (6) matter here. */
const apply = (edit: Buffer, counted: Counted): void => {
  const { at, number, bytes, skip } = varintsIn(edit, 0)
  while (at() < edit.length) {
    const tag = number()
    if (tag === 1) skip(number())
    else if (tag === 2) counted.log = number()
    else if (tag === 3 || tag === 4 || tag === 9) number()
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

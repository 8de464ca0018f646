/**
 * Copies the files of a LevelDB that may be open. Tables never change: a hard link keeps a table that a
 * compaction removes, until it is copied. The files that change are small.
 */
import { constants, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findEnd } from '../leveldb-reader/log-file.ts'
import { Unavailable } from '../log/errors.ts'
import type { Store, TakenFiles } from '../log/store.ts'
import { makeFolder, syncWhole, unlessAbsent } from './durable-files.ts'
import { openLevelStore } from './level-store.ts'
import { isTable, linkOrCopy } from './linked-files.ts'
import { createManifest, type Manifest, readManifest } from './manifest-file.ts'

/** Contents of the changing files at one moment, and the tables that belong to them. */
interface Rest {
  readonly tables: readonly string[]
  readonly files: ReadonlyMap<string, Buffer>
}

/** A compaction may end between two attempts, but rarely this often in a row. */
const maxAttempts = 20

/** Links the tables into `folder`. Returns undefined if the files keep changing or are incomplete. */
export const takeFiles = async (from: string, folder: string): Promise<TakenFiles | undefined> => {
  try {
    await makeFolder(folder)
    const linkedNames = new Set<string>()
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const rest = await look(from, folder, linkedNames)
      if (rest) return { lay: (to) => lay(folder, rest, to) }
    }
    return undefined
  } catch (cause) {
    throw new Unavailable('the files of the journal cannot be linked', { cause })
  }
}

/**
 * The order matters. Tables that the manifest names are complete, and the logs hold the rest. If the
 * manifest, read last, names no other tables, then no data has moved from the logs into one of those.
 */
const look = async (from: string, folder: string, linkedNames: Set<string>): Promise<Rest | undefined> => {
  const current = await unlessAbsent(readFile(join(from, 'CURRENT')))
  const manifestBefore = await readManifest(from)
  if (!current || !manifestBefore) return undefined
  for (const name of await listTables(from, manifestBefore.tables))
    if (!linkedNames.has(name) && (await linkOrCopy(join(from, name), join(folder, name))))
      linkedNames.add(name)
  const logs = new Map<string, Buffer>()
  for (const name of (await readdir(from)).filter((name) => name.endsWith('.log'))) {
    const bytes = await unlessAbsent(readFile(join(from, name)))
    if (bytes) logs.set(name, bytes)
  }
  const manifest = current.toString('latin1').trim()
  const bytes = await unlessAbsent(readFile(join(from, manifest)))
  if (!bytes || findEnd(bytes) !== 'whole' || !(await readFile(join(from, 'CURRENT'))).equals(current))
    return undefined
  const now = createManifest(bytes)
  const tables = [...linkedNames].filter((name) => now.tables.has(Number.parseInt(name, 10)))
  const files = new Map([...logs].filter(([name]) => Number.parseInt(name, 10) >= now.log))
  // A log ends in the middle of a batch while that batch is written.
  const isAtRest = [...files.values()].every((log) => findEnd(log) === 'whole')
  if (tables.length < now.tables.size || !isAtRest) return undefined
  return { tables, files: files.set('CURRENT', current).set(manifest, bytes) }
}

const listTables = async (folder: string, liveTables: Manifest['tables']): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => isTable(name) && liveTables.has(Number.parseInt(name, 10)))

const copyTable = (from: string, to: string): Promise<void> =>
  copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)

/** Copies without sharing bytes, so that damage to one copy leaves the other intact. */
const lay = async (folder: string, { tables, files }: Rest, to: string): Promise<Store> => {
  try {
    for (const name of tables) await copyTable(join(folder, name), join(to, name))
    for (const [name, bytes] of files) await writeFile(join(to, name), bytes, { flag: 'wx', mode: 0o600 })
    await rm(folder, { recursive: true, force: true })
    // Sync before LevelDB works on the files: many unsynced pages delay the syncs of others.
    await syncWhole(to)
  } catch (cause) {
    throw new Unavailable('the files of the journal cannot be copied', { cause })
  }
  return openLevelStore(to, 'existing')
}

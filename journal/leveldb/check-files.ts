/**
 * Checks LevelDB's files before LevelDB reads them. LevelDB was built with assertions and does not verify the
 * checksums of tables: one flipped bit can end the whole process and thus stop all journals (measured: 7 of
 * 1500 flipped bits did). It also silently skips unreadable parts of a log, and then deletes the log.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { batchesIn, readLog } from '../leveldb-reader/log-file.ts'
import { isWhole } from '../leveldb-reader/table-file.ts'
import { Damaged, Unavailable } from '../log/errors.ts'
import { type FoundWhole, keepFoundWhole, takeFoundWhole } from './found-whole.ts'
import { isTable, linkOrCopy } from './linked-files.ts'
import { isGuard, type LiveLog, restoreLogs } from './log-guard.ts'
import { type Manifest, readManifest } from './manifest-file.ts'

/** Intact tables per folder, with a fingerprint. Tables never change, so each is read once. */
const foundByFolder = new Map<string, FoundWhole>()

export interface Checked {
  /** Whether LevelDB will find a store. */
  readonly isThere: boolean
  readonly manifest: Manifest | undefined
  /** Non-empty logs that LevelDB has to recover, oldest first. */
  readonly logs: readonly LiveLog[]
  /** Names of guards that a crash left. */
  readonly guards: readonly string[]
}

/**
 * Checks all tables and logs. Yields to the event loop after each table (max 2 MB, by LevelDB's limit).
 * Throws Damaged if a file is corrupt, Unavailable if it cannot be read.
 */
export const checkFiles = async (folder: string): Promise<Checked> => {
  const [manifest, namesBefore] = await Promise.all([readManifest(folder), namesIn(folder)])
  const isRestored = namesBefore.some(isGuard) && (await restoreLogs(folder, namesBefore, manifest))
  const names = isRestored ? await namesIn(folder) : namesBefore
  const logs = await checkLogs(folder, names, manifest?.log ?? 0)
  const storedResult = await takeFoundWhole(folder)
  const previousPrints = foundByFolder.get(folder) ?? storedResult
  const intactPrints = new Map<string, string>()
  for (const name of names.filter(isTable)) {
    const path = join(folder, name)
    const print = await getFingerprint(path)
    if (print === undefined) continue
    if (previousPrints.get(name) !== print) {
      const file = await contents(path)
      if (!file) continue
      if (!isWhole(file)) {
        if (await isLive(path)) throw new Damaged(1, 'a table of the store is damaged')
        continue
      }
      await setImmediate()
    }
    intactPrints.set(name, print)
  }
  foundByFolder.set(folder, intactPrints)
  return { isThere: names.includes('CURRENT'), manifest, logs, guards: names.filter(isGuard) }
}

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder)
  } catch (cause) {
    throw new Unavailable('the folder of the store cannot be read', { cause })
  }
}

/**
 * Returns whether every table of the manifest exists. LevelDB reports missing files too if the system listed
 * only a part of the folder.
 */
export const hasAllTables = async (folder: string): Promise<boolean> => {
  const manifest = await readManifest(folder)
  const tables = new Set((await namesIn(folder)).filter(isTable).map(fileNumber))
  return manifest !== undefined && [...manifest.tables.keys()].every((table) => tables.has(table))
}

/** Stores the fingerprints of the intact tables when a store is closed. Never rejects. */
export const leaveChecked = async (folder: string): Promise<void> => {
  const intactPrints = foundByFolder.get(folder) ?? new Map<string, string>()
  const bytes = [...intactPrints.values()].reduce((sum, print) => sum + Number(print.split(' ')[1]), 0)
  if (bytes > minStoredBytes) await keepFoundWhole(folder, intactPrints)
}

/** Bytes. The next process checks less than this within 20 ms. */
const minStoredBytes = 4 * 1024 * 1024

/**
 * A torn end of a log is normal after a crash. After a crash during opening there can be a newer log as well.
 * A new empty log that the manifest names may be missing after a power cut. The chain and the witness detect
 * missing records.
 */
const checkLogs = async (
  folder: string,
  names: readonly string[],
  oldestNumber: number,
): Promise<readonly LiveLog[]> => {
  const liveLogs = names.filter((name) => name.endsWith('.log') && fileNumber(name) >= oldestNumber)
  const logs: LiveLog[] = []
  for (const path of liveLogs.sort((a, b) => fileNumber(a) - fileNumber(b)).map(inFolder(folder))) {
    const file = await contents(path)
    if (!file) continue
    const log = readLog(file)
    if (log.end === 'broken') throw new Damaged(1, 'a log of the store is damaged')
    if (log.end === 'torn') await keepTorn(path)
    const batches = batchesIn(log)
    if (batches.length > 0) logs.push({ path, batches })
  }
  return logs
}

const inFolder = (folder: string) => (name: string) => join(folder, name)

/**
 * Keeps a copy as `torn-<number>`: LevelDB deletes the log with its torn end, which may turn out to be
 * needed.
 */
const keepTorn = async (path: string): Promise<void> => {
  const folder = dirname(path)
  const copy = join(dirname(path), `torn-${basename(path, '.log')}`)
  try {
    await rm(copy, { force: true })
    await linkOrCopy(path, copy)
    const old = (await readdir(folder))
      .filter((name) => name.startsWith('torn-'))
      .sort()
      .slice(0, -maxTornLogs)
    for (const name of old) await rm(join(folder, name), { force: true })
  } catch (cause) {
    throw new Unavailable('the torn end of a log cannot be stored', { cause })
  }
}

/** Number of torn logs that are kept. */
const maxTornLogs = 8

// Tables of an interrupted compaction are not in the manifest and do not count as damage.
const isLive = async (path: string): Promise<boolean> => {
  const manifest = await readManifest(dirname(path))
  return manifest === undefined || manifest.tables.has(fileNumber(path))
}

const fileNumber = (path: string): number => Number.parseInt(basename(path), 10)

/** Returns undefined if the file was deleted: another process uses the store, and opening it will fail. */
const getFingerprint = async (path: string): Promise<string | undefined> => {
  try {
    const { ino, size, mtimeMs } = await stat(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return undefined
    throw new Unavailable('a table of the store cannot be read', { cause })
  }
}

/** Returns undefined if the file was deleted meanwhile. */
const contents = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as { code?: unknown }
    if (code === 'ENOENT') return undefined
    if (code === 'EISDIR') throw new Damaged(1, 'a folder is in the place of a file of the store', { cause })
    throw new Unavailable('a file of the store cannot be read', { cause })
  }
}

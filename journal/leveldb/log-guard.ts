/**
 * Keeps the logs of a LevelDB until it has shown that it recovered them. LevelDB ignores a log that it cannot
 * open or read to its end while it opens a store, and deletes it all the same: ⏱ one EMFILE there lost 182 of
 * 185 synced facts.
 *
 * Each log gets a second name, `guard-<number>`, before LevelDB opens the store. Afterwards its manifest
 * tells the last sequence number that it recovered. If that is too low, the batches are written again from
 * memory. A guard that a crash left behind is resolved at the next opening.
 */
import { readFile, rename, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { batchesIn, lastSequenceOf, opsOf, readLog } from '../../packages/leveldb-reader/log-file.ts'
import { linkOrCopy } from '../files/linked-files.ts'
import { isThere } from '../files/moves.ts'
import { syncFolder } from '../files/places.ts'
import { Unavailable } from '../log/errors.ts'
import type { Op } from '../log/store.ts'
import { type Manifest, readNextManifest } from './manifest-file.ts'

export interface LiveLog {
  readonly path: string
  /** At least one. */
  readonly batches: readonly Buffer[]
}

export interface LogGuard {
  /**
   * Makes sure that the opened store holds all that the logs held, then removes the guards. Before this
   * resolves, the store must not be used. Unavailable: the guards stay for the next opening.
   */
  release(write: (ops: readonly Op[]) => Promise<void>): Promise<void>
  /** LevelDB did not open the store: the logs are still there. Never rejects. */
  withdraw(): Promise<void>
}

export const isGuard = (name: string): boolean => /^guard-\d+$/.test(name)

const guardOf = (folder: string, log: string): string => join(folder, `guard-${basename(log, '.log')}`)
const logOf = (guard: string): string => `${guard.replace('guard-', '')}.log`

/**
 * Resolves the guards that a crash left of logs that the manifest still needs: a guard beside its log is
 * needless, one without becomes that log. Returns whether it changed the folder.
 */
export const restoreLogs = async (
  folder: string,
  names: readonly string[],
  manifest: Manifest | undefined,
): Promise<boolean> => {
  if (!manifest) return false
  let isChanged = false
  try {
    for (const name of names.filter(isGuard)) {
      if (Number.parseInt(logOf(name), 10) < manifest.log) continue
      if (names.includes(logOf(name))) await unlink(join(folder, name))
      else await rename(join(folder, name), join(folder, logOf(name)))
      isChanged = true
    }
  } catch (cause) {
    throw new Unavailable('a log of the store cannot be restored', { cause })
  }
  return isChanged
}

interface Logs {
  readonly manifest: Manifest | undefined
  readonly logs: readonly LiveLog[]
  /** Names of the guards that `restoreLogs` left. */
  readonly guards: readonly string[]
}

/** Undefined without a manifest: LevelDB opens no such store. Unavailable. */
export const guardLogs = async (
  folder: string,
  { manifest, logs, guards }: Logs,
): Promise<LogGuard | undefined> => {
  if (!manifest) return undefined
  try {
    const left = await readGuards(folder, guards)
    const lost = areLost(left, Math.max(manifest.lastSequence, lastSequenceIn(logs))) ? left : []
    for (const { path } of logs) await linkOrCopy(path, guardOf(folder, path))
    return {
      release: (write) => release(folder, { manifest, logs, lost, guards }, write),
      withdraw: () => withdraw(folder, logs),
    }
  } catch (cause) {
    throw new Unavailable('the logs of the store cannot be protected', { cause })
  }
}

const readGuards = async (folder: string, guards: readonly string[]): Promise<readonly LiveLog[]> => {
  const left: LiveLog[] = []
  for (const name of [...guards].sort()) {
    const path = join(folder, name)
    const batches = batchesIn(readLog(await readFile(path)))
    if (batches.length > 0) left.push({ path, batches })
  }
  return left
}

/**
 * Whether the store never had what is in guards that are left. A single one tells it by its last sequence
 * number, also if a power cut brought it back. Several were never removed, so the store was not used since:
 * their removal is synced.
 */
const areLost = (left: readonly LiveLog[], written: number): boolean =>
  left.length > 1 || lastSequenceIn(left) > written

/** The batches of a log are numbered in their order. */
const lastSequenceIn = (logs: readonly LiveLog[]): number =>
  Math.max(0, ...logs.flatMap(({ batches }) => batches.slice(-1)).map(lastSequenceOf))

interface Guarded extends Logs {
  readonly manifest: Manifest
  readonly lost: readonly LiveLog[]
}

const release = async (
  folder: string,
  { manifest, logs, lost, guards }: Guarded,
  write: (ops: readonly Op[]) => Promise<void>,
): Promise<void> => {
  try {
    const areAllThere = lost.length === 0 && (await areRecovered(folder, manifest, logs))
    const again = areAllThere ? [] : [...lost, ...logs]
    // One batch: a crash leaves all of it or nothing.
    if (again.length > 0)
      await write(again.flatMap(({ batches }) => batches.flatMap((batch) => [...opsOf(batch)])))
    const all = [
      ...guards.map((name) => join(folder, name)),
      ...logs.map(({ path }) => guardOf(folder, path)),
    ]
    for (const guard of all) await unlink(guard)
    if (all.length > 1) await syncFolder(folder)
  } catch (cause) {
    throw new Unavailable('the logs of the store were not recovered', { cause })
  }
}

/**
 * LevelDB writes a new manifest whenever it opens a store. Of several logs it does not tell which one it
 * read: they are written again, which changes nothing if all were there. Several are rare: a crash leaves
 * them.
 */
const areRecovered = async (folder: string, before: Manifest, logs: readonly LiveLog[]): Promise<boolean> => {
  if (logs.length !== 1) return logs.length === 0
  return ((await readNextManifest(folder, before))?.lastSequence ?? 0) >= lastSequenceIn(logs)
}

const withdraw = async (folder: string, logs: readonly LiveLog[]): Promise<void> => {
  for (const { path } of logs)
    try {
      if (await isThere(path)) await unlink(guardOf(folder, path))
    } catch {
      // The next opening resolves it.
    }
}

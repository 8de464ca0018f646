/**
 * Moves a new journal into place by one rename. A crash leaves the old or the new state, and the next start
 * completes the rest.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { Unavailable } from '../log/errors.ts'
import { personaFolders } from './persona-folders.ts'
import {
  journalFolder,
  leavingFolder,
  makeFolder,
  mediaFolder,
  nextFolder,
  nextMediaFolder,
  partedName,
  personaFolder,
  syncFolder,
  syncWhole,
  trashFolder,
} from './places.ts'

interface Replacing {
  readonly old: 'drop' | 'keep'
  /** Media files to remove together with the old journal. */
  readonly files?: readonly string[]
  /** Runs right before the switch. */
  readonly before?: () => Promise<void>
}

/**
 * Replaces the current journal, which is deleted or kept for 30 days. Nothing has changed if it rejects
 * before the switch. Throws Unavailable.
 */
export const replace = async (
  home: string,
  id: PersonaId,
  draft: string,
  { old, files = [], before = async () => {} }: Replacing,
): Promise<void> => {
  const place = journalFolder(home, id)
  const next = nextFolder(home, id)
  const trashPath = join(trashFolder(home), old === 'keep' ? partedName(id, new Date()) : randomUUID())
  try {
    await syncWhole(draft)
    await rm(next, { recursive: true, force: true })
    await rename(draft, next)
    await syncFolder(personaFolder(home, id))
    await before()
    await park(home, id, files)
    await swap(place, next, trashPath)
    // The switch is done, so one failed sync is retried before an error is reported.
    const sync = () => syncFolder(personaFolder(home, id))
    await sync().catch(sync)
  } catch (cause) {
    await comeBack(home, id).catch(() => undefined)
    throw new Unavailable('the new journal could not be moved into place', { cause })
  }
  // The next start deletes the rest.
  if (old === 'drop') await rm(trashPath, { recursive: true, force: true }).catch(() => undefined)
}

/** Moves files into the old journal's folder, so that the switch removes all or none of them. */
const park = async (home: string, id: PersonaId, files: readonly string[]): Promise<void> => {
  if (files.length === 0) return
  const from = mediaFolder(home, id)
  const to = leavingFolder(home, id)
  await makeFolder(to)
  for (const name of files) await unlessAbsent(rename(join(from, name), join(to, name)))
  await syncFolder(to)
  if (await fileExists(from)) await syncFolder(from)
}

/** Undoes a replacement while the old journal is in place: deletes the new one and moves the files back. */
const comeBack = async (home: string, id: PersonaId): Promise<void> => {
  if (!(await fileExists(journalFolder(home, id)))) return
  await rm(nextFolder(home, id), { recursive: true, force: true })
  await moveFiles(leavingFolder(home, id), mediaFolder(home, id))
}

/** After a crash between the two renames, the next start completes the second one (`finishSwitch`). */
const swap = async (place: string, next: string, trashPath: string): Promise<void> => {
  await rename(place, trashPath)
  try {
    await rename(next, place)
  } catch (error) {
    await rename(trashPath, place)
    throw error
  }
}

/**
 * Moves a journal into place if the persona has none. Its files become visible after its journal. Throws
 * Unavailable.
 */
export const beginMove = async (home: string, id: PersonaId, draft: string, files: string): Promise<void> => {
  const targetFolder = nextMediaFolder(home, id)
  try {
    await syncWhole(draft)
    await makeFolder(personaFolder(home, id))
    await rm(targetFolder, { recursive: true, force: true })
    if (await fileExists(files)) await rename(files, targetFolder)
    await syncFolder(personaFolder(home, id))
    await rename(draft, journalFolder(home, id))
    await syncFolder(personaFolder(home, id))
  } catch (cause) {
    throw new Unavailable('the new journal could not be moved into place', { cause })
  }
  await moveFiles(targetFolder, mediaFolder(home, id))
}

/** Moves files under the same names. An existing file is not replaced. Throws Unavailable. */
export const moveFiles = async (from: string, to: string): Promise<void> => {
  const names = await unlessAbsent(readdir(from))
  if (!names) return
  try {
    await makeFolder(to)
    for (const name of names)
      if (!(await fileExists(join(to, name)))) await rename(join(from, name), join(to, name))
    await syncFolder(to)
    await rm(from, { recursive: true, force: true })
  } catch (cause) {
    throw new Unavailable('its files could not be moved into place', { cause })
  }
}

/** Completes interrupted replacements that had reached the switch, and discards the others. */
export const finishReplacing = async (home: string): Promise<void> => {
  const ids = await personaFolders(home)
  const finish = async (id: PersonaId) => {
    await finishSwitch(home, id)
    const place = journalFolder(home, id)
    const files = nextMediaFolder(home, id)
    if (await fileExists(place)) await moveFiles(files, mediaFolder(home, id))
    else await rm(files, { recursive: true, force: true })
  }
  await Promise.all(ids.map((id) => finish(id).catch(unlessDenied)))
}

/** Moves the new journal into place if a crash has left neither there. */
export const finishSwitch = async (home: string, id: PersonaId): Promise<void> => {
  const place = journalFolder(home, id)
  const next = nextFolder(home, id)
  if (!(await fileExists(place)) && (await fileExists(next))) {
    await rename(next, place)
    await syncFolder(personaFolder(home, id))
  }
  await comeBack(home, id)
}

/** A persona with an inaccessible folder is skipped, so that the others can start. */
const unlessDenied = (error: unknown): void => {
  if (!isDenied(error)) throw error
}

/** Returns whether the system denied access, according to an error of Node or LevelDB. */
export const isDenied = (error: unknown): boolean =>
  error instanceof Error &&
  (['EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code)) ||
    /Permission denied/.test(error.message) ||
    isDenied(error.cause))

export const fileExists = async (path: string): Promise<boolean> =>
  (await unlessAbsent(stat(path))) !== undefined

/** Returns undefined if the path does not exist. */
export const unlessAbsent = async <T>(operation: Promise<T>): Promise<T | undefined> => {
  try {
    return await operation
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

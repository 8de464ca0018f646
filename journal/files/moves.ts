/**
 * How a journal that was made apart comes to its place under a home: by one step, which a crash leaves done
 * or undone, and the next start finishes.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
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
  /** Media files that leave with the old journal. */
  readonly files?: readonly string[]
  /** Runs right before the switch. */
  readonly before?: () => Promise<void>
}

/**
 * In the place of the one that is there, which goes, or is kept for thirty days. Where it rejects before the
 * switch, nothing has changed. Unavailable.
 */
export const replace = async (
  home: string,
  id: PersonaId,
  draft: string,
  { old, files = [], before = async () => {} }: Replacing,
): Promise<void> => {
  const [place, next] = [journalFolder(home, id), nextFolder(home, id)]
  const away = join(trashFolder(home), old === 'keep' ? partedName(id, new Date()) : randomUUID())
  try {
    await syncWhole(draft)
    await rm(next, { recursive: true, force: true })
    await rename(draft, next)
    await syncFolder(personaFolder(home, id))
    await before()
    await park(home, id, files)
    await swap(place, next, away)
    // It is done, and whoever asked for it should hear so if the disk refuses only once.
    const sync = () => syncFolder(personaFolder(home, id))
    await sync().catch(sync)
  } catch (cause) {
    await comeBack(home, id).catch(() => undefined)
    throw new Unavailable('the new journal could not be put in its place', { cause })
  }
  // What is left of it goes at the next start.
  if (old === 'drop') await rm(away, { recursive: true, force: true }).catch(() => undefined)
}

/** Into the old journal's folder: the switch takes them away with it, or leaves both. */
const park = async (home: string, id: PersonaId, files: readonly string[]): Promise<void> => {
  if (files.length === 0) return
  const [from, to] = [mediaFolder(home, id), leavingFolder(home, id)]
  await makeFolder(to)
  for (const name of files) await present(rename(join(from, name), join(to, name)))
  await syncFolder(to)
  if (await isThere(from)) await syncFolder(from)
}

/** While the journal is in its place, nothing waits to replace it, and its files are its own. */
const comeBack = async (home: string, id: PersonaId): Promise<void> => {
  if (!(await isThere(journalFolder(home, id)))) return
  await rm(nextFolder(home, id), { recursive: true, force: true })
  await moveFiles(leavingFolder(home, id), mediaFolder(home, id))
}

/** Between the two the journal is the one that waits beside its place, as the next start knows. */
const swap = async (place: string, next: string, away: string): Promise<void> => {
  await rename(place, away)
  try {
    await rename(next, place)
  } catch (error) {
    await rename(away, place)
    throw error
  }
}

/**
 * Where there is none: its files wait beside their place, and are its own once the journal is there.
 * Unavailable.
 */
export const begin = async (home: string, id: PersonaId, draft: string, files: string): Promise<void> => {
  const waiting = nextMediaFolder(home, id)
  try {
    await syncWhole(draft)
    await makeFolder(personaFolder(home, id))
    await rm(waiting, { recursive: true, force: true })
    if (await isThere(files)) await rename(files, waiting)
    await syncFolder(personaFolder(home, id))
    await rename(draft, journalFolder(home, id))
    await syncFolder(personaFolder(home, id))
  } catch (cause) {
    throw new Unavailable('the new journal could not be put in its place', { cause })
  }
  await moveFiles(waiting, mediaFolder(home, id))
}

/** Files keep their names; of two of one name, the one that was there stays. Unavailable. */
export const moveFiles = async (from: string, to: string): Promise<void> => {
  const names = await present(readdir(from))
  if (!names) return
  try {
    await makeFolder(to)
    for (const name of names)
      if (!(await isThere(join(to, name)))) await rename(join(from, name), join(to, name))
    await syncFolder(to)
    await rm(from, { recursive: true, force: true })
  } catch (cause) {
    throw new Unavailable('its files could not be put in their place', { cause })
  }
}

/** What was cut off between its two steps goes on; what was cut off before them has not begun. */
export const finishReplacing = async (home: string): Promise<void> => {
  const ids = await personaFolders(home)
  const finish = async (id: PersonaId) => {
    await finishSwitch(home, id)
    const [place, files] = [journalFolder(home, id), nextMediaFolder(home, id)]
    if (await isThere(place)) await moveFiles(files, mediaFolder(home, id))
    else await rm(files, { recursive: true, force: true })
  }
  await Promise.all(ids.map((id) => finish(id).catch(unlessDenied)))
}

/** Where the journal is missing, the one that waits beside its place is it. */
export const finishSwitch = async (home: string, id: PersonaId): Promise<void> => {
  const [place, next] = [journalFolder(home, id), nextFolder(home, id)]
  if (!(await isThere(place)) && (await isThere(next))) {
    await rename(next, place)
    await syncFolder(personaFolder(home, id))
  }
  await comeBack(home, id)
}

/** Of somebody whose folder the system denies, nothing can be finished or known: the others live on. */
const unlessDenied = (error: unknown): void => {
  if (!isDenied(error)) throw error
}

/** Whether the system lets nobody like us at what lies there, in the words of Node or of the engine. */
export const isDenied = (error: unknown): boolean =>
  error instanceof Error &&
  (['EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code)) ||
    /Permission denied/.test(error.message) ||
    isDenied(error.cause))

export const isThere = async (path: string): Promise<boolean> => (await present(stat(path))) !== undefined

/** Undefined for what is not there. */
export const present = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

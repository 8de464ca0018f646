/**
 * Moves a new journal into place by one rename. A crash leaves the old or the new state, and the next start
 * completes the rest.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Unavailable } from '../log/errors.ts'
import type { JournalId } from '../log/head.ts'
import { fileExists, isDenied, makeFolder, syncFolder, syncWhole, unlessAbsent } from './durable-files.ts'
import { listFolders, type StoreFolders, type StoreRoot, storeFolders } from './store-folders.ts'
import { partedName } from './trash.ts'

interface Replacing {
  readonly old: 'drop' | 'keep'
  /** Media files to remove together with the old journal. */
  readonly files?: readonly string[]
  /** Runs right before the switch. */
  readonly before?: () => Promise<void>
}

/**
 * Replaces the current journal, which is deleted or kept in the trash. Nothing has changed if it rejects
 * before the switch. Throws Unavailable.
 */
export const replace = async (
  root: StoreRoot,
  id: JournalId,
  draft: string,
  { old, files = [], before = async () => {} }: Replacing,
): Promise<void> => {
  const folders = storeFolders(root, id)
  const { own, journal, next } = folders
  const trashPath = join(root.trash, old === 'keep' ? partedName(id, new Date()) : randomUUID())
  try {
    await syncWhole(draft)
    await rm(next, { recursive: true, force: true })
    await rename(draft, next)
    await syncFolder(own)
    await before()
    await park(folders, files)
    await swap(journal, next, trashPath)
    // The switch is done, so one failed sync is retried before an error is reported.
    const sync = () => syncFolder(own)
    await sync().catch(sync)
  } catch (cause) {
    await comeBack(folders).catch(() => undefined)
    throw new Unavailable('the new journal could not be moved into place', { cause })
  }
  // The next start deletes the rest.
  if (old === 'drop') await rm(trashPath, { recursive: true, force: true }).catch(() => undefined)
}

/** Moves files into the old journal's folder, so that the switch removes all or none of them. */
const park = async ({ media: from, leaving: to }: StoreFolders, files: readonly string[]): Promise<void> => {
  if (files.length === 0) return
  await makeFolder(to)
  for (const name of files) await unlessAbsent(rename(join(from, name), join(to, name)))
  await syncFolder(to)
  if (await fileExists(from)) await syncFolder(from)
}

/** Undoes a replacement while the old journal is in place: deletes the new one and moves the files back. */
const comeBack = async ({ journal, next, leaving, media }: StoreFolders): Promise<void> => {
  if (!(await fileExists(journal))) return
  await rm(next, { recursive: true, force: true })
  await moveFiles(leaving, media)
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
 * Moves a journal into place if there is none. Its files become visible after its journal. Throws
 * Unavailable.
 */
export const beginMove = async (
  { own, journal, media, nextMedia }: StoreFolders,
  draft: string,
  files: string,
): Promise<void> => {
  try {
    await syncWhole(draft)
    await makeFolder(own)
    await rm(nextMedia, { recursive: true, force: true })
    if (await fileExists(files)) await rename(files, nextMedia)
    await syncFolder(own)
    await rename(draft, journal)
    await syncFolder(own)
  } catch (cause) {
    throw new Unavailable('the new journal could not be moved into place', { cause })
  }
  await moveFiles(nextMedia, media)
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
export const finishReplacing = async (root: StoreRoot): Promise<void> => {
  const ids = await listFolders(root.folder)
  const finish = async (id: JournalId) => {
    const folders = storeFolders(root, id)
    await finishSwitch(folders)
    if (await fileExists(folders.journal)) await moveFiles(folders.nextMedia, folders.media)
    else await rm(folders.nextMedia, { recursive: true, force: true })
  }
  await Promise.all(ids.map((id) => finish(id).catch(unlessDenied)))
}

/** Moves the new journal into place if a crash has left neither there. */
export const finishSwitch = async (folders: StoreFolders): Promise<void> => {
  const { own, journal, next } = folders
  if (!(await fileExists(journal)) && (await fileExists(next))) {
    await rename(next, journal)
    await syncFolder(own)
  }
  await comeBack(folders)
}

/** A journal with an inaccessible folder is skipped, so that the others can start. */
const unlessDenied = (error: unknown): void => {
  if (!isDenied(error)) throw error
}

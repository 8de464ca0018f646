/**
 * The trash folder: temporary folders of moves in progress, and replaced journals that are kept for some
 * time.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { JournalId } from '../log/head.ts'
import { mustBeJournalId, uuid } from '../log/journal-id.ts'
import { makeFolder, syncFolder, unlessAbsent } from './durable-files.ts'

/** Moves a folder to the trash and deletes it. The next start deletes the rest if that fails. */
export const discard = async (trash: string, folder: string): Promise<void> => {
  const trashPath = join(trash, randomUUID())
  await makeFolder(trash)
  await rename(folder, trashPath)
  await syncFolder(trash)
  await syncFolder(dirname(folder))
  await rm(trashPath, { recursive: true, force: true })
}

/** Deletes leftovers of interrupted moves. Call it only while no move is in progress. */
export const clearTrash = async (trash: string): Promise<void> => {
  const names = (await unlessAbsent(readdir(trash))) ?? []
  for (const name of names)
    if (onItsWay.test(name)) await rm(join(trash, name), { recursive: true, force: true })
  // Fails if the folder is not empty.
  await rmdir(trash).catch(() => undefined)
}

/** Random name with an optional prefix for the kind of content. */
const onItsWay = new RegExp(`^(?:[a-z]+-)?${uuid}$`)
const partedForm = /^parted-([a-z0-9_-]+)-\d{8}T\d{9}Z$/

/** Name of a replaced journal that is kept in the trash for some time. */
export const partedName = (id: JournalId, date: Date): string =>
  `parted-${mustBeJournalId(id)}-${date.toISOString().replace(/[-:.]/g, '')}`

/** Returns whether this module creates such names in the trash. */
export const isTrash = (name: string): boolean => onItsWay.test(name) || partedForm.test(name)

/** Returns the names of replaced journals in the trash. */
export const partedNames = async (trash: string): Promise<readonly string[]> =>
  (await partedIn(trash)).map(({ path }) => basename(path))

export const clearParted = async (trash: string, isExpired: (name: string) => boolean): Promise<void> => {
  for (const { path } of await partedIn(trash))
    if (isExpired(basename(path))) await rm(path, { recursive: true, force: true })
}

export const dropParted = async (trash: string, id: JournalId): Promise<void> => {
  for (const folder of await partedIn(trash))
    if (folder.id === id) await rm(folder.path, { recursive: true, force: true })
}

/** Returns replaced journals with their ids. */
const partedIn = async (
  trash: string,
): Promise<readonly { readonly path: string; readonly id: string }[]> => {
  const names = (await unlessAbsent(readdir(trash))) ?? []
  return names.flatMap((name) => {
    const id = partedForm.exec(name)?.[1]
    return id === undefined ? [] : [{ path: join(trash, name), id }]
  })
}

/**
 * The trash folder: temporary folders of moves in progress, and replaced journals that are kept for some
 * time.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { uuid } from '../log/persona-id.ts'
import { unlessAbsent } from './moves.ts'
import { makeFolder, syncFolder, trashFolder } from './places.ts'

/** Moves a folder to the trash and deletes it. The next start deletes the rest if that fails. */
export const discard = async (home: string, folder: string): Promise<void> => {
  const trashPath = join(trashFolder(home), randomUUID())
  await makeFolder(trashFolder(home))
  await rename(folder, trashPath)
  await syncFolder(trashFolder(home))
  await syncFolder(dirname(folder))
  await rm(trashPath, { recursive: true, force: true })
}

/** Deletes leftovers of interrupted moves. Call it only while no move is in progress. */
export const clearTrash = async (home: string): Promise<void> => {
  const names = (await unlessAbsent(readdir(trashFolder(home)))) ?? []
  for (const name of names)
    if (onItsWay.test(name)) await rm(join(trashFolder(home), name), { recursive: true, force: true })
  // Fails if the folder is not empty.
  await rmdir(trashFolder(home)).catch(() => undefined)
}

/** Random name with an optional prefix for the kind of content. */
const onItsWay = new RegExp(`^(?:[a-z]+-)?${uuid}$`)
const partedForm = /^parted-([a-z0-9_-]+)-\d{8}T\d{9}Z$/

/** Returns whether the daemon creates such names in the trash. */
export const isTrash = (name: string): boolean => onItsWay.test(name) || partedForm.test(name)

/** Returns the names of replaced journals in the trash. */
export const partedNames = async (home: string): Promise<readonly string[]> =>
  (await partedIn(home)).map(({ path }) => basename(path))

export const clearParted = async (home: string, isExpired: (name: string) => boolean): Promise<void> => {
  for (const { path } of await partedIn(home))
    if (isExpired(basename(path))) await rm(path, { recursive: true, force: true })
}

export const dropParted = async (home: string, id: PersonaId): Promise<void> => {
  for (const folder of await partedIn(home))
    if (folder.id === id) await rm(folder.path, { recursive: true, force: true })
}

/** Returns replaced journals with the ids of their personas. */
const partedIn = async (home: string): Promise<readonly { readonly path: string; readonly id: string }[]> => {
  const names = (await unlessAbsent(readdir(trashFolder(home)))) ?? []
  return names.flatMap((name) => {
    const id = partedForm.exec(name)?.[1]
    return id === undefined ? [] : [{ path: join(trashFolder(home), name), id }]
  })
}

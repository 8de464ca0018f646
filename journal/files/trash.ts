/**
 * What is on its way in or out of a home, and journals that a diary has taken the place of, which stay for a
 * while.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { uuid } from '../log/persona-id.ts'
import { present } from './moves.ts'
import { makeFolder, syncFolder, trashFolder } from './places.ts'

/** Out of its place at once; what could not be removed goes at the next start. */
export const discard = async (home: string, folder: string): Promise<void> => {
  const doomed = join(trashFolder(home), randomUUID())
  await makeFolder(trashFolder(home))
  await rename(folder, doomed)
  await syncFolder(trashFolder(home))
  await syncFolder(dirname(folder))
  await rm(doomed, { recursive: true, force: true })
}

/** What was on its way when the process ended goes. Only while nothing else is. */
export const clearTrash = async (home: string): Promise<void> => {
  const names = (await present(readdir(trashFolder(home)))) ?? []
  for (const name of names)
    if (onItsWay.test(name)) await rm(join(trashFolder(home), name), { recursive: true, force: true })
  // It stays while anything else lies in it.
  await rmdir(trashFolder(home)).catch(() => undefined)
}

/** What lies in the trash is named by chance, with or without what it is. */
const onItsWay = new RegExp(`^(?:[a-z]+-)?${uuid}$`)
const parted = /^parted-([a-z0-9_-]+)-\d{8}T\d{9}Z$/

/** Whether the daemon gave that name to something in the trash. */
export const isTrash = (name: string): boolean => onItsWay.test(name) || parted.test(name)

/** Names of the journals that another has taken the place of, as they lie in the trash. */
export const partedNames = async (home: string): Promise<readonly string[]> =>
  (await partedIn(home)).map(({ path }) => basename(path))

export const clearParted = async (home: string, isOver: (name: string) => boolean): Promise<void> => {
  for (const { path } of await partedIn(home))
    if (isOver(basename(path))) await rm(path, { recursive: true, force: true })
}

export const dropParted = async (home: string, id: PersonaId): Promise<void> => {
  for (const parted of await partedIn(home))
    if (parted.id === id) await rm(parted.path, { recursive: true, force: true })
}

/** Whose they were. */
const partedIn = async (home: string): Promise<readonly { readonly path: string; readonly id: string }[]> => {
  const names = (await present(readdir(trashFolder(home)))) ?? []
  return names.flatMap((name) => {
    const id = parted.exec(name)?.[1]
    return id === undefined ? [] : [{ path: join(trashFolder(home), name), id }]
  })
}

/**
 * What is on its way in or out of a home, and journals that a diary has taken the place of, which stay for a
 * while.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
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
  const parted = new Set((await partedIn(home)).map(({ path }) => path))
  if (parted.size === 0) return rm(trashFolder(home), { recursive: true, force: true })
  const all = ((await present(readdir(trashFolder(home)))) ?? []).map((name) => join(trashFolder(home), name))
  for (const path of all) if (!parted.has(path)) await rm(path, { recursive: true, force: true })
}

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
    const id = /^parted-(.+)-\d{8}T\d{9}Z$/.exec(name)?.[1]
    return id === undefined ? [] : [{ path: join(trashFolder(home), name), id }]
  })
}

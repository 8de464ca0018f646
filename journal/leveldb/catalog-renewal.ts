/** A catalog that is made anew beside the one that is there, and takes its place in two steps. */
import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isThere } from '../files/moves.ts'
import { makeFolder, syncFolder, trashFolder } from '../files/places.ts'
import type { Op } from '../log/store.ts'
import { writeLevelStore } from './level-store.ts'

/** A whole catalog on its way to the place of the one that is there. */
const nextOf = (folder: string): string => `${folder}.next`

/** What was cut off between its two renames goes on; what was cut off before them has not begun. */
export const finishRenewing = async (folder: string): Promise<void> => {
  const next = nextOf(folder)
  if (!(await isThere(next))) return
  if (await isThere(folder)) await rm(next, { recursive: true, force: true })
  else await rename(next, folder)
  await syncFolder(dirname(folder))
}

/** Beside its place, closed and on the disk. */
export const writeNext = async (folder: string, ops: readonly Op[]): Promise<void> => {
  const next = nextOf(folder)
  await rm(next, { recursive: true, force: true })
  await makeFolder(next)
  await writeLevelStore(next, ops)
}

/** Nobody has either of them open. Gives where the old one lies now; a start clears that away, too. */
export const switchOver = async (folder: string): Promise<string> => {
  const trash = trashFolder(dirname(folder))
  const away = join(trash, randomUUID())
  await makeFolder(trash)
  await rename(folder, away)
  try {
    await rename(nextOf(folder), folder)
  } catch (error) {
    await rename(away, folder)
    throw error
  }
  await syncFolder(dirname(folder))
  return away
}

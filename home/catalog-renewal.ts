/** Replaces the catalog with a new one in two renames. */
import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileExists, makeFolder, syncFolder } from '../journal/leveldb/durable-files.ts'
import { writeLevelStore } from '../journal/leveldb/level-store.ts'
import type { Op } from '../journal/log/store.ts'
import { trashFolder } from './places.ts'

/** Path of the complete new catalog before it replaces the current one. */
const nextFolder = (folder: string): string => `${folder}.next`

/**
 * Completes a replacement that was interrupted between its two renames. Discards one that was interrupted
 * earlier.
 */
export const finishRenewing = async (folder: string): Promise<void> => {
  const next = nextFolder(folder)
  if (!(await fileExists(next))) return
  if (await fileExists(folder)) await rm(next, { recursive: true, force: true })
  else await rename(next, folder)
  await syncFolder(dirname(folder))
}

/** Writes the new catalog next to the current one, synced and closed. */
export const writeNext = async (folder: string, ops: readonly Op[]): Promise<void> => {
  const next = nextFolder(folder)
  await rm(next, { recursive: true, force: true })
  await makeFolder(next)
  await writeLevelStore(next, ops)
}

/**
 * Replaces the catalog. Both must be closed. Returns the new path of the old one, which the next start
 * deletes at the latest.
 */
export const switchToNext = async (folder: string): Promise<string> => {
  const trash = trashFolder(dirname(folder))
  const trashPath = join(trash, randomUUID())
  await makeFolder(trash)
  await rename(folder, trashPath)
  try {
    await rename(nextFolder(folder), folder)
  } catch (error) {
    await rename(trashPath, folder)
    throw error
  }
  await syncFolder(dirname(folder))
  return trashPath
}

/**
 * Journals and files of all personas as a daemon of another version left them, kept for whoever wants to go
 * back. Tables and files that nobody changes are linked, all else is copied: no byte of a copy changes with
 * the home.
 */
import { copyFile, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { PersonaId } from '../facts/fact-values.ts'
import { versionFile } from './home-version.ts'
import { isLinked, isTable } from './linked-files.ts'
import { isDenied, isThere, present } from './moves.ts'
import { personaFolders } from './persona-folders.ts'
import { makeFolder, personasFolder, syncFolder } from './places.ts'

/** Copies that are kept, the newest of them. */
const mostCopies = 2

const upgradesFolder = (home: string): string => join(home, 'upgrades')

export interface UpgradeCopy {
  /** Under the home. */
  readonly path: string
  /** How many personas are in it. */
  readonly personas: number
  /** Those whom the system lets nobody look at. */
  readonly leftOut: number
}

/**
 * Undefined where nobody lives. `from` is what it is called after. Only while nobody else has the home; whole
 * or not there. Rejects with the system's error where the disk takes no more.
 */
export const keepUpgradeCopy = async (home: string, from: string): Promise<UpgradeCopy | undefined> => {
  const ids = await personaFolders(home)
  if (ids.length === 0) return undefined
  const name = `${new Date().toISOString().replace(/[-:.]/g, '')}-${from.replace(/[^\w.-]/g, '_')}`
  const place = join(upgradesFolder(home), name)
  const draft = `${place}.tmp`
  await clearDrafts(home)
  try {
    await makeFolder(draft)
    const copied = await copyPersonas(home, draft, ids)
    if (await isThere(versionFile(home))) await copySynced(versionFile(home), versionFile(draft))
    await syncFolder(draft)
    await rename(draft, place)
    await syncFolder(upgradesFolder(home))
    await prune(home, name)
    return { path: join('upgrades', name), personas: copied, leftOut: ids.length - copied }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Nothing of one persona is in any of them any more once this resolves. */
export const dropFromUpgradeCopies = async (home: string, id: PersonaId): Promise<void> => {
  for (const name of await namesIn(home)) {
    const personas = personasFolder(join(upgradesFolder(home), name))
    if (!(await isThere(join(personas, id)))) continue
    await rm(join(personas, id), { recursive: true, force: true })
    await syncFolder(personas)
  }
}

const namesIn = async (home: string): Promise<readonly string[]> =>
  ((await present(readdir(upgradesFolder(home)))) ?? []).filter(isUpgradeCopy).sort()

/** Whether the daemon gave that name to a copy, or to one that was cut off. */
export const isUpgradeCopy = (name: string): boolean => /^\d{8}T\d{9}Z-[\w.-]+$/.test(name)

/** What was cut off. */
const clearDrafts = async (home: string): Promise<void> => {
  for (const name of await namesIn(home))
    if (name.endsWith('.tmp')) await rm(join(upgradesFolder(home), name), { recursive: true, force: true })
}

/** The one that was just made stays, whatever the clock showed when the others were. */
const prune = async (home: string, newest: string): Promise<void> => {
  const others = (await namesIn(home)).filter((name) => name !== newest)
  for (const name of others.slice(0, Math.max(0, others.length - (mostCopies - 1))))
    await rm(join(upgradesFolder(home), name), { recursive: true, force: true })
}

/**
 * The journal and the files, also those on their way to their place. No keys, so that one that is removed is
 * gone, and nothing that is made anew.
 */
const parts = ['journal', 'journal.next', 'media', 'media.next'] as const

/** Gives how many could be copied. */
const copyPersonas = async (home: string, copy: string, ids: readonly PersonaId[]): Promise<number> => {
  await makeFolder(personasFolder(copy))
  const some = pLimit(8)
  const copied = await Promise.all(ids.map((id) => some(() => copyPersona(home, copy, id))))
  await syncFolder(personasFolder(copy))
  return copied.filter(Boolean).length
}

const copyPersona = async (home: string, copy: string, id: PersonaId): Promise<boolean> => {
  const [from, to] = [join(personasFolder(home), id), join(personasFolder(copy), id)]
  try {
    for (const part of parts) await copyFolder(join(from, part), join(to, part), part.startsWith('media'))
    return true
  } catch (error) {
    if (!isDenied(error)) throw error
    await rm(to, { recursive: true, force: true })
    return false
  }
}

const copyFolder = async (from: string, to: string, writtenOnce: boolean): Promise<void> => {
  const entries = await present(readdir(from, { withFileTypes: true }))
  if (!entries) return
  await makeFolder(to)
  for (const entry of entries) {
    if (!entry.isFile() || entry.name === 'LOCK') continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    const linked = (writtenOnce || isTable(entry.name)) && (await isLinked(source, target))
    if (!linked) await copySynced(source, target)
  }
  await syncFolder(to)
}

const copySynced = async (source: string, target: string): Promise<void> => {
  await copyFile(source, target)
  const file = await open(target, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

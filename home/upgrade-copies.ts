/**
 * Copies of all journals and media files before an upgrade, for users who want to downgrade. Files that never
 * change are linked, all others copied, so that later writes do not affect the copy.
 */
import { copyFile, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { PersonaId } from '../facts/fact-values.ts'
import {
  fileExists,
  isDenied,
  makeFolder,
  syncFolder,
  unlessAbsent,
} from '../journal/leveldb/durable-files.ts'
import { isLinked, isTable } from '../journal/leveldb/linked-files.ts'
import { versionFile } from './home-version.ts'
import { personaFolders, personasFolder } from './places.ts'

/** Max copies; older ones are deleted. */
const maxCopies = 2

const upgradesFolder = (home: string): string => join(home, 'upgrades')

export interface UpgradeCopy {
  /** Relative to the home. */
  readonly path: string
  /** Number of personas in it. */
  readonly personas: number
  /** Number of personas whose files could not be read. */
  readonly leftOut: number
}

/**
 * Creates a copy, named after the version `from`. Returns undefined if there are no personas. Call it only
 * with the home locked. Leaves no partial copy. Rejects with the system's error, for example if the disk is
 * full.
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
    const personas = await copyPersonas(home, draft, ids)
    if (await fileExists(versionFile(home))) await copySynced(versionFile(home), versionFile(draft))
    await syncFolder(draft)
    await rename(draft, place)
    await syncFolder(upgradesFolder(home))
    await prune(home, name)
    return { path: join('upgrades', name), personas, leftOut: ids.length - personas }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Deletes a persona from all copies. */
export const dropFromUpgradeCopies = async (home: string, id: PersonaId): Promise<void> => {
  for (const name of await namesIn(home)) {
    const personas = personasFolder(join(upgradesFolder(home), name))
    if (!(await fileExists(join(personas, id)))) continue
    await rm(join(personas, id), { recursive: true, force: true })
    await syncFolder(personas)
  }
}

const namesIn = async (home: string): Promise<readonly string[]> =>
  ((await unlessAbsent(readdir(upgradesFolder(home)))) ?? []).filter(isUpgradeCopy).sort()

/** Returns whether the name is that of a copy or of an interrupted one. */
export const isUpgradeCopy = (name: string): boolean => /^\d{8}T\d{9}Z-[\w.-]+$/.test(name)

/** Deletes interrupted copies. */
const clearDrafts = async (home: string): Promise<void> => {
  for (const name of await namesIn(home))
    if (name.endsWith('.tmp')) await rm(join(upgradesFolder(home), name), { recursive: true, force: true })
}

/** Always keeps the newest one, because a clock jump may give it an old name. */
const prune = async (home: string, newestName: string): Promise<void> => {
  const copies = (await namesIn(home)).filter((name) => name !== newestName)
  for (const name of copies.slice(0, Math.max(0, copies.length - (maxCopies - 1))))
    await rm(join(upgradesFolder(home), name), { recursive: true, force: true })
}

/**
 * The journal and media, also during a replacement. Secrets are not copied, so that removed keys stay
 * removed. Derived data is not copied either.
 */
const parts = ['journal', 'journal.next', 'media', 'media.next'] as const

/** Returns the number of personas that could be copied. */
const copyPersonas = async (home: string, copy: string, ids: readonly PersonaId[]): Promise<number> => {
  await makeFolder(personasFolder(copy))
  const limit = pLimit(8)
  const results = await Promise.all(ids.map((id) => limit(() => copyPersona(home, copy, id))))
  await syncFolder(personasFolder(copy))
  return results.filter(Boolean).length
}

const copyPersona = async (home: string, copy: string, id: PersonaId): Promise<boolean> => {
  const from = join(personasFolder(home), id)
  const to = join(personasFolder(copy), id)
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
  const entries = await unlessAbsent(readdir(from, { withFileTypes: true }))
  if (!entries) return
  await makeFolder(to)
  for (const entry of entries) {
    if (!entry.isFile() || entry.name === 'LOCK') continue
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    const wasLinked = (writtenOnce || isTable(entry.name)) && (await isLinked(source, target))
    if (!wasLinked) await copySynced(source, target)
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

/** Finds files in a home that the daemon did not create. They are left alone and reported to the user. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { fileExists } from '../journal/leveldb/durable-files.ts'
import { isTrash } from '../journal/leveldb/trash.ts'
import { isJournalId } from '../journal/log/journal-id.ts'
import { isOfDiaries } from './kept-diaries.ts'
import { isMediaName } from './media.ts'
import { journalFolder, nextFolder, personaFolders } from './places.ts'
import { isUpgradeCopy } from './upgrade-copies.ts'

export interface Foreign {
  /** Relative to the home. */
  readonly path: string
  readonly reason: string
}

/** Names that the daemon creates directly in its home. */
const ownNames = new Set([
  ...['personas', 'diaries', 'trash', 'upgrades', 'lock', 'catalog', 'catalog.next', 'daemon', 'daemon-id'],
  ...['daemon.log', 'daimon-task.cmd', 'version', 'ages', 'cluster', 'push', 'prices.json'],
  ...['model-servers.json', 'models', 'runtime', 'subscriptions', 'heads-key'],
])
const isOwn = (name: string): boolean => ownNames.has(name.replace(/\.tmp$/, ''))

const stranger = 'the daemon did not make it'
const copyReason = 'it contains the journal of another persona, or a copy of one, and is not opened'
const empty = 'it is named like a persona, but has no journal'

/**
 * Finds foreign files. `lives` returns whether the daemon lists a persona. If it is null, folders with a
 * journal are not reported. Never rejects: unreadable folders are not reported.
 */
export const findForeign = async (
  home: string,
  isPersona: ((id: PersonaId) => boolean) | null,
): Promise<readonly Foreign[]> => {
  const foreignFiles: Foreign[] = []
  const look = async (
    folder: string,
    getReason: (entry: Dirent) => string | null | Promise<string | null>,
  ) => {
    const entries = await readdir(join(home, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const reason = await getReason(entry)
      if (reason !== null) foreignFiles.push({ path: join(folder, entry.name), reason })
    }
  }
  const refuseUnknown = (isKnown: boolean) => (isKnown ? null : stranger)
  const folders = new Set<string>(await personaFolders(home).catch(() => []))

  await look('', ({ name }) => refuseUnknown(isOwn(name)))
  await look('personas', async ({ name }) => {
    if (!folders.has(name)) return stranger
    if (isPersona?.(name)) return null
    if (!(await hasJournal(home, name))) return empty
    return isPersona ? copyReason : null
  })
  for (const id of folders)
    await look(join('personas', id, 'media'), (entry) =>
      refuseUnknown(entry.isFile() && isMediaName(entry.name)),
    )
  await look('diaries', async (entry) => {
    if (!entry.isDirectory() || !isJournalId(entry.name)) return stranger
    await look(join('diaries', entry.name), (child) =>
      refuseUnknown(child.isFile() && isOfDiaries(child.name)),
    )
    return null
  })
  await look('trash', ({ name }) => refuseUnknown(isTrash(name)))
  await look('upgrades', (entry) => refuseUnknown(entry.isDirectory() && isUpgradeCopy(entry.name)))
  return foreignFiles
}

/** Returns true if the folder cannot be read. */
const hasJournal = async (home: string, id: PersonaId): Promise<boolean> =>
  (await fileExists(journalFolder(home, id)).catch(() => true)) ||
  fileExists(nextFolder(home, id)).catch(() => true)

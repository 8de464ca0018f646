/** Paths under a home, and durable writes to them. */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { mustBePersonaId } from '../log/persona-id.ts'

export const personasFolder = (home: string): string => join(home, 'personas')
export const personaFolder = (home: string, persona: PersonaId): string =>
  join(personasFolder(home), mustBePersonaId(persona))
export const mediaFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'media')
export const journalFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'journal')
/** Complete new journal before it replaces a damaged one. */
export const nextFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'journal.next')
/** Media files that are removed together with the journal when another replaces it. */
export const leavingFolder = (home: string, persona: PersonaId): string =>
  join(journalFolder(home, persona), 'leaving')
/** Media files of a new journal until the journal is in place. */
export const nextMediaFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'media.next')
/** Full-text search index. It is rebuilt if it is missing. */
export const searchFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'search')
/** Search vectors, if an embedder is configured. They are rebuilt if they are missing. */
export const vectorsFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'vectors')
/** Index of the references between facts. It is rebuilt if it is missing. */
export const linksFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'links')
/** Copies of the journal from the times it was found damaged. */
export const damagedFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'damaged')
/** Per-minute usage of the last day. */
export const minutesFile = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'minutes')
/** Last listing of each tool server, one file each. They are fetched again if they are missing. */
export const toolListingsFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'tool-listings')
/** Events of subscribed calendars, one file per subscription. They are read again if they are missing. */
export const calendarsFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'calendars')
/** State of bots that only this machine has, one folder per channel. */
export const channelsFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'channels')
/** Mails while their text is read. */
export const mailsFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'mails')
/** A marker file for each history import in progress. */
export const feedingFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'feeding')
/** The log of its signed heads. */
export const headsFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'heads')
/** The private key that signs heads, for all personas. */
export const headsKeyFile = (home: string): string => join(home, 'heads-key')
/** Findings about model servers. They are collected again if the file is missing. */
export const modelServersFile = (home: string): string => join(home, 'model-servers.json')
/** Subscriptions of other programs, with their signing secrets and positions. */
export const subscriptionsFile = (home: string): string => join(home, 'subscriptions')
/** Programs that run local models. They are installed on request, one folder per version. */
export const runtimeFolder = (home: string): string => join(home, 'runtime')
export const trashFolder = (home: string): string => join(home, 'trash')
/** Name of a replaced journal that is kept in the trash for some time. */
export const partedName = (persona: PersonaId, date: Date): string =>
  `parted-${mustBePersonaId(persona)}-${date.toISOString().replace(/[-:.]/g, '')}`
/** An otherwise empty store whose lock is the lock of the home. */
export const lockFolder = (home: string): string => join(home, 'lock')
export const catalogFolder = (home: string): string => join(home, 'catalog')

/** Creates a folder and its parents durably, accessible to the owner only. */
export const makeFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let folder = path; folder.length >= first.length; folder = dirname(folder))
    await syncFolder(dirname(folder))
}

/**
 * Creates a folder in an existing one, accessible to the owner only. It is not recursive, because the folder
 * of a persona that was deleted meanwhile must not be created again.
 */
export const makeInnerFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Makes renames, creations and removals in a folder durable. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Returns the total bytes of the matching files in a folder; 0 if there is none. */
export const bytesIn = async (path: string, isCounted = (_name: string) => true): Promise<number> => {
  const names = (await readdir(path).catch(() => [])).filter(isCounted)
  // A file may be deleted meanwhile.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(path, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Syncs every file in a folder, and the folder. */
export const syncWhole = async (path: string): Promise<void> => {
  for (const name of await readdir(path)) {
    const file = await open(join(path, name), 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }
  await syncFolder(path)
}

/** Replaces a file atomically and durably. */
export const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const draft = `${path}.tmp`
  try {
    // Not reused, because a file that a crash left may have other permissions.
    await rm(draft, { force: true })
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

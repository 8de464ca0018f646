/** Paths under a home. */
import { join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import type { HeadPlaces } from '../journal/heads/head-log.ts'
import { listFolders, type StoreFolders, storeFolders } from '../journal/leveldb/store-folders.ts'

export const personasFolder = (home: string): string => join(home, 'personas')
/** Returns the ids of folders that may be personas. */
export const personaFolders = (home: string): Promise<readonly PersonaId[]> =>
  listFolders(personasFolder(home))
export const personaFolder = (home: string, persona: PersonaId): string => foldersOf(home, persona).own
export const mediaFolder = (home: string, persona: PersonaId): string => foldersOf(home, persona).media
export const journalFolder = (home: string, persona: PersonaId): string => foldersOf(home, persona).journal
/** Complete new journal before it replaces a damaged one. */
export const nextFolder = (home: string, persona: PersonaId): string => foldersOf(home, persona).next
/** Full-text search index. It is rebuilt if it is missing. */
export const searchFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'search')
/** Search vectors, if an embedder is configured. They are rebuilt if they are missing. */
export const vectorsFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'vectors')
/** Index of the references between facts. It is rebuilt if it is missing. */
export const linksFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'links')
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
/** Where the logs of signed heads are, and the private key for all personas. */
export const headPlaces = (home: string): HeadPlaces => ({
  folder: (id) => headsFolder(home, id),
  keyFile: join(home, 'heads-key'),
})
/** Findings about model servers. They are collected again if the file is missing. */
export const modelServersFile = (home: string): string => join(home, 'model-servers.json')
/** Subscriptions of other programs, with their signing secrets and positions. */
export const subscriptionsFile = (home: string): string => join(home, 'subscriptions')
/** Programs that run local models. They are installed on request, one folder per version. */
export const runtimeFolder = (home: string): string => join(home, 'runtime')
export const trashFolder = (home: string): string => join(home, 'trash')
/** An otherwise empty store whose lock is the lock of the home. */
export const lockFolder = (home: string): string => join(home, 'lock')
export const catalogFolder = (home: string): string => join(home, 'catalog')

const foldersOf = (home: string, persona: PersonaId): StoreFolders =>
  storeFolders({ folder: personasFolder(home) }, persona)

/** Where things lie under a home, and how they get there to stay. */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { mustBePersonaId } from '../log/persona-id.ts'

export const personasFolder = (home: string): string => join(home, 'personas')
export const personaFolder = (home: string, persona: PersonaId): string =>
  join(personasFolder(home), mustBePersonaId(persona))
export const mediaFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'media')
export const journalFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'journal')
/** A whole journal on its way to the place of a damaged one. */
export const nextFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'journal.next')
/** Media files that leave with the journal once another one is in its place. */
export const leavingFolder = (home: string, persona: PersonaId): string =>
  join(journalFolder(home, persona), 'leaving')
/** Files of its own on their way: they are there once its journal is. */
export const nextMediaFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'media.next')
/** Its index for full-text search: made anew whenever it is gone. */
export const searchFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'search')
/** Vectors of what it can be asked for, where an embedder is wished for: made anew whenever they are gone. */
export const vectorsFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'vectors')
/** Copies of its journal as it was when it was found damaged. */
export const damagedFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'damaged')
/** The last day of it, minute by minute. */
export const minutesFile = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'minutes')
/** What the servers of its tools told last, a file each: made anew whenever they are gone. */
export const toolListingsFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'tool-listings')
/** Which histories are being gone over, a mark each; there while one is. */
export const feedingFolder = (home: string, persona: PersonaId): string =>
  join(personaFolder(home, persona), 'feeding')
/** What is known about the servers of models: found out again whenever it is gone. */
export const modelServersFile = (home: string): string => join(home, 'model-servers.json')
export const trashFolder = (home: string): string => join(home, 'trash')
/** A journal that another has taken the place of, kept in the trash for a while. */
export const partedName = (persona: PersonaId, at: Date): string =>
  `parted-${mustBePersonaId(persona)}-${at.toISOString().replace(/[-:.]/g, '')}`
/** Whoever holds the store in it holds the home. It holds nothing else. */
export const lockFolder = (home: string): string => join(home, 'lock')
export const catalogFolder = (home: string): string => join(home, 'catalog')

/** A folder that is there after a crash, with all above it, for the owner's eyes only. */
export const makeFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Renames, makings and removals in a folder last once this resolves. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Bytes of the files in a folder, or of some of them; 0 if there is none. */
export const bytesIn = async (path: string, counts = (_name: string) => true): Promise<number> => {
  const names = (await readdir(path).catch(() => [])).filter(counts)
  // A file may go while others are looked at.
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

/** Every file in a folder, and the folder, last once this resolves. */
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

/** The whole of a file or what was there before, never a part. */
export const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const draft = `${path}.tmp`
  try {
    // Not reused: a file left behind by a crash may have other rights.
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

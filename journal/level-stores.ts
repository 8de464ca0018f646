/** A LevelDB per persona, in folders under a home. */
import { randomUUID } from 'node:crypto'
import { cp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Damaged, Exists, InDoubt, Unavailable, Unknown } from './errors.ts'
import type { PersonaId } from './events.ts'
import { isPersonaId, journalFolder, makeFolder, personaFolder, personasFolder, syncFolder, trashFolder } from './home.ts'
import { badTables } from './level-files.ts'
import { openLevelStore, repairLevel } from './level-store.ts'
import type { Op, Store, Stores } from './store.ts'

/** Only one process may do this with a home (who holds the catalog): what an interrupted `create` or `remove` left behind is cleared away. */
export const openLevelStores = async (home: string): Promise<Stores> => {
  await rm(trashFolder(home), { recursive: true, force: true })
  return {
    create: (id, first) => create(home, id, first),
    open: (id) => openExisting(home, id),
    reopen: async (id, store) => {
      await probe(personaFolder(home, id))
      await store.close()
      return openExisting(home, id)
    },
    rescue: (id) => rescue(home, id),
    ids: () => ids(home),
    remove: (id) => remove(home, id),
  }
}

/** Made in the trash and moved to its place: a journal without its first commit is never seen. */
const create = async (home: string, id: PersonaId, first: readonly Op[]): Promise<Store> => {
  const place = journalFolder(home, id)
  if (await isThere(place)) throw new Exists('there is one already')
  const draft = join(trashFolder(home), randomUUID())
  try {
    await makeFolder(personaFolder(home, id))
    await makeFolder(draft)
    const store = await openLevelStore(draft, 'new')
    try {
      await store.batch(first, { sync: true })
    } finally {
      await store.close()
    }
    await syncFolder(draft)
    await rename(draft, place)
  } catch (cause) {
    await rm(draft, { recursive: true, force: true })
    if (await isThere(place)) throw new Exists('there is one already', { cause })
    throw new Unavailable('the journal cannot be made', { cause })
  }
  try {
    await syncFolder(personaFolder(home, id))
  } catch (cause) {
    throw new InDoubt('the new journal was not confirmed', { cause })
  }
  return openExisting(home, id)
}

const openExisting = async (home: string, id: PersonaId): Promise<Store> => {
  const place = journalFolder(home, id)
  // Looked at first: LevelDB leaves a folder with a lock behind where it finds nothing.
  if (!(await isThere(place))) throw new Unknown('there is no such journal')
  if (!(await isThere(join(place, 'CURRENT')))) throw new Damaged(1, 'the file CURRENT is missing')
  return openLevelStore(place, 'existing')
}

const rescue = async (home: string, id: PersonaId): Promise<Store> => {
  const copy = join(trashFolder(home), randomUUID())
  const away = () => rm(copy, { recursive: true, force: true })
  try {
    await makeFolder(trashFolder(home))
    await cp(journalFolder(home, id), copy, { recursive: true })
    const store = await openCopy(copy)
    return {
      ...store,
      close: async () => {
        await store.close()
        await away()
      },
    }
  } catch (cause) {
    await away()
    throw new Damaged(1, 'nothing of the store can be read', { cause })
  }
}

const openCopy = async (copy: string): Promise<Store> => {
  const bad = await badTables(copy)
  // A repair takes the words of a log without their checksums: only where LevelDB cannot open it otherwise.
  const opened = bad.length === 0 && (await openLevelStore(copy, 'copy').catch(() => undefined))
  if (opened) return opened
  for (const table of bad) await rm(table)
  await repairLevel(copy)
  return openLevelStore(copy, 'copy')
}

const ids = async (home: string): Promise<readonly PersonaId[]> => {
  const names = (await present(readdir(personasFolder(home)))) ?? []
  const there = await Promise.all(names.map(async (name) => isPersonaId(name) && isThere(journalFolder(home, name))))
  return names.filter((_, place) => there[place])
}

const remove = async (home: string, id: PersonaId): Promise<void> => {
  const folder = personaFolder(home, id)
  if (!(await isThere(folder))) return
  await makeFolder(trashFolder(home))
  const doomed = join(trashFolder(home), randomUUID())
  await rename(folder, doomed)
  await syncFolder(trashFolder(home))
  await syncFolder(personasFolder(home))
  await rm(doomed, { recursive: true, force: true })
}

// Opening anew writes a table of what is in the log, so it wants room for more than the next batch.
const probe = async (folder: string): Promise<void> => {
  const path = join(folder, `probe-${randomUUID()}`)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(Buffer.alloc(1024 * 1024))
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new Unavailable('nothing can be written', { cause })
  } finally {
    await rm(path, { force: true })
  }
}

const isThere = async (path: string): Promise<boolean> => (await present(stat(path))) !== undefined

const present = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** A LevelDB per persona, in folders under a home. */
import { randomUUID } from 'node:crypto'
import { cp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Damaged, Exists, InDoubt, Unavailable, Unknown } from './errors.ts'
import type { PersonaId } from './events.ts'
import {
  damagedFolder,
  isPersonaId,
  journalFolder,
  makeFolder,
  mediaFolder,
  nextFolder,
  nextMediaFolder,
  partedName,
  personaFolder,
  personasFolder,
  syncFolder,
  syncWhole,
  trashFolder,
} from './home.ts'
import { isKeptForGood, isRecordOrPart } from './keys.ts'
import { gather } from './level-gather.ts'
import { openLevelStore } from './level-store.ts'
import type { Op, Salvage, StagedStore, Store, Stores } from './store.ts'

/** Only one process may do this with a home (who holds the catalog): what an interrupted `create` or `remove` left behind is cleared away. */
export const openLevelStores = async (home: string): Promise<Stores> => {
  await clearTrash(home)
  await finishReplacing(home)
  return {
    create: (id, first) => create(home, id, first),
    open: (id) => openExisting(home, id),
    reopen: async (id, store) => {
      await probe(personaFolder(home, id))
      await store.close()
      return openExisting(home, id)
    },
    rescue: (id) => rescue(home, id),
    salvage: (id) => salvage(home, id),
    stage: (id, folder) => stage(home, id, folder),
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
  try {
    const { store, drop } = await gathered(home, id, isKeptForGood)
    return { ...store, close: drop }
  } catch (cause) {
    throw new Damaged(1, 'nothing of the store can be read', { cause })
  }
}

/** Copied first, and filled apart from it: until the last step nothing of what is there has changed. */
const salvage = async (home: string, id: PersonaId): Promise<Salvage> => {
  if (!(await isThere(journalFolder(home, id)))) throw new Unknown('there is no such journal')
  try {
    const copy = await copyAside(home, id)
    const away = () => rm(copy, { recursive: true, force: true })
    const { store, folder, drop } = await gathered(home, id, isRecordOrPart).catch(async (error) => {
      await away()
      throw error
    })
    const discard = async () => {
      await drop()
      // The journal itself is as it was.
      await away()
    }
    return { store, copy, replace: () => replace(home, id, folder, store), discard }
  } catch (cause) {
    throw new Unavailable('what is left of the journal cannot be copied', { cause })
  }
}

/** A new store in the trash with what the files of a journal still hold. Where LevelDB would repair them, it takes the words of a log unchecked. */
const gathered = async (home: string, id: PersonaId, wanted: (key: Buffer) => boolean) => {
  const folder = join(trashFolder(home), randomUUID())
  await makeFolder(folder)
  const store = await openLevelStore(folder, 'new')
  const drop = async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for await (const items of gather(journalFolder(home, id))) {
      const kept = items.filter(([key]) => wanted(key))
      await store.batch(
        kept.map(([key, value]) => ({ type: 'put', key, value })),
        { sync: false },
      )
    }
    return { store, folder, drop }
  } catch (error) {
    await drop()
    throw error
  }
}

const copyAside = async (home: string, id: PersonaId): Promise<string> => {
  const copies = damagedFolder(home, id)
  const copy = join(copies, new Date().toISOString().replace(/[-:.]/g, ''))
  const draft = `${copy}.tmp`
  await makeFolder(copies)
  try {
    await cp(journalFolder(home, id), draft, { recursive: true })
    await syncWhole(draft)
    await rename(draft, copy)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await syncFolder(copies)
  return copy
}

const replace = async (home: string, id: PersonaId, draft: string, store: Store): Promise<void> => {
  const old = join(trashFolder(home), randomUUID())
  await store.close()
  await swap(home, id, draft, old)
  await rm(old, { recursive: true, force: true })
}

/** Two renames: between them the journal is the one that waits beside its place, as the next start knows. Unavailable. */
const swap = async (home: string, id: PersonaId, draft: string, old: string): Promise<void> => {
  const [place, next] = [journalFolder(home, id), nextFolder(home, id)]
  try {
    await syncWhole(draft)
    await rm(next, { recursive: true, force: true })
    await rename(draft, next)
    await syncFolder(personaFolder(home, id))
    await rename(place, old)
    await rename(next, place)
    await syncFolder(personaFolder(home, id))
  } catch (cause) {
    throw new Unavailable('the new journal could not be put in its place', { cause })
  }
}

const stage = async (home: string, id: PersonaId, folder: string): Promise<StagedStore> => {
  const [draft, files] = [join(folder, 'journal'), join(folder, 'media')]
  const store = await openLevelStore(draft, 'existing')
  const place = async (old: 'drop' | 'keep') => {
    await store.close()
    if (!(await isThere(journalFolder(home, id)))) return begin(home, id, draft, files)
    const away = join(trashFolder(home), old === 'keep' ? partedName(id, new Date()) : randomUUID())
    await moveFiles(files, mediaFolder(home, id))
    await swap(home, id, draft, away)
    if (old === 'drop') await rm(away, { recursive: true, force: true })
  }
  return { store, place, placeFiles: () => moveFiles(files, mediaFolder(home, id)) }
}

/** Where there is no journal: her files wait beside its place, and are hers once it is there. */
const begin = async (home: string, id: PersonaId, draft: string, files: string): Promise<void> => {
  const waiting = nextMediaFolder(home, id)
  try {
    await syncWhole(draft)
    await makeFolder(personaFolder(home, id))
    await rm(waiting, { recursive: true, force: true })
    if (await isThere(files)) await rename(files, waiting)
    await syncFolder(personaFolder(home, id))
    await rename(draft, journalFolder(home, id))
    await syncFolder(personaFolder(home, id))
  } catch (cause) {
    throw new Unavailable('the new journal could not be put in its place', { cause })
  }
  await moveFiles(waiting, mediaFolder(home, id))
}

/** Files keep their names; of two of one name, the one that was there stays. */
const moveFiles = async (from: string, to: string): Promise<void> => {
  const names = await present(readdir(from))
  if (!names) return
  try {
    await makeFolder(to)
    for (const name of names) if (!(await isThere(join(to, name)))) await rename(join(from, name), join(to, name))
    await syncFolder(to)
    await rm(from, { recursive: true, force: true })
  } catch (cause) {
    throw new Unavailable('her files could not be put in their place', { cause })
  }
}

/** What was cut off between its two steps goes on; what was cut off before them has not begun. */
const finishReplacing = async (home: string): Promise<void> => {
  const names = ((await present(readdir(personasFolder(home)))) ?? []).filter(isPersonaId)
  const finish = async (id: PersonaId) => {
    const [place, next, files] = [journalFolder(home, id), nextFolder(home, id), nextMediaFolder(home, id)]
    if (await isThere(next)) {
      if (await isThere(place)) await rm(next, { recursive: true, force: true })
      else await rename(next, place)
      await syncFolder(personaFolder(home, id))
    }
    if (await isThere(place)) await moveFiles(files, mediaFolder(home, id))
    else await rm(files, { recursive: true, force: true })
  }
  await Promise.all(names.map(finish))
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
  for (const { path, id: whose } of await partedIn(home)) if (whose === id) await rm(path, { recursive: true, force: true })
}

/** Milliseconds for which a journal is kept whose place another has taken. */
const keptFor = 30 * 24 * 60 * 60 * 1000

/** What was on its way when the process ended goes, and what was kept for long enough. */
const clearTrash = async (home: string): Promise<void> => {
  const young = new Set((await partedIn(home)).filter(({ at }) => Date.now() - at < keptFor).map(({ path }) => path))
  const all = ((await present(readdir(trashFolder(home)))) ?? []).map((name) => join(trashFolder(home), name))
  if (young.size === 0) return rm(trashFolder(home), { recursive: true, force: true })
  for (const path of all) if (!young.has(path)) await rm(path, { recursive: true, force: true })
}

/** Journals in the trash that another has taken the place of: whose, and since when (epoch milliseconds). */
const partedIn = async (home: string): Promise<readonly { readonly path: string; readonly id: string; readonly at: number }[]> => {
  const names = (await present(readdir(trashFolder(home)))) ?? []
  return names.flatMap((name) => {
    const [, id, date, time] = /^parted-(.+)-(\d{8})T(\d{6})\d{3}Z$/.exec(name) ?? []
    if (id === undefined || date === undefined || time === undefined) return []
    const at = Date.parse(`${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`)
    return [{ path: join(trashFolder(home), name), id, at }]
  })
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

/** One LevelDB per persona, in folders below the home. */
import { randomBytes, randomUUID } from 'node:crypto'
import { access, constants, copyFile, cp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import {
  beginMove,
  fileExists,
  finishReplacing,
  finishSwitch,
  isDenied,
  moveFiles,
  replace,
  unlessAbsent,
} from '../files/moves.ts'
import { personaFolders } from '../files/persona-folders.ts'
import {
  bytesIn,
  damagedFolder,
  journalFolder,
  makeFolder,
  mediaFolder,
  personaFolder,
  syncFolder,
  syncWhole,
  trashFolder,
} from '../files/places.ts'
import { clearTrash, discard, dropParted } from '../files/trash.ts'
import { dropFromUpgradeCopies } from '../files/upgrade-copies.ts'
import { Damaged, Denied, Exists, InDoubt, Unavailable, Unknown } from '../log/errors.ts'
import { isKeptForGood, isRecord, isRecordOrPart } from '../log/keys.ts'
import {
  type Item,
  type Leaving,
  type Op,
  puts,
  type Rewritten,
  type Salvage,
  type StagedStore,
  type Store,
  type Stores,
} from '../log/store.ts'
import { gather, pairsOfLog } from './gather.ts'
import { type LevelStore, openLevelStore, writeLevelStore } from './level-store.ts'
import { takeFiles } from './take-files.ts'

/**
 * Opens the stores of a home and cleans up after an interrupted `create` or `remove`. Only the process that
 * has opened the catalog may call this.
 */
export const openLevelStores = async (home: string): Promise<Stores> => {
  await clearTrash(home)
  await finishReplacing(home)
  return {
    create: (id, first) => create(home, id, first),
    open: (id) => openExisting(home, id),
    reopen: async (id, store) => {
      const giveBack = await reserve(home, id, 'open')
      await giveBack()
      await store.close()
      return openExisting(home, id)
    },
    rescue: (id) => rescue(home, id),
    salvage: (id) => salvage(home, id),
    rewrite: (id, change) => rewrite(home, id, change),
    stage: (id, folder) => stage(home, id, folder),
    reserve: (id, mode) => reserve(home, id, mode),
    take: (id, folder) => takeFiles(journalFolder(home, id), folder),
    ids: () => ids(home),
    newestRecord: (id) => newestRecord(journalFolder(home, id)),
    denied: () => listDenied(home),
    remove: (id) => remove(home, id),
  }
}

/**
 * Creates the store in the trash and moves it into place, so that no journal exists without its first commit.
 */
const create = async (home: string, id: PersonaId, first: readonly Op[]): Promise<Store> => {
  const place = journalFolder(home, id)
  if (await fileExists(place)) throw new Exists('the journal already exists')
  const draft = join(trashFolder(home), randomUUID())
  try {
    await makeFolder(personaFolder(home, id))
    await makeFolder(draft)
    await writeLevelStore(draft, first)
    await rename(draft, place)
  } catch (cause) {
    await rm(draft, { recursive: true, force: true })
    if (await fileExists(place)) throw new Exists('the journal already exists', { cause })
    throw new Unavailable('the journal cannot be created', { cause })
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
  try {
    // Check first: LevelDB creates a folder with a lock file if there is none.
    if (!(await fileExists(place))) await finishSwitch(home, id)
    if (!(await fileExists(join(place, 'CURRENT'))))
      throw (await fileExists(place))
        ? new Damaged(1, 'the file CURRENT is missing')
        : new Unknown('the journal does not exist')
    return await openLevelStore(place, 'existing')
  } catch (error) {
    if (isDenied(error))
      throw new Denied('the system does not let the daemon read and write there', { cause: error })
    throw isOfTheSystem(error) ? new Unavailable('the store cannot be opened', { cause: error }) : error
  }
}

const isOfTheSystem = (error: unknown): boolean =>
  typeof (error as NodeJS.ErrnoException | null)?.syscall === 'string'

const rescue = async (home: string, id: PersonaId): Promise<Store> => {
  try {
    const { store, drop } = await recoverPairs(home, id, isKeptForGood)
    return { ...store, close: drop }
  } catch (cause) {
    if (isOfTheSystem(cause)) throw new Unavailable('the store cannot be read now', { cause })
    throw new Damaged(1, 'no part of the store can be read', { cause })
  }
}

/** Copies the damaged journal, then fills a new store. The journal is unchanged until `replace`. */
const salvage = async (home: string, id: PersonaId): Promise<Salvage> => {
  if (!(await fileExists(journalFolder(home, id)))) throw new Unknown('the journal does not exist')
  try {
    const copy = await copyAside(home, id)
    const removeCopy = () => rm(copy, { recursive: true, force: true })
    const { store, folder, drop } = await recoverPairs(home, id, isRecordOrPart).catch(async (error) => {
      await removeCopy()
      throw error
    })
    const discard = async () => {
      await drop()
      // The journal is unchanged, so the copy is not needed.
      await removeCopy()
    }
    return {
      store,
      copy,
      replace: async () => {
        await store.close()
        await replace(home, id, folder, { old: 'drop' })
      },
      discard,
    }
  } catch (cause) {
    throw new Unavailable('the readable part of the journal cannot be copied', { cause })
  }
}

const rewrite = async (
  home: string,
  id: PersonaId,
  change: (store: Store) => Promise<void>,
): Promise<Rewritten> => {
  // Opening and closing moves the content of the log into tables. It also shows that no one else uses the
  // store.
  await (await openExisting(home, id)).close()
  const openCopy = async (folder: string) => {
    await copyFiles(journalFolder(home, id), folder)
    return openLevelStore(folder, 'existing')
  }
  const { store, folder, drop } = await draft(home, openCopy, async (copy) => {
    await change(copy)
    await copy.purify()
  })
  return {
    store,
    discard: drop,
    replace: async ({ files = [], beside = async () => {} }: Partial<Leaving> = {}) => {
      await store.close()
      const beforeReplace = async () => {
        await beside()
        // Older copies contain the data that the rewrite removes.
        await rm(damagedFolder(home, id), { recursive: true, force: true })
        await dropParted(home, id)
        await dropFromUpgradeCopies(home, id)
      }
      await replace(home, id, folder, { old: 'drop', files, before: beforeReplace })
    },
  }
}

/**
 * Copies the files that LevelDB knows. Measured: with the merge that follows, this takes a third of the time
 * of copying each pair.
 */
const copyFiles = async (from: string, to: string): Promise<void> => {
  try {
    for (const name of await readdir(from))
      if (/^(CURRENT|MANIFEST-\d+|\d+\.(ldb|sst|log))$/.test(name))
        await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE)
  } catch (cause) {
    throw new Unavailable('the journal cannot be copied', { cause })
  }
}

const openNew = (folder: string): Promise<LevelStore> => openLevelStore(folder, 'new')

/**
 * Creates a store in the trash with all readable pairs of a journal. LevelDB's own repair is not used,
 * because it does not verify logs.
 */
const recoverPairs = (home: string, id: PersonaId, isWanted: (key: Buffer) => boolean) =>
  draft(home, openNew, async (store) => {
    for await (const items of gather(journalFolder(home, id)))
      await store.batch(puts(items.filter(([key]) => isWanted(key))), { sync: false })
  })

/** Creates and fills a store in the trash. Removes it if that fails. */
const draft = async (
  home: string,
  prepare: (folder: string) => Promise<LevelStore>,
  fill: (store: LevelStore) => Promise<void>,
) => {
  const folder = join(trashFolder(home), randomUUID())
  await makeFolder(folder)
  const removeDraft = () => rm(folder, { recursive: true, force: true })
  const store = await prepare(folder).catch(async (error: unknown) => {
    await removeDraft()
    throw error
  })
  const drop = async () => {
    await store.close()
    await removeDraft()
  }
  try {
    await fill(store)
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

const stage = async (home: string, id: PersonaId, folder: string): Promise<StagedStore> => {
  const draft = join(folder, 'journal')
  const files = join(folder, 'media')
  const store = await openLevelStore(draft, 'existing')
  const place = async (old: 'drop' | 'keep') => {
    await store.close()
    if (!(await fileExists(journalFolder(home, id)))) return beginMove(home, id, draft, files)
    await moveFiles(files, mediaFolder(home, id))
    await replace(home, id, draft, { old })
  }
  return { store, place, placeFiles: () => moveFiles(files, mediaFolder(home, id)) }
}

const ids = async (home: string): Promise<readonly PersonaId[]> => {
  const all = await personaFolders(home)
  // A journal whose folder cannot be read still exists.
  const exists = await Promise.all(all.map((id) => fileExists(journalFolder(home, id)).catch(orDenied)))
  return all.filter((_, place) => exists[place])
}

/**
 * Returns the newest record of the log. Undefined if the log was started again since, or if there are two,
 * which a crash can leave.
 */
const newestRecord = async (folder: string): Promise<Item | undefined> => {
  const [log, secondLog] = ((await unlessAbsent(readdir(folder))) ?? []).filter((name) =>
    name.endsWith('.log'),
  )
  const bytes = log && !secondLog ? await unlessAbsent(readFile(join(folder, log))) : undefined
  return bytes && pairsOfLog(bytes)?.findLast(([key]) => isRecord(key))
}

const listDenied = async (home: string): Promise<readonly PersonaId[]> => {
  const all = await ids(home)
  const open = await Promise.all(all.map((id) => isOpen(journalFolder(home, id))))
  return all.filter((_, place) => !open[place])
}

const isOpen = (folder: string): Promise<boolean> =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

const orDenied = (error: unknown): true => {
  if (!isDenied(error)) throw error
  return true
}

const remove = async (home: string, id: PersonaId): Promise<void> => {
  const folder = personaFolder(home, id)
  if (!(await fileExists(folder))) return
  // First, because the next start completes an interrupted removal only while the persona's folder exists.
  await dropFromUpgradeCopies(home, id)
  await discard(home, folder)
  await dropParted(home, id)
}

/** Bytes on top of the log: a manifest, and writes before space is freed. */
const margin = 1024 * 1024

/**
 * Reserves disk space with a file and returns a function that frees it. Opening writes the log into a table;
 * a rescue writes everything. The file has random content, because a file system may store zeros without
 * using space.
 */
const reserve = async (
  home: string,
  id: PersonaId,
  mode: 'open' | 'rescue',
): Promise<() => Promise<void>> => {
  const path = join(trashFolder(home), `room-${randomUUID()}`)
  const giveBack = () => rm(path, { force: true }).catch(() => undefined)
  const noise = randomBytes(margin)
  try {
    await makeFolder(trashFolder(home))
    const bytes = margin + (await bytesIn(journalFolder(home, id), mode === 'open' ? isLog : undefined))
    const file = await open(path, 'wx', 0o600)
    try {
      for (let remainingBytes = bytes; remainingBytes > 0; remainingBytes -= margin)
        await file.writeFile(noise.subarray(0, remainingBytes))
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (cause) {
    await giveBack()
    throw new Unavailable('nothing can be written; check the free disk space', { cause })
  }
  return giveBack
}

const isLog = (name: string): boolean => name.endsWith('.log')

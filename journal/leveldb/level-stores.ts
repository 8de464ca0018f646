/** One LevelDB per journal, in folders below a root. */
import { randomBytes, randomUUID } from 'node:crypto'
import { access, constants, copyFile, cp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Damaged, Denied, Exists, InDoubt, Unavailable, Unknown } from '../log/errors.ts'
import type { JournalId } from '../log/head.ts'
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
import {
  bytesIn,
  fileExists,
  isDenied,
  makeFolder,
  syncFolder,
  syncWhole,
  unlessAbsent,
} from './durable-files.ts'
import { gather, pairsOfLog } from './gather.ts'
import { type LevelStore, openLevelStore, writeLevelStore } from './level-store.ts'
import { beginMove, finishReplacing, finishSwitch, moveFiles, replace } from './moves.ts'
import { listFolders, type StoreRoot, storeFolders, toCheckedRoot } from './store-folders.ts'
import { takeFiles } from './take-files.ts'
import { clearTrash, discard, dropParted } from './trash.ts'

/**
 * Opens the stores below a root and cleans up after an interrupted `create` or `remove`. Only one process may
 * use a root at a time; LevelDB locks only each open journal. Throws TypeError if the trash contains the
 * folder of the stores, or the reverse.
 */
export const openLevelStores = async (givenRoot: StoreRoot): Promise<Stores> => {
  const root = toCheckedRoot(givenRoot)
  await clearTrash(root.trash)
  await finishReplacing(root)
  return {
    create: (id, first) => create(root, id, first),
    open: (id) => openExisting(root, id),
    reopen: async (id, store) => {
      const giveBack = await reserve(root, id, 'open')
      await giveBack()
      await store.close()
      return openExisting(root, id)
    },
    rescue: (id) => rescue(root, id),
    salvage: (id) => salvage(root, id),
    rewrite: (id, change) => rewrite(root, id, change),
    stage: (id, folder) => stage(root, id, folder),
    reserve: (id, mode) => reserve(root, id, mode),
    take: (id, folder) => takeFiles(storeFolders(root, id).journal, folder),
    ids: () => ids(root),
    newestRecord: (id) => newestRecord(storeFolders(root, id).journal),
    denied: () => listDenied(root),
    remove: (id) => remove(root, id),
  }
}

/**
 * Creates the store in the trash and moves it into place, so that no journal exists without its first commit.
 */
const create = async (root: StoreRoot, id: JournalId, first: readonly Op[]): Promise<Store> => {
  const { own, journal: place } = storeFolders(root, id)
  if (await fileExists(place)) throw new Exists('the journal already exists')
  const draft = join(root.trash, randomUUID())
  try {
    await makeFolder(own)
    await makeFolder(draft)
    await writeLevelStore(draft, first)
    await rename(draft, place)
  } catch (cause) {
    await rm(draft, { recursive: true, force: true })
    if (await fileExists(place)) throw new Exists('the journal already exists', { cause })
    throw new Unavailable('the journal cannot be created', { cause })
  }
  try {
    await syncFolder(own)
  } catch (cause) {
    throw new InDoubt('the new journal was not confirmed', { cause })
  }
  return openExisting(root, id)
}

const openExisting = async (root: StoreRoot, id: JournalId): Promise<Store> => {
  const folders = storeFolders(root, id)
  const place = folders.journal
  try {
    // Check first: LevelDB creates a folder with a lock file if there is none.
    if (!(await fileExists(place))) await finishSwitch(folders)
    if (!(await fileExists(join(place, 'CURRENT'))))
      throw (await fileExists(place))
        ? new Damaged(1, 'the file CURRENT is missing')
        : new Unknown('the journal does not exist')
    return await openLevelStore(place, 'existing')
  } catch (error) {
    if (isDenied(error))
      throw new Denied('the system does not let this process read and write there', { cause: error })
    throw isOfTheSystem(error) ? new Unavailable('the store cannot be opened', { cause: error }) : error
  }
}

const isOfTheSystem = (error: unknown): boolean =>
  typeof (error as NodeJS.ErrnoException | null)?.syscall === 'string'

const rescue = async (root: StoreRoot, id: JournalId): Promise<Store> => {
  try {
    const { store, drop } = await recoverPairs(root, id, isKeptForGood)
    return { ...store, close: drop }
  } catch (cause) {
    if (isOfTheSystem(cause)) throw new Unavailable('the store cannot be read now', { cause })
    throw new Damaged(1, 'no part of the store can be read', { cause })
  }
}

/** Copies the damaged journal, then fills a new store. The journal is unchanged until `replace`. */
const salvage = async (root: StoreRoot, id: JournalId): Promise<Salvage> => {
  if (!(await fileExists(storeFolders(root, id).journal))) throw new Unknown('the journal does not exist')
  try {
    const copy = await copyAside(root, id)
    const removeCopy = () => rm(copy, { recursive: true, force: true })
    const { store, folder, drop } = await recoverPairs(root, id, isRecordOrPart).catch(async (error) => {
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
        await replace(root, id, folder, { old: 'drop' })
      },
      discard,
    }
  } catch (cause) {
    throw new Unavailable('the readable part of the journal cannot be copied', { cause })
  }
}

const rewrite = async (
  root: StoreRoot,
  id: JournalId,
  change: (store: Store) => Promise<void>,
): Promise<Rewritten> => {
  // Opening and closing moves the content of the log into tables. It also shows that no one else uses the
  // store.
  await (await openExisting(root, id)).close()
  const openCopy = async (folder: string) => {
    await copyFiles(storeFolders(root, id).journal, folder)
    return openLevelStore(folder, 'existing')
  }
  const { store, folder, drop } = await draft(root, openCopy, async (copy) => {
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
        await rm(storeFolders(root, id).damaged, { recursive: true, force: true })
        await dropParted(root.trash, id)
        await root.dropCopies?.(id)
      }
      await replace(root, id, folder, { old: 'drop', files, before: beforeReplace })
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
const recoverPairs = (root: StoreRoot, id: JournalId, isWanted: (key: Buffer) => boolean) =>
  draft(root, openNew, async (store) => {
    for await (const items of gather(storeFolders(root, id).journal))
      await store.batch(puts(items.filter(([key]) => isWanted(key))), { sync: false })
  })

/** Creates and fills a store in the trash. Removes it if that fails. */
const draft = async (
  root: StoreRoot,
  prepare: (folder: string) => Promise<LevelStore>,
  fill: (store: LevelStore) => Promise<void>,
) => {
  const folder = join(root.trash, randomUUID())
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

const copyAside = async (root: StoreRoot, id: JournalId): Promise<string> => {
  const copies = storeFolders(root, id).damaged
  const copy = join(copies, new Date().toISOString().replace(/[-:.]/g, ''))
  const draft = `${copy}.tmp`
  await makeFolder(copies)
  try {
    await cp(storeFolders(root, id).journal, draft, { recursive: true })
    await syncWhole(draft)
    await rename(draft, copy)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await syncFolder(copies)
  return copy
}

const stage = async (root: StoreRoot, id: JournalId, folder: string): Promise<StagedStore> => {
  const folders = storeFolders(root, id)
  const draft = join(folder, 'journal')
  const files = join(folder, 'media')
  const store = await openLevelStore(draft, 'existing')
  const place = async (old: 'drop' | 'keep') => {
    await store.close()
    if (!(await fileExists(folders.journal))) return beginMove(folders, draft, files)
    await moveFiles(files, folders.media)
    await replace(root, id, draft, { old })
  }
  return { store, place, placeFiles: () => moveFiles(files, folders.media) }
}

const ids = async (root: StoreRoot): Promise<readonly JournalId[]> => {
  const all = await listFolders(root.folder)
  // A journal whose folder cannot be read still exists.
  const exists = await Promise.all(
    all.map((id) => fileExists(storeFolders(root, id).journal).catch(orDenied)),
  )
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

const listDenied = async (root: StoreRoot): Promise<readonly JournalId[]> => {
  const all = await ids(root)
  const open = await Promise.all(all.map((id) => isOpen(storeFolders(root, id).journal)))
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

const remove = async (root: StoreRoot, id: JournalId): Promise<void> => {
  const folder = storeFolders(root, id).own
  if (!(await fileExists(folder))) return
  // First, because the next start completes an interrupted removal only while the journal's folder exists.
  await root.dropCopies?.(id)
  await discard(root.trash, folder)
  await dropParted(root.trash, id)
}

/** Bytes on top of the log: a manifest, and writes before space is freed. */
const margin = 1024 * 1024

/**
 * Reserves disk space with a file and returns a function that frees it. Opening writes the log into a table;
 * a rescue writes everything. The file has random content, because a file system may store zeros without
 * using space.
 */
const reserve = async (
  root: StoreRoot,
  id: JournalId,
  mode: 'open' | 'rescue',
): Promise<() => Promise<void>> => {
  const path = join(root.trash, `room-${randomUUID()}`)
  const giveBack = () => rm(path, { force: true }).catch(() => undefined)
  const noise = randomBytes(margin)
  try {
    await makeFolder(root.trash)
    const bytes =
      margin + (await bytesIn(storeFolders(root, id).journal, mode === 'open' ? isLog : undefined))
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

/** The journals of a home, on LevelDB. */
import { openLevelStores } from '../journal/leveldb/level-stores.ts'
import type { StoreRoot } from '../journal/leveldb/store-folders.ts'
import type { Stores } from '../journal/log/store.ts'
import { personasFolder, trashFolder } from './places.ts'
import { dropFromUpgradeCopies } from './upgrade-copies.ts'

/**
 * Opens the stores and cleans up after an interrupted `create` or `remove`. Only the process that has opened
 * the catalog may call this.
 */
export const openHomeStores = (home: string): Promise<Stores> => openLevelStores(storeRoot(home))

const storeRoot = (home: string): StoreRoot => ({
  folder: personasFolder(home),
  trash: trashFolder(home),
  dropCopies: (id) => dropFromUpgradeCopies(home, id),
})

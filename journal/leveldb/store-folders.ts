/** The folders of stores: one per journal below a root, with its files, and a trash on the same disk. */
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type { JournalId } from '../log/head.ts'
import { isJournalId, mustBeJournalId } from '../log/journal-id.ts'

export interface StoreRoot {
  /** Holds one folder per journal, named by its id. */
  readonly folder: string
  /**
   * Holds temporary folders while they move in or out. On the same disk, used by no other root, and neither
   * inside the folder nor around it: its content is deleted.
   */
  readonly trash: string
  /** Removes copies of a journal in other places, before an erasure or a removal. */
  readonly dropCopies?: (id: JournalId) => Promise<void>
}

export interface StoreFolders {
  readonly own: string
  readonly journal: string
  /** Complete new journal before it replaces the current one. */
  readonly next: string
  /** Files that belong to the journal. */
  readonly media: string
  /** Files of a new journal until the journal is in place. */
  readonly nextMedia: string
  /** Files that are removed together with the journal when another replaces it. */
  readonly leaving: string
  /** Copies of the journal from the times it was found damaged. */
  readonly damaged: string
}

/** Returns the root with absolute paths. Throws TypeError if one folder contains the other. */
export const toCheckedRoot = (root: StoreRoot): StoreRoot => {
  const [folder, trash] = [resolve(root.folder), resolve(root.trash)]
  if (`${folder}${sep}`.startsWith(`${trash}${sep}`) || `${trash}${sep}`.startsWith(`${folder}${sep}`))
    throw new TypeError('the trash and the folder of the stores must not contain each other')
  return { ...root, folder, trash }
}

/** Throws Unknown for an invalid id. */
export const storeFolders = ({ folder }: Pick<StoreRoot, 'folder'>, id: JournalId): StoreFolders => {
  const ownFolder = join(folder, mustBeJournalId(id))
  const journal = join(ownFolder, 'journal')
  return {
    own: ownFolder,
    journal,
    next: join(ownFolder, 'journal.next'),
    media: join(ownFolder, 'media'),
    nextMedia: join(ownFolder, 'media.next'),
    leaving: join(journal, 'leaving'),
    damaged: join(ownFolder, 'damaged'),
  }
}

/**
 * Returns the folders whose name is a valid id; none if the root is missing. Files never count. A symbolic
 * link counts only if its target is outside the root and no other link has the same target: LevelDB would
 * open one journal twice and corrupt it.
 */
export const listFolders = async (root: string): Promise<readonly JournalId[]> => {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const targets = new Set<string>()
  const isOwn = async (link: string): Promise<boolean> => {
    const [rootPath, target] = await Promise.all([realpath(root), realpath(link)])
    if (`${target}${sep}`.startsWith(`${rootPath}${sep}`) || targets.has(target)) return false
    targets.add(target)
    return (await stat(target)).isDirectory()
  }
  const ids: JournalId[] = []
  for (const entry of entries) {
    if (!isJournalId(entry.name)) continue
    const isFolder = entry.isSymbolicLink()
      ? await isOwn(join(root, entry.name)).catch(() => false)
      : entry.isDirectory()
    if (isFolder) ids.push(entry.name)
  }
  return ids
}

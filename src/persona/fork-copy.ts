/** Copies the past of a persona into a folder: its journal up to a head, and the files named there. */

import { constants, copyFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { personaVocabulary } from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { makeFolder, syncWhole, unlessAbsent } from '../../journal/leveldb/durable-files.ts'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import { type Store, type TakenFiles, Unreadable } from '../../journal/log/store.ts'
import { trimPast } from '../../journal/log/trim-past.ts'
import type { Erased } from '../../journal/log/vocabulary.ts'

export interface Copying {
  readonly head: Head
  readonly folder: string
  /** Media folder of the source. */
  readonly files: string
  /** Fetches a file to that folder if it is stored elsewhere. Throws Unavailable. */
  readonly bringFile: (filename: string) => Promise<void>
  /** Throws when the copy is no longer wanted. */
  readonly assertWanted: () => void
}

type Pages = AsyncGenerator<readonly string[], readonly Erased[]>

/** Folder of the hard-linked journal files. */
export const takenFolder = (folder: string): string => join(folder, 'taken')

/**
 * Above this share of records to cut off, trimming copied files costs more than copying records (measured).
 */
const maxCutShare = 1 / 4

/** Whether copying the files and trimming them is cheaper than copying the records. */
export const isNearHead = (pastHead: Head, head: Head): boolean =>
  head.seq - pastHead.seq <= head.seq * maxCutShare

/** Copies record by record. Does not sync the journal. Throws Damaged. */
export const copyRecords = (journal: Journal, context: Copying): Promise<readonly Erased[]> =>
  copyPast(context, async (draft) => {
    const store = await openLevelStore(draft, 'new')
    return { store, pages: journal.copyPast(store, context.head) }
  })

/** Copies the files as they are. Returns undefined if they are corrupt: copying the records shows where. */
export const copyFiles = async (
  takenFiles: TakenFiles,
  context: Copying,
): Promise<readonly Erased[] | undefined> => {
  try {
    return await copyPast(context, async (draft) => {
      const store = await takenFiles.lay(draft)
      return { store, pages: trimPast(personaVocabulary, store, context.head) }
    })
  } catch (error) {
    if (!(error instanceof Damaged || error instanceof Unreadable)) throw error
    await rm(context.folder, { recursive: true, force: true })
    return undefined
  }
}

const copyPast = async (
  { folder, files, bringFile, assertWanted }: Copying,
  lay: (draft: string) => Promise<{ readonly store: Store; readonly pages: Pages }>,
): Promise<readonly Erased[]> => {
  const draft = join(folder, 'journal')
  const media = join(folder, 'media')
  await makeFolder(draft)
  await makeFolder(media)
  const { store, pages } = await lay(draft)
  try {
    let page = await pages.next()
    for (; !page.done; page = await pages.next()) {
      assertWanted()
      for (const name of page.value) {
        await bringFile(basename(name))
        await copyOnce(join(files, basename(name)), join(media, basename(name)))
        assertWanted()
      }
    }
    await syncWhole(media)
    return page.value
  } finally {
    await pages.return([]).catch(() => undefined)
    await store.close()
  }
}

/** Ignores missing files. Integrity is checked when a file is read. */
const copyOnce = async (from: string, to: string): Promise<void> => {
  const copyTask = copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await unlessAbsent(copyTask).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
  })
}

/** The past of a persona, laid in a folder apart: its journal up to a head, and the files that it names. */
import { constants, copyFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { present } from '../../journal/files/moves.ts'
import { makeFolder, syncWhole } from '../../journal/files/places.ts'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import type { Erased } from '../../journal/log/erasures.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Head, Journal } from '../../journal/log/journal.ts'
import { type Store, type TakenFiles, Unreadable } from '../../journal/log/store.ts'
import { trimPast } from '../../journal/log/trim-past.ts'

export interface Copying {
  readonly head: Head
  readonly folder: string
  /** Where the files of the one that is copied lie. */
  readonly files: string
  /** Brings one of them there, where it lies elsewhere. Unavailable. */
  readonly bring: (filename: string) => Promise<void>
  /** Throws where nobody waits for it any more. */
  readonly goOn: () => void
}

type Pages = AsyncGenerator<readonly string[], readonly Erased[]>

/** Where the files that were taken hold of lie. */
export const takenFolder = (folder: string): string => join(folder, 'taken')

/** ⏱ What is cut away costs more than what is copied costs less, where it is more than so much of all. */
const mostCut = 1 / 4

/** Whether a past ends so near to the head that cutting off the rest is cheaper than copying the records. */
export const isNearHead = (past: Head, head: Head): boolean => head.seq - past.seq <= head.seq * mostCut

/** Record by record. Nothing of the journal is synced yet. Damaged. */
export const copyRecords = (journal: Journal, copying: Copying): Promise<readonly Erased[]> =>
  laid(copying, async (draft) => {
    const store = await openLevelStore(draft, 'new')
    return { store, pages: journal.copyPast(store, copying.head) }
  })

/**
 * Of its files as they lie. Undefined where something of them is not as it was written: what that is, and
 * where, shows when the records are read.
 */
export const copyFiles = async (
  taken: TakenFiles,
  copying: Copying,
): Promise<readonly Erased[] | undefined> => {
  try {
    return await laid(copying, async (draft) => {
      const store = await taken.lay(draft)
      return { store, pages: trimPast(store, copying.head) }
    })
  } catch (error) {
    if (!(error instanceof Damaged || error instanceof Unreadable)) throw error
    await rm(copying.folder, { recursive: true, force: true })
    return undefined
  }
}

const laid = async (
  { folder, files, bring, goOn }: Copying,
  lay: (draft: string) => Promise<{ readonly store: Store; readonly pages: Pages }>,
): Promise<readonly Erased[]> => {
  const [draft, media] = [join(folder, 'journal'), join(folder, 'media')]
  await makeFolder(draft)
  await makeFolder(media)
  const { store, pages } = await lay(draft)
  try {
    let page = await pages.next()
    for (; !page.done; page = await pages.next()) {
      goOn()
      for (const name of page.value) {
        await bring(basename(name))
        await copyOnce(join(files, basename(name)), join(media, basename(name)))
        goOn()
      }
    }
    await syncWhole(media)
    return page.value
  } finally {
    await pages.return([]).catch(() => undefined)
    await store.close()
  }
}

/** A file that is gone stays gone; whether it is still what it was is looked at when it is shown. */
const copyOnce = async (from: string, to: string): Promise<void> => {
  const copying = copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await present(copying).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
  })
}

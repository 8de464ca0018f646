/** Files of a journal that nobody changes any more: one under two names costs no room and no time. */
import { constants, copyFile, link } from 'node:fs/promises'
import { present } from './moves.ts'

/** LevelDB writes a table once; its logs, its manifest and the rest change in place. */
export const isTable = (name: string): boolean => /\.(ldb|sst)$/.test(name)

/** False where it cannot be: it is gone, or its file system has no links. */
export const isLinked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  )

/** Links a file, or copies it if its file system has no links. Returns false if it is gone. */
export const linkOrCopy = async (from: string, to: string): Promise<boolean> =>
  (await isLinked(from, to)) || ((await present(copyOnce(from, to))) ?? false)

const copyOnce = async (from: string, to: string): Promise<true> => {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  return true
}

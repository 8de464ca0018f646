/** Hard links for files that never change again: a second name needs no space and no time. */
import { constants, copyFile, link } from 'node:fs/promises'
import { unlessAbsent } from './durable-files.ts'

/** LevelDB writes a table once. It changes its logs, its manifest and other files in place. */
export const isTable = (name: string): boolean => /\.(ldb|sst)$/.test(name)

/** Links a file. Returns false if it is missing or the file system does not support links. */
export const isLinked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  )

/** Links a file, or copies it if the file system does not support links. Returns false if it is missing. */
export const linkOrCopy = async (from: string, to: string): Promise<boolean> =>
  (await isLinked(from, to)) || ((await unlessAbsent(copyOnce(from, to))) ?? false)

const copyOnce = async (from: string, to: string): Promise<true> => {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  return true
}

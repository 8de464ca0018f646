/** Files of a journal that nobody changes any more: one under two names costs no room and no time. */
import { link } from 'node:fs/promises'

/** LevelDB writes a table once; its logs, its manifest and the rest change in place. */
export const isTable = (name: string): boolean => /\.(ldb|sst)$/.test(name)

/** False where it cannot be: it is gone, or its file system has no links. */
export const isLinked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  )

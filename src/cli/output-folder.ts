/** A folder that a command writes into. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes it, and those above it that are missing. What the system refuses is thrown: where it says of a folder
 * that is there that it is not, as under /proc, Node's own way tries for ever.
 */
export const makeOutputFolder = async (path: string): Promise<void> => {
  try {
    await makeOne(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeOutputFolder(dirname(path))
    await makeOne(path)
  }
}

const makeOne = async (path: string): Promise<void> => {
  try {
    await mkdir(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

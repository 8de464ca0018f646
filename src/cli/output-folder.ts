/** Creates a folder for the output of a command. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates the folder and its missing parents. Throws the errors of the operating system. Node's own recursive
 * mkdir never ends if the system reports an existing folder as missing, as under /proc.
 */
export const makeOutputFolder = async (path: string): Promise<void> => {
  try {
    await makeOne(path)
  } catch (error) {
    if (getCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeOutputFolder(dirname(path))
    await makeOne(path)
  }
}

const makeOne = async (path: string): Promise<void> => {
  try {
    await mkdir(path)
  } catch (error) {
    if (getCode(error) !== 'EEXIST') throw error
  }
}

const getCode = (error: unknown): unknown => (error as { code?: unknown }).code

/** Reads a file that the command line names. */
import { readFile } from 'node:fs/promises'
import { CommandFailed, exitCodes } from './exit-codes.ts'

export const readGiven = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandFailed(
      code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${code})`,
      exitCodes.usage,
    )
  }
}

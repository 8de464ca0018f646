/** Durable changes of files and folders, and checks that tell a missing file from a failing disk. */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Creates a folder and its parents durably, accessible to the owner only. */
export const makeFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let folder = path; folder.length >= first.length; folder = dirname(folder))
    await syncFolder(dirname(folder))
}

/**
 * Creates a folder in an existing one, accessible to the owner only. It is not recursive, because the folder
 * of a journal that was deleted meanwhile must not be created again.
 */
export const makeInnerFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Makes renames, creations and removals in a folder durable. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Returns the total bytes of the matching files in a folder; 0 if there is none. */
export const bytesIn = async (path: string, isCounted = (_name: string) => true): Promise<number> => {
  const names = (await readdir(path).catch(() => [])).filter(isCounted)
  // A file may be deleted meanwhile.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(path, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Syncs every file in a folder, and the folder. */
export const syncWhole = async (path: string): Promise<void> => {
  for (const name of await readdir(path)) {
    const file = await open(join(path, name), 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }
  await syncFolder(path)
}

/** Replaces a file atomically and durably. */
export const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const draft = `${path}.tmp`
  try {
    // Not reused, because a file that a crash left may have other permissions.
    await rm(draft, { force: true })
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Returns whether the system denied access, according to an error of Node or LevelDB. */
export const isDenied = (error: unknown): boolean =>
  error instanceof Error &&
  (['EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code)) ||
    /Permission denied/.test(error.message) ||
    isDenied(error.cause))

export const fileExists = async (path: string): Promise<boolean> =>
  (await unlessAbsent(stat(path))) !== undefined

/** Returns undefined if the path does not exist. */
export const unlessAbsent = async <T>(operation: Promise<T>): Promise<T | undefined> => {
  try {
    return await operation
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

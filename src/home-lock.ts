/** Opens the home directory and locks it, so that only one process uses it. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Catalog, openCatalog } from '../home/catalog.ts'
import { syncFolder } from '../journal/leveldb/durable-files.ts'
import { Held } from '../journal/log/errors.ts'
import { pathless } from '../packages/kit/files/pathless.ts'
import { HomeNewer, upgradeHome } from './home-upgrade.ts'

export interface Home {
  readonly catalog: Catalog
  /** A message if the home was last used by another version of the daemon. */
  readonly upgraded: string | undefined
  /** Unlocks the home. */
  close(): Promise<void>
}

/** The home cannot be used. The message is one line. */
export class HomeError extends Error {
  override readonly name = 'HomeError'
}

/** Another process has locked the home. `port`: its port, if known. */
export class HomeHeld extends HomeError {
  readonly port: number | null

  constructor(line: string, port: number | null) {
    super(line)
    this.port = port
  }
}

/**
 * Creates the home if it is missing, accessible only by its owner. `holder`: the text that another process
 * gets. Throws HomeError, HomeHeld or HomeNewer.
 */
export const openHome = async (home: string, holder: string): Promise<Home> => {
  await prepare(home)
  const { catalog, upgraded: upgradedFrom } = await hold(home, holder)
  return {
    catalog,
    upgraded: upgradedFrom,
    close: async () => {
      await catalog.close()
      // If this fails, the next daemon overwrites the file.
      await rm(holderFile(home), { force: true }).catch(() => undefined)
    },
  }
}

const holderFile = (home: string) => join(home, 'daemon')

/** The home contains private data, so only its owner may access it. */
const prepare = async (home: string) => {
  try {
    await makeFolders(home)
    if (!(await stat(home)).isDirectory())
      throw new HomeError(`the home ${home} is not a folder. Choose another with DAIMON_HOME.`)
    await chmod(home, 0o700)
  } catch (error) {
    if (error instanceof HomeError) throw error
    throw new HomeError(
      `the home ${home} cannot be used: ${toReason(error)}. Choose another with DAIMON_HOME.`,
      { cause: error },
    )
  }
}

/**
 * Creates folders one by one. Measured: the recursive mkdir of Node 20 never returns if the system allows no
 * folder, as under /proc.
 */
const makeFolders = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { mode: 0o700 })
    await syncFolder(dirname(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error
    await makeFolders(dirname(path))
    await makeFolders(path)
  }
}

/** The lock of the catalog locks the whole home. The system releases it even if the process is killed. */
const hold = async (home: string, holder: string): Promise<Omit<Home, 'close'>> => {
  let upgradedFrom: string | undefined
  let catalog: Catalog | undefined
  try {
    catalog = await openCatalog(home, undefined, async () => {
      upgradedFrom = await upgradeHome(home)
    })
    // Replace anything at this path. The file only informs other processes.
    await rm(holderFile(home), { recursive: true, force: true })
    await writeFile(holderFile(home), `${holder}\n`, { mode: 0o600 })
    return { catalog, upgraded: upgradedFrom }
  } catch (error) {
    await catalog?.close()
    if (error instanceof HomeNewer) throw error
    if (!(error instanceof Held))
      throw new HomeError(
        `the home ${home} cannot be used: ${toReason(error)}. Choose another with DAIMON_HOME.`,
        { cause: error },
      )
    const holder = await readFile(holderFile(home), 'utf8').catch(() => 'another process')
    const port = / on port (\d+)$/.exec(holder.trim())?.[1]
    throw new HomeHeld(
      `the home ${home} is held by a daemon that runs already (${holder.trim()})`,
      port === undefined ? null : Number(port),
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it is not readable and writable for this user',
  EEXIST: 'it is a file',
  ENOTDIR: 'something on the way to it is a file',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

const toReason = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const knownReason = isFull(error) ? reasons.ENOSPC : reasons[code]
  return knownReason ?? pathless(error instanceof Error ? error.message : String(error))
}

/** LevelDB wraps the system's error in several causes. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && (/No space left/.test(error.message) || isFull(error.cause))

/** The folder where everything lies, held by one process at a time. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../journal/files/places.ts'
import { type Catalog, openCatalog } from '../journal/leveldb/catalog.ts'
import { Held } from '../journal/log/errors.ts'
import { pathless } from '../packages/kit/files/pathless.ts'
import { HomeNewer, upgradeHome } from './home-upgrade.ts'

export interface Home {
  readonly catalog: Catalog
  /** What there is to say where a daemon of another version had it before. */
  readonly upgraded: string | undefined
  /** Lets go of it. */
  close(): Promise<void>
}

/** The home cannot be used, said in one line. */
export class HomeError extends Error {
  override readonly name = 'HomeError'
}

/** Another process has it; `port` where that one listens, as far as that is known. */
export class HomeHeld extends HomeError {
  readonly port: number | null

  constructor(line: string, port: number | null) {
    super(line)
    this.port = port
  }
}

/**
 * Makes it where it is missing, for the owner's eyes only. `holder` is what another process is told.
 * HomeError, HomeHeld, HomeNewer.
 */
export const openHome = async (home: string, holder: string): Promise<Home> => {
  await prepare(home)
  const { catalog, upgraded } = await hold(home, holder)
  return {
    catalog,
    upgraded,
    close: async () => {
      await catalog.close()
      // The next one writes its own over it.
      await rm(holderFile(home), { force: true }).catch(() => undefined)
    },
  }
}

const holderFile = (home: string) => join(home, 'daemon')

/** Its whole life lies here: nobody else's eyes. */
const prepare = async (home: string) => {
  try {
    await makeFolders(home)
    if (!(await stat(home)).isDirectory())
      throw new HomeError(`the home ${home} is not a folder. Choose another with DAIMON_HOME.`)
    await chmod(home, 0o700)
  } catch (error) {
    if (error instanceof HomeError) throw error
    throw new HomeError(
      `the home ${home} cannot be used: ${reasonOf(error)}. Choose another with DAIMON_HOME.`,
      { cause: error },
    )
  }
}

/**
 * One by one: Node's own recursive mkdir runs for ever where the system takes no folder, as under /proc (⏱
 * Node 20).
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

/** The catalog's lock is the home's lock: the system lets go of it however the process ends. */
const hold = async (home: string, holder: string): Promise<Omit<Home, 'close'>> => {
  let upgraded: string | undefined
  let catalog: Catalog | undefined
  try {
    catalog = await openCatalog(home, undefined, async () => {
      upgraded = await upgradeHome(home)
    })
    // Whatever lies there: it is only a word for the next one who asks.
    await rm(holderFile(home), { recursive: true, force: true })
    await writeFile(holderFile(home), `${holder}\n`, { mode: 0o600 })
    return { catalog, upgraded }
  } catch (error) {
    await catalog?.close()
    if (error instanceof HomeNewer) throw error
    if (!(error instanceof Held))
      throw new HomeError(
        `the home ${home} cannot be used: ${reasonOf(error)}. Choose another with DAIMON_HOME.`,
        { cause: error },
      )
    const other = await readFile(holderFile(home), 'utf8').catch(() => 'another process')
    const port = / on port (\d+)$/.exec(other.trim())?.[1]
    throw new HomeHeld(
      `the home ${home} is held by a daemon that runs already (${other.trim()})`,
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

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = isFull(error) ? reasons.ENOSPC : reasons[code]
  return known ?? pathless(error instanceof Error ? error.message : String(error))
}

/** LevelDB says it in the system's words, some causes down. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && (/No space left/.test(error.message) || isFull(error.cause))

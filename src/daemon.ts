/** The composition root: everything is made once, handed down, and closed in reverse. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openCatalog } from '../journal/catalog.ts'
import { Held } from '../journal/errors.ts'
import { syncFolder } from '../journal/home.ts'
import { openJournals } from '../journal/journals.ts'
import { openLevelStores } from '../journal/level-stores.ts'
import type { Stores } from '../journal/store.ts'
import { viewOf } from '../projections/view.ts'
import { createAgents } from './agents/host.ts'
import { createBus } from './bus.ts'
import { createWebChannel } from './channels/web.ts'
import { type Clock, type Stopwatch, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createHttpServer, type Patience } from './http/server.ts'
import type { DiscreetLog } from './log.ts'
import type { Tool } from './mind/tools/tool.ts'
import type { Models } from './models/models.ts'
import { createModels } from './models/open-models.ts'
import { openPersonas } from './persona/open-personas.ts'
import { createSocketServer } from './socket/server.ts'

export interface Daemon {
  readonly port: number
  readonly home: string
  close(): Promise<void>
}

/** What tests hand over in place of the world. */
export interface World {
  readonly clock?: Clock
  readonly models?: Models
  readonly tools?: readonly Tool[]
  readonly random?: () => number
  /** What the disk is timed by. */
  readonly stopwatch?: Stopwatch
  /** Put around the stores of the journals. */
  readonly stores?: (stores: Stores) => Stores
  /** How long a client may dawdle. */
  readonly patience?: Patience
  /** Folder of the built page. */
  readonly pages?: string
}

/** The home cannot be used, said in one line. */
export class HomeError extends Error {
  override readonly name = 'HomeError'
}

/** Resolves once the port answers; personas wake after that. PortTaken · HomeError. */
export const openDaemon = async (config: Config, log: DiscreetLog, world: World = {}): Promise<Daemon> => {
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return await open(config, log, world, undo, close)
  } catch (error) {
    await close()
    throw error
  }
}

const open = async (
  config: Config,
  log: DiscreetLog,
  world: World,
  undo: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Daemon> => {
  const { clock = systemClock(), models = createModels({ urls: config.urls, now: clock.now }), random = Math.random } = world
  const server = createHttpServer({ allowedHosts: config.allowedHosts, log, ...(world.patience && { patience: world.patience }) })
  undo.push(() => server.close())
  const { port } = await server.listen(config.port)
  const { home } = config
  await prepareHome(home)
  const catalog = await holdHome(home, port)
  undo.push(
    () => rm(holderFile(home), { force: true }),
    () => catalog.close(),
  )

  const bus = createBus()
  const witness = async (id: string) => catalog.get(id)?.head
  const { stores = (plain: Stores) => plain } = world
  const journals = openJournals({ stores: stores(await openLevelStores(home)), witness })
  const personas = openPersonas({ home, journals, catalog, bus, clock, log, ...(world.stopwatch && { stopwatch: world.stopwatch }) })
  undo.push(() => personas.close())
  undo.push(() => models.close())
  const web = createWebChannel({ running: (id) => agents.running(id), changed: (id) => bus.sign({ type: 'presence', id }) })
  const agents = createAgents({ personas, models, bus, web, clock, log, random, ...(world.tools && { tools: world.tools }) })
  undo.push(() => agents.close())

  const view = (id: string) => {
    const self = personas.listed(id)?.self
    return self && viewOf(self, { running: agents.running(id), webOpen: web.isOpen(id) }, config.urls)
  }
  const sockets = createSocketServer({ personas, bus, web, view, clock, log })
  // No more is taken first; who waits for her words is answered, sockets say goodbye, and only then her agents rest.
  undo.push(async () => {
    const served = server.close()
    await sockets.close()
    await served
  })
  const deps = { personas, agents, models, bus, web, clock, config, log, newId: randomUUID }
  const serve = () =>
    server.serve({ deps, pages: world.pages ?? fileURLToPath(new URL('./web', import.meta.url)), onUpgrade: sockets.onUpgrade })
  // Until what a crash left behind has been read, nobody is told that a persona who lives here is unknown: early callers wait.
  void personas.ready.then(serve, serve)
  agents.boot()
  return { port, home, close }
}

const holderFile = (home: string) => join(home, 'daemon')

/** Her whole life lies here: nobody else's eyes. */
const prepareHome = async (home: string) => {
  try {
    await makeFolders(home)
    if (!(await stat(home)).isDirectory()) throw new HomeError(`the home ${home} is not a folder. Choose another with DAIMON_HOME.`)
    await chmod(home, 0o700)
  } catch (error) {
    if (error instanceof HomeError) throw error
    throw new HomeError(`the home ${home} cannot be used: ${reasonOf(error)}. Choose another with DAIMON_HOME.`)
  }
}

/** One by one: Node's own recursive mkdir runs for ever where the system takes no folder, as under /proc (⏱ Node 20). */
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

/** The catalog's lock is the home's lock: the system lets go of it however the daemon ends. */
const holdHome = async (home: string, port: number) => {
  try {
    const catalog = await openCatalog(home)
    await writeFile(holderFile(home), `process ${process.pid} on port ${port}\n`, { mode: 0o600 })
    return catalog
  } catch (error) {
    if (!(error instanceof Held))
      throw new HomeError(`the home ${home} cannot be used: ${reasonOf(error)}. Choose another with DAIMON_HOME.`)
    const holder = await readFile(holderFile(home), 'utf8').catch(() => 'another process')
    throw new HomeError(`the home ${home} is held by a daemon that runs already (${holder.trim()})`)
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
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

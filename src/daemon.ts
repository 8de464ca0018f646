/** The composition root: everything is made once, handed down, and closed in reverse. */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { openLevelStores } from '../journal/leveldb/level-stores.ts'
import { openJournals } from '../journal/log/journals.ts'
import type { Stores } from '../journal/log/store.ts'
import { type Stopwatch, storesWithTimeout } from '../journal/log/timeout.ts'
import { viewOf } from '../projections/view.ts'
import { createAgents } from './agents/host.ts'
import { createBus } from './bus.ts'
import { createChannels } from './channels/channels.ts'
import type { Platform } from './channels/platform.ts'
import { createPlatforms, platformsOf } from './channels/platforms.ts'
import type { Config } from './config.ts'
import { createDiaries } from './diary/diaries.ts'
import { createDocuments } from './documents/documents.ts'
import { type OpenFiles, openFileLimit, shareOut } from './files/open-files.ts'
import { createKeyedMutex } from './flow/keyed-mutex.ts'
import { createMinutes } from './health/minutes.ts'
import { openHome } from './home-lock.ts'
import { createHttpServer, type Patience } from './http/server/http-server.ts'
import type { DiscreetLog } from './log.ts'
import { createHistories } from './mind/import/histories.ts'
import type { Tool } from './mind/tools/tool.ts'
import type { Models } from './models/models.ts'
import { createModels } from './models/open-models.ts'
import { openPrices } from './models/prices.ts'
import { openPersonas } from './persona/open-personas.ts'
import { newPhrase, type RecoveryPhrase } from './persona/phrase.ts'
import { createSearch } from './search/search.ts'
import { createSocketServer, type SocketLimits } from './socket/socket-server.ts'
import { type Clock, systemClock } from './time/clock.ts'
import { createWebChannel } from './web-channel.ts'

export interface Daemon {
  readonly port: number
  readonly home: string
  close(): Promise<void>
}

/** What tests hand over in place of the world. */
export interface World {
  readonly clock?: Clock
  readonly models?: Models
  /** The messaging platforms. */
  readonly platforms?: readonly Platform[]
  readonly tools?: readonly Tool[]
  readonly random?: () => number
  readonly newPhrase?: () => Promise<RecoveryPhrase>
  /** What the disk is timed by. */
  readonly stopwatch?: Stopwatch
  /** Put around the stores of the journals. */
  readonly stores?: (stores: Stores) => Stores
  /** How long a client may dawdle. */
  readonly patience?: Patience
  /** The same for who listens on a socket. */
  readonly sockets?: Partial<SocketLimits>
  /** Folder of the built page. */
  readonly pages?: string
}

/** Resolves once the port answers; personas wake after that. PortTaken · HomeError (home.ts). */
export const openDaemon = async (config: Config, log: DiscreetLog, world: World = {}): Promise<Daemon> => {
  const undo: (() => Promise<unknown>)[] = []
  const close = () => undoAll(undo.splice(0).reverse())
  try {
    return await open(config, log, world, undo, close)
  } catch (error) {
    await close().catch((err: unknown) => log.error({ err }, 'what was begun could not be undone'))
    throw error
  }
}

/** What one step throws keeps no other from being done: the first of it is thrown when all are. */
const undoAll = async (steps: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const errors: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

const open = async (
  config: Config,
  log: DiscreetLog,
  world: World,
  undo: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Daemon> => {
  const {
    clock = systemClock(),
    models = createModels({ urls: config.urls, keys: config.keys, now: clock.now }),
    random = Math.random,
  } = world
  for (const key of Object.values(config.keys)) if (key !== null) log.hide(key)
  const files = shareOut(await openFileLimit())
  if (files.limit < fewFiles) log.warn({ count: files.limit }, fewFilesTold(files))
  const { connections } = files
  const server = createHttpServer({
    allowedHosts: config.allowedHosts,
    connections,
    log,
    ...(world.patience && { patience: world.patience }),
  })
  undo.push(() => server.close())
  const { port } = await server.listen(config.port)
  const { home } = config
  const { catalog, close: letGo } = await openHome(home, `process ${process.pid} on port ${port}`)
  undo.push(letGo)

  const bus = createBus()
  const inTurn = createKeyedMutex().run
  const witness = async (id: string) => catalog.get(id)?.head
  const { stores = (plain: Stores) => plain, stopwatch = systemClock() } = world
  const journals = openJournals({ stores: storesWithTimeout(stores(await openLevelStores(home)), stopwatch), witness })
  const personas = openPersonas({
    home,
    journals,
    catalog,
    bus,
    clock,
    log,
    most: files.journals,
    stopwatch,
  })
  undo.push(() => personas.close())
  const diaries = createDiaries({ home, personas, clock, stopwatch, log })
  undo.push(() => diaries.close())
  const minutes = createMinutes({ home, clock, bus, log, stopwatch })
  undo.push(() => minutes.close())
  undo.push(() => models.close())
  const documents = createDocuments()
  undo.push(() => documents.close())
  const histories = createHistories({ home })
  undo.push(() => histories.close())
  const search = createSearch({ home, personas, bus, clock, log, most: Math.ceil(files.journals / 16) })
  undo.push(() => search.close())
  const web = createWebChannel({ running: (id) => agents.running(id), changed: (id) => bus.sign({ type: 'presence', id }) })
  const prices = openPrices({ home, urls: config.urls, log })
  const { dailyTokens } = config
  const tools = world.tools && { tools: world.tools }
  const agents = createAgents({
    pulse: (ids) => {
      minutes.beat(ids)
      channels.beat()
    },
    personas,
    models,
    prices,
    documents,
    histories,
    search,
    diaries,
    dailyTokens,
    stopwatch,
    bus,
    web,
    clock,
    log,
    random,
    ...tools,
  })
  undo.push(() => agents.close())
  const channels = createChannels({
    platforms: world.platforms ? platformsOf(world.platforms) : createPlatforms({ urls: config.platforms, clock, log, env: process.env }),
    ...{ personas, agents, bus, clock, stopwatch, log, random, inTurn },
    limits: config.limits,
  })
  undo.push(() => channels.close())

  const view = (id: string) => {
    const self = personas.listed(id)?.self
    return self && viewOf(self, { running: agents.running(id), webOpen: web.isOpen(id) }, config.urls)
  }
  const sockets = createSocketServer({ personas, bus, web, view, clock, log, ...(world.sockets && { limits: world.sockets }) })
  // No more is taken first; who waits for its words is answered, sockets say goodbye, and only then its agents rest.
  undo.push(async () => {
    const served = server.close()
    await sockets.close()
    await served
  })
  const { newPhrase: phrase = newPhrase } = world
  const deps = {
    inTurn,
    personas,
    diaries,
    agents,
    channels,
    minutes,
    models,
    prices,
    histories,
    search,
    bus,
    web,
    clock,
    config,
    log,
    newId: randomUUID,
    newPhrase: phrase,
  }
  const serve = () =>
    server.serve({ deps, pages: world.pages ?? fileURLToPath(new URL('./web', import.meta.url)), onUpgrade: sockets.onUpgrade })
  // Until what a crash left behind has been read, nobody is told that a persona who lives here is unknown: early callers wait.
  void personas.ready.then(serve, serve)
  agents.boot()
  return { port, home, close }
}

const fewFiles = 1024
const fewFilesTold = ({ limit, journals, connections }: OpenFiles) =>
  `only ${limit} files may be open at once (ulimit -n): ${journals} journals are held open at a time, and others wait for one of them to be closed; ${connections} connections are taken`

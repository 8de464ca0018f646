/** The composition root. Creates everything once, passes it down, and closes in reverse order. */
import { randomUUID } from 'node:crypto'
import { totalmem } from 'node:os'
import { openPersonaJournals } from '../facts/persona-journal.ts'
import type { FileStores } from '../home/file-stores.ts'
import { modelServersFile, runtimeFolder } from '../home/places.ts'
import type { Stores } from '../journal/log/store.ts'
import { type Stopwatch, storesWithTimeout } from '../journal/log/timeout.ts'
import { createDocuments } from '../packages/documents/documents.ts'
import { createHistories } from '../packages/history-import/histories.ts'
import { type OpenFiles, openFileLimit, shareOut } from '../packages/kit/files/open-files.ts'
import { type Closing, createClosing } from '../packages/kit/flow/closing.ts'
import { createKeyedMutex, type KeyedMutex } from '../packages/kit/flow/keyed-mutex.ts'
import type { DiscreetLog } from '../packages/kit/log.ts'
import { createNetwork } from '../packages/kit/network/network.ts'
import type { Reach } from '../packages/kit/network/reach.ts'
import { type Clock, isoIn, systemClock } from '../packages/kit/time/clock.ts'
import type { OtlpSettings } from '../packages/kit/tracing/otlp-settings.ts'
import { type LocalModelsDeps, openLocalModels } from '../packages/local-models/local-models.ts'
import type { LocalRuntime } from '../packages/local-runtime/local-runtime.ts'
import { openLocalRuntime } from '../packages/local-runtime/open-local-runtime.ts'
import type { EmbeddingChoice } from '../packages/models/embedder.ts'
import type { Models, OrganAsk } from '../packages/models/models.ts'
import { toKeepAliveMs } from '../packages/models/ollama/local-settings.ts'
import { openPrices } from '../packages/models/prices.ts'
import { createPageReader } from '../packages/web-reading/page-reader.ts'
import { createWebSearch, type WebSearch } from '../packages/web-search/web-search.ts'
import { checkAfterStart } from './after-start.ts'
import { createAgents } from './agents/create-agents.ts'
import { type Bus, createBus } from './bus.ts'
import { createSubscribedCalendars, type SubscribedCalendars } from './calendar/subscribed-calendars.ts'
import { createLinkIndexes } from './causes/link-index.ts'
import { createChannels } from './channels/channels.ts'
import type { Platform } from './channels/platform.ts'
import { createPlatforms, toPlatforms } from './channels/platforms.ts'
import type { Cluster } from './cluster/open-cluster.ts'
import { continueDownloads } from './commands/local-models.ts'
import { testModel } from './commands/mind-test.ts'
import type { Config } from './config.ts'
import { createDiaries } from './diary/diaries.ts'
import { createMinutes } from './health/minutes.ts'
import { openHome } from './home-lock.ts'
import type { CopyOrigin } from './http/route.ts'
import { createHttpServer, type Timeouts } from './http/server/http-server.ts'
import { type JournalEngine, openEngine } from './journal-engine.ts'
import { createMailboxes, type Mailboxes } from './mail/mailboxes.ts'
import { createTallies, type Tallies } from './metrics/tallies.ts'
import { watchJournals } from './metrics/watched-journals.ts'
import type { Tool } from './mind/tools/tool.ts'
import { openModels } from './open-models.ts'
import { createPersonaStore } from './persona/create-persona-store.ts'
import { deriveIdentity, newPhrase, type RecoveryPhrase } from './persona/phrase.ts'
import { createSignedHeads } from './persona/signed-heads.ts'
import { createSearch, type Search } from './search/search.ts'
import { createViewer, serveRequests } from './serve-requests.ts'
import type { SocketLimits } from './socket/socket-server.ts'
import {
  createSubscriptionsOnDemand,
  type SubscriptionsOnDemand,
} from './subscriptions/subscriptions-on-demand.ts'
import { createServerTools } from './tool-servers/server-tools.ts'
import { createWebChannel } from './web-channel.ts'
import { createWebPush } from './web-push/web-push.ts'

export interface Daemon {
  readonly port: number
  readonly home: string
  close(): Promise<void>
}

/** Replacements for the outside world in tests. */
export interface World {
  readonly clock?: Clock
  readonly models?: Models
  /** The runtime for model files, the size of the machine, and servers of other programs. */
  readonly localModels?: Partial<
    Pick<LocalModelsDeps, 'runtime' | 'hubs' | 'catalogue' | 'freeBytes' | 'knownServers'>
  >
  /** The home is a copy: shows its personas without running them, and refuses all changes. */
  readonly copy?: CopyOrigin
  /** Memory of the machine in bytes. */
  readonly memory?: number
  /** Module of the processes that run model files. */
  readonly modelRunner?: URL
  /** The messaging platforms. */
  readonly platforms?: readonly Platform[]
  readonly tools?: readonly Tool[]
  /** DNS lookups, and the check for public addresses. Used for untrusted addresses. */
  readonly reach?: Partial<Reach>
  readonly random?: () => number
  readonly newPhrase?: () => Promise<RecoveryPhrase>
  /** Derives the key of the diaries from a recovery phrase. */
  readonly toIdentity?: (entropy: Uint8Array) => Promise<string>
  /** Measures disk operations. */
  readonly stopwatch?: Stopwatch
  /** Wraps the stores of the journals. */
  readonly stores?: (stores: Stores) => Stores
  /** Timeouts for slow HTTP clients. */
  readonly timeouts?: Timeouts
  /** Limits for socket clients. */
  readonly sockets?: Partial<SocketLimits>
  /** Folder of the built web page. */
  readonly pages?: string
}

/**
 * Resolves when the port accepts connections; personas start after that. Throws PortTaken, HomeError or
 * HomeNewer (home-lock.ts).
 */
export const openDaemon = async (config: Config, log: DiscreetLog, world: World = {}): Promise<Daemon> => {
  const closing = createClosing()
  try {
    return await open(config, log, world, closing)
  } catch (error) {
    await closing
      .close()
      .catch((err: unknown) => log.error({ err }, 'could not close everything after a failed start'))
    throw error
  }
}

/** Builds the stages from the bottom up. Each stage uses the ones before it, and is closed before them. */
const open = async (
  config: Config,
  log: DiscreetLog,
  world: World,
  { keep: addCloser, close }: Closing,
): Promise<Daemon> => {
  for (const key of [...Object.values(config.keys), ...Object.values(config.searchKeys)])
    if (key !== null) log.hide(key)
  const { clock = systemClock(), stopwatch = systemClock(), random = Math.random } = world
  const bus = createBus()
  const base: Base = {
    config,
    home: config.home,
    bus,
    clock,
    stopwatch,
    random,
    log,
    tallies: createTallies({ bus, log }),
    inTurn: createKeyedMutex().run,
  }
  // Closes last, so that the spans of the stop are sent too.
  if (config.tracing) addCloser(await switchTracingOn(config.tracing, log))
  const files = await shareFiles(log)
  // Comes first, so that a second daemon fails because the port is taken before it touches anything.
  const { server, port } = await listen(base, world, files, addCloser)
  const { journals, beside, catalog, cluster, durability } = await openHomeJournals(
    base,
    world,
    port,
    addCloser,
  )
  const isCluster = cluster !== null
  const personas = openPersonaParts(
    base,
    { journals, files: beside, catalog, maxOpenJournals: files.journals, isInformed: isCluster },
    addCloser,
  )
  const minds = await openMinds(base, world, addCloser)
  const embedder = config.embeddings && (await openEmbedder(config, config.embeddings, clock))
  const search = addCloser(
    createSearch({ ...base, ...personas, embedder, maxOpen: Math.ceil(files.journals / 16) }),
  )
  const links = addCloser(createLinkIndexes({ ...base, maxOpen: Math.ceil(files.journals / 16) }))
  if (!embedder) useInstalledEmbedder({ ...base, ...minds, search }, addCloser)
  const agents = openAgents({ ...base, ...personas, ...minds, search, cluster }, world, addCloser)
  const deps = {
    ...base,
    ...personas,
    ...minds,
    search,
    links,
    ...agents,
    newId: cluster?.newId ?? randomUUID,
    durability,
    elsewhere: null,
    copy: world.copy ?? null,
    memory: world.memory ?? totalmem(),
    newPhrase: world.newPhrase ?? newPhrase,
    toIdentity: world.toIdentity ?? deriveIdentity,
  }
  const view = createViewer(deps)
  const subscriptions = addCloser(
    openSubscriptions({ ...deps, ...(world.reach && { reach: world.reach }) }, isCluster),
  )
  const locations = cluster && addCloser(await cluster.begin({ ...deps, view }))
  serveRequests({ ...deps, subscriptions, view, elsewhere: locations }, world, server, addCloser)
  // Closes first: requests during the handover are forwarded to the other daemon.
  if (locations) addCloser({ close: locations.leave })
  if (world.copy) return { port, home: config.home, close }
  agents.agents.boot()
  continueDownloads(deps)
  checkAfterStart({ ...base, personas: cluster ? null : personas.personas }, addCloser)
  return { port, home: config.home, close }
}

type AddCloser = Closing['keep']

/** Shared by all stages. */
interface Base {
  readonly config: Config
  readonly home: string
  readonly bus: Bus
  readonly clock: Clock
  readonly stopwatch: Stopwatch
  readonly random: () => number
  readonly log: DiscreetLog
  readonly tallies: Tallies
  readonly inTurn: KeyedMutex['run']
}

const shareFiles = async (log: DiscreetLog): Promise<OpenFiles> => {
  const files = shareOut(await openFileLimit())
  if (files.limit < fewFiles) log.warn({ count: files.limit }, fewFilesTold(files))
  return files
}

const listen = async (
  { config, log, tallies }: Base,
  { timeouts, copy }: World,
  { connections }: OpenFiles,
  addCloser: AddCloser,
) => {
  const { allowedHosts, limits } = config
  const countResponse = (status: number) => tallies.counts.http_responses.add({ status: String(status) })
  const options = { responded: countResponse, isReadOnly: copy !== undefined, ...(timeouts && { timeouts }) }
  const server = addCloser(
    createHttpServer({ allowedHosts, connections, log, maxBodies: limits.bodies, ...options }),
  )
  return { server, ...(await server.listen(config.port)) }
}

const switchTracingOn = async (settings: OtlpSettings, log: DiscreetLog) => {
  const { openTracing } = await import('../packages/kit/tracing/open-tracing.ts')
  return openTracing({ settings, log, env: process.env })
}

/** Returns a function that traces writes to the disk, if tracing is on. */
const loadStoreTracing = async ({ tracing }: Config): Promise<(stores: Stores) => Stores> =>
  tracing ? (await import('./traced-stores.ts')).traceStores : (stores) => stores

/** Loads the cluster code only if a cluster is configured. */
const openCluster = async (
  { config, home, log }: Base,
  { connection }: JournalEngine,
  port: number,
  addCloser: AddCloser,
): Promise<Cluster | null> => {
  if (!config.cluster || !connection) return null
  const { openCluster: open } = await import('./cluster/open-cluster.ts')
  const { name, replicas, advertise } = config.cluster
  const identity = { advertise: advertise ?? `http://127.0.0.1:${port}`, newId: randomUUID }
  return addCloser(await open({ ...identity, connection, name, replicas, home, log }))
}

const openHomeJournals = async (
  base: Base,
  { stores = (plain) => plain }: World,
  port: number,
  addCloser: AddCloser,
) => {
  const { config, home, stopwatch, tallies, log } = base
  const { catalog, upgraded } = addCloser(await openHome(home, `process ${process.pid} on port ${port}`))
  if (upgraded !== undefined) log.info({}, upgraded)
  const witness = async (id: string) => catalog.get(id)?.head
  const engine = addCloser(await openEngine(home, config.cluster, { log, stopwatch }))
  const traceStores = await loadStoreTracing(config)
  const withTimeouts = (plain: Stores) => storesWithTimeout(stores(traceStores(plain)), stopwatch)
  const all = openPersonaJournals({ stores: withTimeouts(engine.stores), witness })
  const cachedJournals =
    engine.cache &&
    openPersonaJournals({ stores: withTimeouts(engine.cache), witness: async () => undefined })
  const cluster = await openCluster(base, engine, port, addCloser)
  const journals = cluster && cachedJournals ? cluster.journals(all, cachedJournals) : all
  const durability =
    engine.durability &&
    (await import('./health/durability-watch.ts')).createDurabilityWatch(engine.durability, stopwatch.wait)
  return { catalog, cluster, durability, beside: engine.files, journals: watchJournals(journals, tallies) }
}

interface HomeJournals
  extends Pick<
    Parameters<typeof createPersonaStore>[0],
    'journals' | 'catalog' | 'maxOpenJournals' | 'isInformed'
  > {
  readonly files: FileStores
}

const openPersonaParts = (base: Base, home: HomeJournals, addCloser: AddCloser) => {
  const personas = addCloser(createPersonaStore({ ...base, ...home }))
  const signedHeads = createSignedHeads({ ...base, personas })
  const diaries = addCloser(
    createDiaries({ ...base, personas, signedHeads, storedDiaries: home.files.diaries }),
  )
  return { personas, signedHeads, diaries, minutes: addCloser(createMinutes(base)) }
}

const openMinds = async (base: Base, world: World, addCloser: AddCloser) => {
  const { config, home, clock, log } = base
  const { urls, keys, local } = config
  const runtime = addCloser(await openRuntime(base, world))
  const localModels = await openModelFiles(base, { world, runtime, getModels: () => models })
  const models = addCloser(
    world.models ??
      (await openModels({
        urls,
        keys,
        local,
        now: clock.now,
        log,
        serversFile: modelServersFile(home),
        runtime,
        resolveModel: (name) => localModels.resolve(name),
      })),
  )
  // Closes before the models, because a download may use them.
  addCloser(localModels)
  const documents = addCloser(createDocuments())
  const histories = addCloser(createHistories({ home }))
  const prices = openPrices({ home, urls, log })
  return { models, localModels, documents, histories, prices }
}

interface ModelFilesDeps {
  readonly world: World
  readonly runtime: LocalRuntime
  readonly getModels: () => Models
}

const openModelFiles = async (
  { config, home, bus, clock, stopwatch }: Base,
  { world, runtime, getModels }: ModelFilesDeps,
) => {
  const network = createNetwork({ env: process.env, ...(world.reach && { reach: world.reach }) })
  const localModels = await openLocalModels({
    home,
    network,
    runtime,
    hubs: { hub: config.hubUrl },
    ...world.localModels,
    pull: (model, report, signal) => getModels().prepare('thinking', toLocalOrgan(model), report, signal),
    prove: (model, signal) =>
      testModel({ models: getModels(), localModels }, toLocalOrgan(model), signal, downloadTestTimeoutMs),
    onChange: ({ name: model, status, completed, total, ...download }) =>
      bus.sign({ type: 'progress', model, status, completed, total, download }),
    now: () => performance.now(),
    timestamp: () => isoIn(clock.zone, clock.now()),
    wait: stopwatch.wait,
  })
  const close = async () => {
    await localModels.close()
    await network.close()
  }
  return { ...localModels, close }
}

const toLocalOrgan = (model: string): OrganAsk => ({ model, provider: null, url: null, apiKey: null })

/** Longer than a test that a user waits for: a slow disk reads gigabytes. */
const downloadTestTimeoutMs = 600_000

const openRuntime = (
  { config, home, clock, log }: Pick<Base, 'config' | 'home' | 'clock' | 'log'>,
  { modelRunner: runnerFile }: World,
) => {
  const { context: contextTokens, keepAlive } = config.local
  const idleMs = toKeepAliveMs(keepAlive)
  const options = { ...(idleMs !== null && { idleMs }), ...(runnerFile && { runnerFile }) }
  return openLocalRuntime({ folder: runtimeFolder(home), log, clock, contextTokens, ...options })
}

/** Loads the embedder only if it is configured. */
const openEmbedder = async ({ urls, keys }: Config, choice: EmbeddingChoice, { now }: Clock) => {
  const { openEmbedder: open } = await import('../packages/models/open-embedder.ts')
  return open(choice, { urls, keys, now })
}

/** Searches by meaning with the installed embedding model, as long as there is one. */
const useInstalledEmbedder = (
  { localModels, search, log }: Pick<Base, 'log'> & Pick<Minds, 'localModels'> & { readonly search: Search },
  addCloser: AddCloser,
): void => {
  const update = () => {
    const embedder = localModels.embedder()
    if ((embedder?.name ?? null) === search.embedder()) return
    search.useEmbedder(embedder).catch((err: unknown) => log.warn({ err }, 'failed to change the embedder'))
  }
  const close = localModels.onInstalledChange(update)
  addCloser({ close: async () => close() })
  update()
}

type PersonaParts = ReturnType<typeof openPersonaParts>
type Minds = Awaited<ReturnType<typeof openMinds>>

/**
 * Creates the agents and their channels. They depend on each other: both ask which personas run, and share a
 * pulse.
 */
const openAgents = (
  parts: Base & PersonaParts & Minds & { readonly search: Search; readonly cluster: Cluster | null },
  world: World,
  addCloser: AddCloser,
) => {
  const { config, bus, clock, log, minutes, cluster } = parts
  const web = createWebChannel({
    isRunning: (id) => agents.isRunning(id),
    onChange: (id) => bus.sign({ type: 'presence', id }),
    onConnect: (id) => agents.warmUp(id),
  })
  const pulse = (ids: Iterable<string>) => {
    minutes.beat(ids)
    channels.beat()
  }
  const reach = world.reach && { reach: world.reach }
  const serverTools = addCloser(
    createServerTools({ ...parts, env: process.env, open: () => openServers({ ...parts, ...reach }) }),
  )
  const tools = {
    getOutsideTools: serverTools.of,
    rest: serverTools.rest,
    ...(cluster && { hosts: cluster.isHosting }),
    ...(world.tools && { tools: world.tools }),
  }
  const { dailyTokens, keepCallsDays, warmUp, profile } = config
  const pageReader = config.webReading ? createPageReader({ ...parts, ...reach }) : null
  const webSearch = config.webSearch ? openWebSearch({ ...parts, ...reach }, addCloser) : null
  const subscribedCalendars: SubscribedCalendars = addCloser(
    createSubscribedCalendars({
      ...parts,
      isRunning: (id) => agents.isRunning(id),
      openReader: () => openCalendarReader(world),
    }),
  )
  const mailboxes: Mailboxes = addCloser(
    createMailboxes({
      ...parts,
      isRunning: (id) => agents.isRunning(id),
      summarize: async (...request) => {
        const { createMailReading } = await import('./agents/mail-reading.ts')
        const limits = { dailyTokens, keepCallsDays, profile, random: Math.random }
        return createMailReading({ ...parts, ...limits, getOutsideTools: serverTools.of })(...request)
      },
    }),
  )
  const outside = { pageReader, webSearch, subscribedCalendars, mailboxes }
  const agents = addCloser(
    createAgents({
      ...parts,
      signedHeads: config.signHeads ? parts.signedHeads : null,
      dailyTokens,
      keepCallsDays,
      warmUp,
      profile,
      web,
      pulse,
      ...outside,
      ...tools,
    }),
  )
  const createAll = () => createPlatforms({ urls: config.platforms, clock, log, env: process.env })
  const all = world.platforms ? toPlatforms(world.platforms) : createAll()
  const platforms = cluster ? cluster.platforms(all) : all
  const channels = addCloser(
    createChannels({ ...parts, platforms, agents, serverTools, limits: config.limits }),
  )
  const webPush = addCloser(createWebPush({ ...parts, ...reach, web }))
  return { web, agents, channels, serverTools, ...outside, webPush }
}

const openSubscriptions = (
  { config, tallies, ...deps }: Base & PersonaParts & Pick<World, 'reach'>,
  isCluster: boolean,
): SubscriptionsOnDemand => {
  const count = (outcome: string) => (facts: number) =>
    tallies.counts.subscription_facts.add({ outcome }, facts)
  return createSubscriptionsOnDemand({
    ...deps,
    isCluster,
    hosts: config.webhookHosts,
    onDelivered: count('delivered'),
    onDead: count('dead'),
  })
}

const openWebSearch = (
  { config, clock, reach }: Pick<Base, 'config' | 'clock'> & Pick<World, 'reach'>,
  addCloser: AddCloser,
): WebSearch => {
  const network = addCloser(createNetwork({ env: process.env, ...(reach && { reach }) }))
  return createWebSearch({ network, urls: config.searchUrls, keys: config.searchKeys, now: clock.now })
}

/** Loaded with the first calendar of others. */
const openCalendarReader = async ({ reach }: Pick<World, 'reach'>) => {
  const { createCalendarReader } = await import('../packages/calendars/calendar-reader.ts')
  return createCalendarReader({ env: process.env, ...(reach && { reach }) })
}

/** Loaded with the first tool server. */
const openServers = async ({ home, clock, log, reach }: Base & Pick<World, 'reach'>) => {
  const { createToolServers } = await import('../packages/mcp-client/tool-servers.ts')
  return createToolServers({
    home,
    clock,
    log,
    ...(reach && { reach }),
    env: process.env,
    hide: (secret) => log.hide(secret),
  })
}

const fewFiles = 1024
const fewFilesTold = ({ limit, journals, connections }: OpenFiles) =>
  `only ${limit} files may be open at once (ulimit -n): ${journals} journals are held open at a time, and others wait for one of them to be closed; ${connections} connections are taken`

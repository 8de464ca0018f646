/**
 * Manages the tool servers of all personas. Starts each when it is first needed, and closes it when idle. One
 * connection per server.
 */
import { hash } from 'node:crypto'
import type { PersonaId, Sha256 } from '../../facts/fact-values.ts'
import { eitherAborts, unlessAborted } from '../kit/flow/abort-signals.ts'
import { createKeyedPool } from '../kit/flow/keyed-pool.ts'
import type { Log } from '../kit/log.ts'
import { createNetwork } from '../kit/network/network.ts'
import type { Reach } from '../kit/network/reach.ts'
import { getZone } from '../kit/network/zone.ts'
import type { Clock } from '../kit/time/clock.ts'
import { createAuthorization } from './authorization.ts'
import { createUntimedNetwork } from './bounded-fetch.ts'
import { authorizesItself } from './http-transport.ts'
import { loadLibrary } from './library.ts'
import { removeListing } from './listing-file.ts'
import { createSecretMask, listSecrets } from './secret-mask.ts'
import type { CallResult, ServerConfig, ServerRef, ToolServers } from './server-config.ts'
import { type Connection, openConnection } from './server-connection.ts'
import { createServerEntry, type ServerEntry } from './server-entry.ts'
import { defaultLimits, type Limits } from './server-limits.ts'
import { closingTrouble, ServerTrouble } from './trouble.ts'

interface Deps {
  readonly home: string
  readonly clock: Clock
  readonly log: Log
  /** Contains the proxies. Child processes inherit a small subset. */
  readonly env: NodeJS.ProcessEnv
  /** Called with every secret of a server, for the log. */
  readonly hide?: (secret: string) => void
  readonly limits?: Partial<Limits>
  readonly reach?: Partial<Reach>
}

/** Max connections. One more closes the least recently used one. */
const maxConnections = 64

export const createToolServers = (deps: Deps): ToolServers => {
  const { home, clock, log, env, reach, hide = () => undefined } = deps
  const limits = { ...defaultLimits, ...deps.limits }
  const entries = new Map<string, ServerEntry>()
  const network = createUntimedNetwork(env, reach)
  /** For authorization requests, to addresses that the server names. */
  const authorizationNetwork = createNetwork({ env, ...(reach && { reach }) })
  let isClosed = false

  const getEntry = (id: PersonaId, ref: ServerRef): ServerEntry => {
    const place = toKey(id, ref.name)
    const existingEntry = entries.get(place)
    if (existingEntry?.ref.key === ref.key) return existingEntry
    // The configuration has changed, so the cached state is invalid.
    if (existingEntry) ignoreFailure(Promise.all([existingEntry.end(), drop(place, existingEntry)]))
    const entry = createServerEntry({ home, id, ref, clock, mask: createSecretMask(hide) })
    entries.set(place, entry)
    return entry
  }

  const open = async (place: string): Promise<Connection> => {
    const entry = entries.get(place)
    if (!entry || isClosed) throw closingTrouble(false)
    await entry.readListing()
    entry.starting()
    try {
      const connection = await openEntry(entry)
      entry.onStarted(connection)
      void connection.ending.then(() => pool.close(place)).catch(() => undefined)
      return connection
    } catch (error) {
      const serverTrouble = asTrouble(error, entry)
      entry.onFailed(serverTrouble)
      log.warn(
        { id: entry.id, reason: serverTrouble.message },
        `the tool server ${entry.ref.name} could not be used`,
      )
      throw serverTrouble
    }
  }

  const openEntry = async (entry: ServerEntry): Promise<Connection> => {
    const [library, config] = await Promise.all([loadLibrary(), entry.ref.config()])
    for (const { name, value } of listSecrets(config)) entry.mask.hide(value, name)
    const authorization = getAuthorization(entry, config, library)
    return openConnection({
      library,
      config,
      env,
      home,
      fetch: network.remote,
      authorization,
      limits,
      mask: entry.mask,
      era: entry.era(),
      signal: entry.signal,
      onListing: entry.onListed,
    })
  }

  const getAuthorization = (
    entry: ServerEntry,
    config: ServerConfig,
    library: Awaited<ReturnType<typeof loadLibrary>>,
  ) => {
    if (config.transport !== 'http' || authorizesItself(config)) return undefined
    entry.authorization ??= createAuthorization({
      library,
      config,
      store: entry.ref.auth,
      // Allows only addresses that are as public as the one that the user declared.
      fetch: authorizationNetwork.getNamedFetch(getZone(config.url)),
      mask: entry.mask,
      limits,
      clock,
      onSettled: (refusal) => {
        entry.forgive()
        entry.refusal = refusal && entry.mask.text(refusal)
        if (refusal === null) ignoreFailure(use(entry, entry.signal, async () => undefined))
      },
    })
    return entry.authorization
  }

  const pool = createKeyedPool<Connection>({
    open,
    close: (connection) => connection.close(),
    inTime: (promise) => promise,
    onError: () => undefined,
    clock,
    interval: limits.idle,
    maxItems: maxConnections,
  })

  const use = async <T>(
    entry: ServerEntry,
    signal: AbortSignal,
    look: (connection: Connection) => Promise<T>,
  ): Promise<T> => {
    if (isClosed || entry.signal.aborted) throw closingTrouble(false)
    if (!entry.connection()) await entry.pause(signal)
    return eitherAborts([signal, entry.signal], (combinedSignal) =>
      unlessAborted(pool.use(toKey(entry.id, entry.ref.name), look), combinedSignal),
    )
  }

  const drop = async (place: string, entry: ServerEntry): Promise<void> => {
    await entry.connection()?.close()
    await pool.close(place)
  }

  const forget = async (id: PersonaId, name: string): Promise<void> => {
    const place = toKey(id, name)
    const entry = entries.get(place)
    entries.delete(place)
    await entry?.end()
    if (entry) await drop(place, entry).catch(() => undefined)
    await removeListing({ home, id, name })
  }

  const endAll = async (isIncluded: (entry: ServerEntry) => boolean): Promise<void> => {
    const removedEntries = [...entries].filter(([, entry]) => isIncluded(entry))
    const endings = removedEntries.map(([place, entry]) => {
      entries.delete(place)
      return Promise.all([entry.end(), drop(place, entry).catch(() => undefined)])
    })
    await Promise.all(endings)
  }

  return {
    view: (id, ref) => getEntry(id, ref).view(),
    listed: async (id, ref, withinMs) => {
      const entry = getEntry(id, ref)
      if ((await entry.readListing()) || entry.authorization?.wanted()) return entry.view()
      const deadline = new AbortController()
      const work = use(entry, deadline.signal, async () => undefined).catch(() => undefined)
      await Promise.race([work, clock.wait(withinMs, deadline.signal)])
      deadline.abort()
      return entry.view()
    },
    call: async (id, ref, tool, input, signal, definition) => {
      const entry = getEntry(id, ref)
      const attempt = (): Promise<CallResult> =>
        use(entry, signal, (connection) => {
          mustBeSame(connection, tool, definition)
          return connection.call(tool, input, signal)
        }).catch((error: unknown) => {
          throw signal.aborted && !(error instanceof ServerTrouble)
            ? new ServerTrouble('The call was cut.', 'cut', { sent: entry.connection() !== undefined })
            : asTrouble(error, entry)
        })
      const previousConnection = entry.connection()
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof ServerTrouble)) throw error
        if (isBroken(error)) await entry.connection()?.close()
        // The session had expired and the call had no effect. Retry once in a new session.
        if (error.kind === 'gone' && previousConnection) return attempt()
        throw error
      }
    },
    probe: async (id, ref, signal) => {
      const entry = getEntry(id, ref)
      const place = toKey(id, ref.name)
      await entry.readListing()
      entry.forgive()
      await drop(place, entry).catch(() => undefined)
      await use(entry, signal, async () => undefined).catch(() => undefined)
      return entry.view()
    },
    forget,
    forgetAll: (id) => endAll((entry) => entry.id === id),
    close: async () => {
      isClosed = true
      await endAll(() => true)
      await pool.closeAll()
      await Promise.all([network.close(), authorizationNetwork.close()])
    },
  }
}

const toKey = (id: PersonaId, name: string): string => `${id}/${hash('sha256', name)}`

/** The user allowed this definition, not just any tool with this name. */
const mustBeSame = (connection: Connection, tool: string, definition: Sha256 | undefined): void => {
  const now = connection.definitions().tools.find(({ name }) => name === tool)
  if (!now) throw new ServerTrouble(`It has no tool ${tool} any more.`, 'changed')
  if (definition !== undefined && now.hash !== definition)
    throw new ServerTrouble(`Its tool ${tool} has changed since it was allowed.`, 'changed')
}

/** Returns true if the connection cannot be trusted any more. */
const isBroken = ({ kind }: ServerTrouble): boolean =>
  ['gone', 'network', 'ended', 'too_large'].includes(kind)

const asTrouble = (error: unknown, { mask, signal }: ServerEntry): ServerTrouble => {
  if (error instanceof ServerTrouble) return new ServerTrouble(mask.text(error.message), error.kind, error)
  if (signal.aborted) return closingTrouble()
  const name = error instanceof Error ? error.name : 'no reason given'
  return new ServerTrouble(`It could not be asked (${name}).`, 'config')
}

const ignoreFailure = (work: Promise<unknown>): void => {
  work.catch(() => undefined)
}

/** Answers HTTP and socket requests as soon as the personas are read from disk. */
import { fileURLToPath } from 'node:url'
import type { Closing } from '../packages/kit/flow/closing.ts'
import { type PersonaView, toPersonaView } from '../projections/view.ts'
import type { LinkIndexes } from './causes/link-index.ts'
import type { Channels } from './channels/channels.ts'
import type { Deps } from './http/route.ts'
import type { HttpServer } from './http/server/http-server.ts'
import { createMetrics } from './metrics/prometheus-metrics.ts'
import type { Tallies } from './metrics/tallies.ts'
import type { PersonaStore } from './persona/persona-store.ts'
import type { Search } from './search/search.ts'
import type { SocketLimits } from './socket/socket-server.ts'

type Keep = Closing['keep']

/** Returns a function that describes a persona of this daemon for the list. */
export const createViewer =
  ({ personas, agents, web, config }: Pick<Deps, 'personas' | 'agents' | 'web' | 'config'>) =>
  (id: string): PersonaView | undefined => {
    const self = personas.getRow(id)?.self
    return (
      self && toPersonaView(self, { running: agents.isRunning(id), webOpen: web.isOpen(id) }, config.urls)
    )
  }

interface Served extends Omit<Deps, 'projections'> {
  readonly home: string
  readonly personas: PersonaStore
  readonly search: Search
  readonly links: LinkIndexes
  readonly channels: Channels
  readonly tallies: Tallies
  readonly view: ReturnType<typeof createViewer>
}

interface Options {
  readonly sockets?: Partial<SocketLimits>
  readonly pages?: string
}

/**
 * Requests wait until the personas are read from disk. Otherwise early clients would get 404 for an existing
 * persona. The request handlers are loaded after the start. Measured: loading them takes as long as the start
 * itself.
 */
export const serveRequests = (deps: Served, options: Options, server: HttpServer, addCloser: Keep): void => {
  const { personas, agents, tallies, channels, durability, elsewhere } = deps
  const view = (id: string) => deps.view(id) ?? elsewhere?.getOtherSummaries().get(id)?.view
  const handlers = nextTick().then(async () => {
    const { createApp } = await import('./http/server/app.ts')
    const { createProjections } = await import('./health/projections.ts')
    const { createSocketServer } = await import('./socket/socket-server.ts')
    const limits = options.sockets && { limits: options.sockets }
    const passingOn =
      elsewhere && addCloser((await import('./http/server/pass-on.ts')).createPassingOn(elsewhere))
    const projections = createProjections(deps)
    return {
      createApp,
      projections,
      passing: passingOn,
      sockets: createSocketServer({ ...deps, view, ...limits }),
    }
  })
  // Order: reject new requests, answer waiting ones, close the sockets. The agents stop afterwards.
  const close = async () => {
    const serverClosed = server.close()
    await (await handlers).sockets.close()
    await serverClosed
  }
  addCloser({ close })
  const pages = options.pages ?? fileURLToPath(new URL('./web', import.meta.url))
  const startAgents = async () => {
    const { createApp, projections, sockets, passing } = await handlers
    const metrics = createMetrics(tallies, {
      personas,
      agents,
      sockets: sockets.countConnected,
      connections: server.connections,
      outbox: channels.countWaiting,
      subscriptions: deps.subscriptions.listLoaded,
      droppedLogLines: deps.log.droppedLines,
      journals: () => tallies.open,
      projections,
      durability: () => durability?.last() ?? null,
    })
    server.serve({
      mount: (serverParts, classes) => {
        const app = createApp({ ...deps, ...serverParts, projections, metrics, passing }, pages, classes)
        return passing ? passing.before(app, serverParts.pace) : app
      },
      onUpgrade: passing ? passing.beforeUpgrade(sockets.onUpgrade) : sockets.onUpgrade,
    })
  }
  void personas.ready.then(startAgents, startAgents)
}

/** Resolves after the caller of `openDaemon` has reported the start. */
const nextTick = () => new Promise((resolve) => setImmediate(resolve))

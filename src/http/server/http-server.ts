/**
 * The HTTP server on both loopback addresses: guard first, then the app; slow clients are cut, waiting ones
 * are not.
 */
import { setMaxListeners } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { finished } from 'node:stream'
import type { Log } from '../../../packages/kit/log.ts'
import { addOwnListener } from '../../../packages/kit/network/own-listeners.ts'
import type { RouteDeps } from '../route.ts'
import { problemFor } from '../schema/problems.ts'
import type { HttpRefusal } from '../schema/refused.ts'
import { createBodyBudget } from './body-reader.ts'
import { createGuard } from './guard.ts'
import { bindLoopback } from './loopback.ts'
import { createPace } from './pace.ts'
import { createLine } from './pipelining.ts'
import { type Classes, createClasses } from './prototypes.ts'
import { rawProblem, securityHeaders, sendFault, sendProblem } from './replies.ts'

export type OnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface Served {
  /** Makes what answers requests, with what the server alone can tell it. */
  readonly mount: (own: Pick<RouteDeps, 'closing' | 'pace' | 'bodies'>, classes: Classes) => RequestListener
  /** Called for requests that passed the guard. */
  readonly onUpgrade: OnUpgrade
}

export interface HttpServer {
  /**
   * Binds 127.0.0.1 and, where the machine has it, ::1; port 0 takes a free one. `PortTaken`. Requests wait
   * until `serve`.
   */
  listen(port: number): Promise<{ readonly port: number }>
  serve(served: Served): void
  /** Connections that are open now. */
  connections(): number
  /** Takes no more, ends what waits, lets the rest end for `limit` milliseconds, then cuts every socket. */
  close(limit?: number): Promise<void>
}

/**
 * Milliseconds. A request must have arrived whole (what is uploaded only moves on), a reply must move on
 * within these; how long an answer takes is nobody's business here.
 */
export interface Timeouts {
  readonly headers: number
  readonly request: number
  readonly idle: number
  readonly stalled: number
  /** Between two looks at who dawdles. */
  readonly look: number
}

// Node takes a write for moving when it looks for the first time and the network has taken a part of it: who
// reads nothing is cut at the second look. ⏱ With 3 s 6.1 s after the last byte moved, so a minute with
// these.
const usual: Timeouts = { headers: 30_000, request: 60_000, idle: 60_000, stalled: 30_000, look: 10_000 }

/**
 * More are refused with 431. Node cuts the list of headers at 2000 by default, and what it cuts off would
 * pass the guard unseen.
 */
const maxHeaders = 2000

interface Manners {
  readonly allowedHosts: readonly string[]
  /** Whoever comes when there are so many is turned away: what else has to be opened needs its files. */
  readonly connections?: number
  readonly log: Log
  readonly timeouts?: Timeouts
  /** Bytes of large bodies that are held at once. */
  readonly maxBodies?: number
  /** Told the status of every response that was sent. Must not throw. */
  readonly responded?: (status: number) => void
}

export const createHttpServer = ({
  allowedHosts,
  connections = Infinity,
  log,
  timeouts = usual,
  maxBodies = Infinity,
  responded = () => undefined,
}: Manners): HttpServer => {
  const classes = createClasses()
  const guard = createGuard(allowedHosts)
  const closing = new AbortController()
  // One listener for each caller that waits; Node warns of a leak from the eleventh on.
  setMaxListeners(0, closing.signal)
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  const early: (() => void)[] = []
  const inLine = createLine()
  const pace = createPace(timeouts.request)
  const bodies = {
    budget: createBodyBudget(maxBodies),
    pace: createPace(timeouts.look),
    closing: closing.signal,
  }
  let answer: RequestListener | undefined
  let upgrade: OnUpgrade | undefined
  let removeOwnListener = () => {}

  const whenServed = (go: () => void) => {
    if (answer) return go()
    early.push(go)
  }
  const onRequest = (
    request: IncomingMessage & { readonly asksUpgrade?: boolean | null },
    response: ServerResponse,
  ) => {
    for (const [name, value] of securityHeaders) response.setHeader(name, value)
    // Node says nothing of a broken request behind one that offered another protocol: nobody would be
    // answered, or cut, before the time-out.
    if (request.asksUpgrade) response.shouldKeepAlive = false
    // What nobody reads is cut; while an answer is being made the socket may rest.
    response.once('prefinish', () => {
      responded(response.statusCode)
      response.setTimeout(timeouts.stalled)
    })
    // Node would keep it a second longer for another request.
    response.once('close', () => closing.signal.aborted && request.socket.end())
    const path = request.url ?? '/'
    const onFault = () => sendFault(response, path)
    const serve = orFault(() => answer?.(request, response), onFault)
    orFault(() => {
      const refusal = refusalOf(request)
      if (refusal) return sendProblem(response, problemFor(refusal), path)
      whenServed(() => inLine(request, response, serve))
    }, onFault)()
  }
  const onUpgrade: OnUpgrade = (request, socket, head) => {
    const onFault = () => void socket.destroy()
    orFault(() => {
      const refusal = refusalOf(request)
      if (refusal) return refuseRaw(socket, refusal, request.url)
      whenServed(orFault(() => upgrade?.(request, socket, head), onFault))
    }, onFault)()
  }
  /** An exception in a listener of the server would end the process. */
  const orFault = (act: () => void, onFault: () => void) => () => {
    try {
      act()
    } catch (err) {
      log.error({ err, status: 500 }, 'a request could not be answered')
      onFault()
    }
  }
  const refusalOf = ({ method = '', url = '', rawHeaders }: IncomingMessage): HttpRefusal | null => {
    if (rawHeaders.length > 2 * maxHeaders) return { code: 'headers_too_large' }
    const why = guard({ method, url, rawHeaders })
    return why === null ? null : { code: 'forbidden', why }
  }

  let crowded = false
  const turnAway = (socket: Socket) => {
    if (!crowded) log.warn({ count: sockets.size }, 'there are too many connections: more are turned away')
    crowded = true
    socket.destroy()
  }

  const make = (): Server => {
    const server = createServer({
      ...classes,
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.idle,
      connectionsCheckingInterval: timeouts.look,
    })
    server.maxHeadersCount = 0 // no list is cut: the guard sees every header
    server.on('request', onRequest)
    // A body is called for (100 Continue) by whoever reads it; a refusal spares the client the sending.
    server.on('checkContinue', onRequest)
    server.on('checkExpectation', onRequest)
    server.on('upgrade', onUpgrade)
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || !pace.covers(socket)) answerBroken(error, socket)
    })
    server.on('connection', (socket) => {
      if (sockets.size >= connections) return turnAway(socket)
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        crowded &&= sockets.size > connections / 2
      })
    })
    return server
  }

  return {
    listen: async (wanted) => {
      servers.push(...(await bindLoopback(make, wanted)))
      const port = portOf(servers)
      removeOwnListener = addOwnListener({ port, names: allowedHosts })
      return { port }
    },
    serve: ({ mount, onUpgrade }) => {
      answer = mount({ closing: closing.signal, pace, bodies }, classes)
      upgrade = onUpgrade
      for (const go of early.splice(0)) go()
    },
    connections: () => sockets.size,
    close: async (limit = 5000) => {
      closing.abort()
      const cut = setTimeout(() => {
        log.warn({ count: sockets.size }, 'connections were still busy and are cut')
        for (const socket of sockets) socket.destroy()
      }, limit)
      const closed = servers.map(closeServer)
      // Node counts a connection that has not said a word among the busy ones.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      await Promise.all(closed)
      removeOwnListener()
      clearTimeout(cut)
    },
  }
}

const portOf = ([server]: readonly Server[]): number => {
  const address = server?.address()
  return typeof address === 'object' && address ? address.port : 0
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })

/**
 * What Node's parser could not read. Words of ours into a reply that has begun would be taken for a part of
 * it.
 */
const answerBroken = (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy()
  if (error.code === 'HPE_HEADER_OVERFLOW') return refuseRaw(socket, { code: 'headers_too_large' })
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuseRaw(socket, { code: 'request_slow' })
  refuseRaw(socket, { code: 'request_malformed' })
}

/**
 * Node keeps the response that a socket is busy with in a field of it, and looks there for the same reason.
 */
const isAnswering = (socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent === true

const refuseRaw = (socket: Duplex, refusal: HttpRefusal, path = '/'): void => {
  finished(socket, { readable: false }, () => socket.destroy())
  socket.end(rawProblem(problemFor(refusal), path))
}

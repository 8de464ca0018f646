/**
 * The HTTP server on both loopback addresses. Runs the guard first, then the app. Cuts connections of slow
 * clients, but not those that wait for an answer.
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
import { type Duplex, finished } from 'node:stream'
import type { Log } from '../../../packages/kit/log.ts'
import { addOwnListener } from '../../../packages/kit/network/own-listeners.ts'
import { problemFor } from '../problems.ts'
import type { HttpRefusal } from '../refused.ts'
import type { RouteDeps } from '../route.ts'
import { createBodyBudget } from './body-reader.ts'
import { createGuard } from './guard.ts'
import { rawProblem, securityHeaders, sendFault, sendProblem } from './json-response.ts'
import { bindLoopback } from './loopback.ts'
import type { OnUpgrade } from './pass-on.ts'
import { createPipeline } from './pipelining.ts'
import { type Classes, createPrototypes } from './prototypes.ts'
import { createSlowUploadGuard } from './slow-upload.ts'
import { traceRequest } from './traced-request.ts'

export interface Served {
  /** Creates the request listener. Gets the dependencies that only the server can provide. */
  readonly mount: (
    serverDeps: Pick<RouteDeps, 'closing' | 'pace' | 'bodies'>,
    classes: Classes,
  ) => RequestListener
  /** Called for upgrade requests that passed the guard. */
  readonly onUpgrade: OnUpgrade
}

export interface HttpServer {
  /**
   * Binds 127.0.0.1 and, if the machine has it, ::1. Port 0 takes a free port. Throws PortTaken. Requests
   * wait until `serve` is called.
   */
  listen(port: number): Promise<{ readonly port: number }>
  serve(options: Served): void
  /** Returns the number of open connections. */
  connections(): number
  /**
   * Stops accepting connections, aborts waiting requests, lets the others finish for `limit` ms, then cuts
   * every socket.
   */
  close(limit?: number): Promise<void>
}

/**
 * In ms. `request` limits the time until a request has arrived whole; uploads only have to make progress.
 * `stalled` limits the time without progress of a reply. The time to compute an answer is not limited here.
 */
export interface Timeouts {
  readonly headers: number
  readonly request: number
  readonly idle: number
  readonly stalled: number
  /** Between two checks for slow clients. */
  readonly look: number
}

// Node counts a write as progress at its first check if the network took some bytes. A client that reads
// nothing is therefore cut at the second check. Measured: with 3 s, 6.1 s after the last byte moved, so about
// a minute with these values.
const usualTimeouts: Timeouts = {
  headers: 30_000,
  request: 60_000,
  idle: 60_000,
  stalled: 30_000,
  look: 10_000,
}

/**
 * More headers are refused with 431. Node drops headers beyond 2000 by default, and the guard would not see
 * those.
 */
const maxHeaders = 2000

interface ServerOptions {
  readonly allowedHosts: readonly string[]
  /** Refuses all requests that change something. */
  readonly isReadOnly?: boolean
  /** Max open connections. More are closed, so that file descriptors are left for the daemon's files. */
  readonly connections?: number
  readonly log: Log
  readonly timeouts?: Timeouts
  /** Max bytes of large bodies that are held at the same time. */
  readonly maxBodies?: number
  /** Called with the status of every response. Must not throw. */
  readonly responded?: (status: number) => void
}

export const createHttpServer = ({
  allowedHosts,
  isReadOnly = false,
  connections = Infinity,
  log,
  timeouts = usualTimeouts,
  maxBodies = Infinity,
  responded: onResponse = () => undefined,
}: ServerOptions): HttpServer => {
  const classes = createPrototypes()
  const guard = createGuard(allowedHosts, isReadOnly)
  const closing = new AbortController()
  // Each waiting request adds a listener. Node warns of a leak from the eleventh on.
  setMaxListeners(0, closing.signal)
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  const waitingRequests: (() => void)[] = []
  const inLine = createPipeline()
  const pace = createSlowUploadGuard(timeouts.request)
  const bodies = {
    budget: createBodyBudget(maxBodies),
    pace: createSlowUploadGuard(timeouts.look),
    closing: closing.signal,
  }
  let answer: RequestListener | undefined
  let upgrade: OnUpgrade | undefined
  let removeOwnListener = () => {}

  const whenServed = (go: () => void) => {
    if (answer) return go()
    waitingRequests.push(go)
  }
  const onRequest = (
    request: IncomingMessage & { readonly asksUpgrade?: boolean | null },
    response: ServerResponse,
  ) => {
    for (const [name, value] of securityHeaders) response.setHeader(name, value)
    // After a request that offered another protocol, Node reports no error for a broken request. Its client
    // would get neither a response nor a disconnect before the timeout.
    if (request.asksUpgrade) response.shouldKeepAlive = false
    // A response that the client does not read is cut. The socket may be idle while the response is computed.
    response.once('prefinish', () => {
      onResponse(response.statusCode)
      response.setTimeout(timeouts.stalled)
    })
    // Node would keep the connection open for another second.
    response.once('close', () => closing.signal.aborted && request.socket.end())
    const path = request.url ?? '/'
    const onFault = () => sendFault(response, path)
    const serve = orFault(() => traceRequest(request, response, () => answer?.(request, response)), onFault)
    orFault(() => {
      const refusal = checkRequest(request)
      if (refusal) return sendProblem(response, problemFor(refusal), path)
      whenServed(() => inLine(request, response, serve))
    }, onFault)()
  }
  const onUpgrade: OnUpgrade = (request, socket, head) => {
    const onFault = () => void socket.destroy()
    orFault(() => {
      const refusal = checkRequest(request)
      if (refusal) return refuseRaw(socket, refusal, request.url)
      whenServed(orFault(() => upgrade?.(request, socket, head), onFault))
    }, onFault)()
  }
  /** An exception in a listener of the server would end the process. */
  const orFault = (act: () => void, onFault: () => void) => () => {
    try {
      act()
    } catch (err) {
      log.error({ err, status: 500 }, 'failed to answer a request')
      onFault()
    }
  }
  const checkRequest = ({ method = '', url = '', rawHeaders }: IncomingMessage): HttpRefusal | null => {
    if (rawHeaders.length > 2 * maxHeaders) return { code: 'headers_too_large' }
    const reason = guard({ method, url, rawHeaders })
    return reason === null ? null : { code: 'forbidden', why: reason }
  }

  let isCrowded = false
  const turnAway = (socket: Socket) => {
    if (!isCrowded) log.warn({ count: sockets.size }, 'too many connections, closing new ones')
    isCrowded = true
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
    server.maxHeadersCount = 0 // never drops headers: the guard sees all of them
    server.on('request', onRequest)
    // The body reader sends 100 Continue. If the request is refused before, the client does not send its
    // body.
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
        isCrowded &&= sockets.size > connections / 2
      })
    })
    return server
  }

  return {
    listen: async (wantedPort) => {
      servers.push(...(await bindLoopback(make, wantedPort)))
      const port = getPort(servers)
      removeOwnListener = addOwnListener({ port, names: allowedHosts })
      return { port }
    },
    serve: ({ mount, onUpgrade }) => {
      answer = mount({ closing: closing.signal, pace, bodies }, classes)
      upgrade = onUpgrade
      for (const go of waitingRequests.splice(0)) go()
    },
    connections: () => sockets.size,
    close: async (limit = 5000) => {
      closing.abort()
      const cutTimer = setTimeout(() => {
        log.warn({ count: sockets.size }, 'closing connections that are still busy')
        for (const socket of sockets) socket.destroy()
      }, limit)
      const closings = servers.map(closeServer)
      // Node counts a connection that has not sent anything as busy.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      await Promise.all(closings)
      removeOwnListener()
      clearTimeout(cutTimer)
    },
  }
}

const getPort = ([server]: readonly Server[]): number => {
  const address = server?.address()
  return typeof address === 'object' && address ? address.port : 0
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })

/**
 * Answers requests that Node's parser could not read. If a response has begun, nothing is written, because
 * the client would take it for a part of the body.
 */
const answerBroken = (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy()
  if (error.code === 'HPE_HEADER_OVERFLOW') return refuseRaw(socket, { code: 'headers_too_large' })
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuseRaw(socket, { code: 'request_slow' })
  refuseRaw(socket, { code: 'request_malformed' })
}

/** Node keeps the current response of a socket in this field, and reads it for the same purpose. */
const isAnswering = (socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent === true

const refuseRaw = (socket: Duplex, refusal: HttpRefusal, path = '/'): void => {
  finished(socket, { readable: false }, () => socket.destroy())
  socket.end(rawProblem(problemFor(refusal), path))
}

/**
 * Forwards requests and sockets for a persona that another daemon of the cluster hosts. They are forwarded
 * unchanged in both directions.
 */
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { traceHeaders } from '../../../packages/kit/tracing/tracing.ts'
import type { Host, PersonaLocations } from '../../cluster/persona-location.ts'
import { parseResponseId } from '../../persona/stored-responses.ts'
import { problemFor } from '../problems.ts'
import type { HttpRefusal } from '../refused.ts'
import { join, refuseRaw } from './joined-sockets.ts'
import { sendFault, sendProblem } from './json-response.ts'
import {
  formatHops,
  forwardedHeaders,
  type Headers,
  hopsHeader,
  lengthHeaders,
  parseHops,
  responseHeaders,
} from './passed-headers.ts'
import type { SlowUploadGuard } from './slow-upload.ts'

export interface PassingOn {
  /** Wraps the app. Requests for other daemons are forwarded, the others reach the app. */
  before(app: RequestListener, pace: SlowUploadGuard): RequestListener
  beforeUpgrade(next: OnUpgrade): OnUpgrade
  /** Forwards a request whose body was already read. Resolves when the response is closed. */
  send(host: Host, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void>
  close(): Promise<void>
}

/** A longer chain means that the daemons do not agree yet on the host of the persona. */
const mostHops = 3
/** Ms between two checks whether the host is alive. */
const look = 500

export const createPassingOn = (locations: PersonaLocations): PassingOn => {
  const agents = {
    'http:': new Agent({ keepAlive: true, timeout: 30_000 }),
    'https:': new TlsAgent({ keepAlive: true, timeout: 30_000 }),
  }
  const open = (
    { address }: Host,
    { method = 'GET', url = '/', headers }: IncomingMessage,
    extraHeaders: Headers,
  ) => {
    const base = new URL(address)
    const isTls = base.protocol === 'https:'
    const path = `${base.pathname.replace(/\/$/, '')}${url}`
    const options = {
      host: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port || (isTls ? 443 : 80),
      method,
      path,
      headers: {
        ...forwardedHeaders(headers),
        ...traceHeaders(),
        ...extraHeaders,
        host: base.host,
        [hopsHeader]: formatHops(headers, locations.self),
      },
      setHost: false,
    }
    return isTls
      ? tlsRequest({ ...options, agent: agents['https:'] })
      : httpRequest({ ...options, agent: agents['http:'] })
  }

  /** A process that was paused may not have read the latest answers of the servers, so it asks them again. */
  const isCutOff = async (): Promise<boolean> => locations.age() !== null && !(await locations.answers())

  const handle = async (
    app: RequestListener,
    pace: SlowUploadGuard,
    ...[request, response]: Parameters<RequestListener>
  ) => {
    const { url = '/', headers, method } = request
    const refuse = (refusal: HttpRefusal) => sendProblem(response, problemFor(refusal), url)
    const isCommand = method !== 'GET' && method !== 'HEAD'
    if (isCommand && isAsked(url) && (await isCutOff())) return refuse({ code: 'cut_off' })
    const target = await findTarget(locations, url, headers)
    if (target.to === 'refuse') return refuse(target.refusal)
    if (target.to === 'host') {
      const unwatch = pace.watch(request, () => request.destroy())
      request.once('close', unwatch).once('end', unwatch)
      return forward(target.host, request, response)
    }
    const age = locations.age()
    if (age !== null) response.setHeader('Age', String(Math.ceil(age / 1000)))
    app(request, response)
  }

  const forward = (host: Host, request: IncomingMessage, response: ServerResponse, body?: Buffer) => {
    const outgoing = open(host, request, body ? readAlready(body) : lengthHeaders(request))
    const path = request.url ?? '/'
    const stop = whileAlive(locations, host, outgoing)
    response.once('close', () => {
      stop()
      outgoing.destroy()
    })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, responseHeaders(answer.headers))
      response.flushHeaders()
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', () => {
      if (response.headersSent) return void response.destroy()
      sendProblem(response, problemFor(toHostProblem(locations, host)), path)
    })
    if (body) return void outgoing.end(body)
    if (request.headers.expect) response.writeContinue()
    request.pipe(outgoing)
  }

  return {
    before: (app, pace) => (request, response) =>
      void handle(app, pace, request, response).catch(() => sendFault(response, request.url ?? '/')),
    beforeUpgrade: (next) => (request, socket, head) => {
      const refuse = (refusal: HttpRefusal) => refuseRaw(socket, refusal, request.url ?? '/')
      const pass = async () => {
        const target = await findTarget(locations, request.url ?? '/', request.headers)
        if (target.to === 'refuse') return refuse(target.refusal)
        if (target.to === 'app') return next(request, socket, head)
        const outgoing = open(target.host, request, { connection: 'Upgrade', upgrade: 'websocket' })
        join(outgoing, { socket, head, stop: whileAlive(locations, target.host, outgoing) })
        outgoing.on('error', () => refuse(toHostProblem(locations, target.host)))
        outgoing.end()
      }
      void pass().catch(() => socket.destroy())
    },
    send: (host, request, response, body) =>
      new Promise((resolve) => {
        response.once('close', resolve)
        forward(host, request, response, body)
      }),
    close: async () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

type Target =
  | { readonly to: 'app' }
  | { readonly to: 'host'; readonly host: Host }
  | { readonly to: 'refuse'; readonly refusal: HttpRefusal }

/** Finds the daemon for a request. During a hand-over it waits for the next host. */
const findTarget = async (
  locations: PersonaLocations,
  url: string,
  headers: IncomingHttpHeaders,
): Promise<Target> => {
  const id = personaIn(url)
  const place = id === null ? null : await locations.find(id)
  if (place === null || place.at === 'here' || place.at === 'unknown') return { to: 'app' }
  if (place.at === 'nowhere') return { to: 'refuse', refusal: { code: 'host_gone' } }
  const hops = parseHops(headers)
  if (hops.includes(locations.self)) return { to: 'refuse', refusal: { code: 'passed_in_circle' } }
  if (hops.length >= mostHops) return { to: 'refuse', refusal: { code: 'passed_too_often' } }
  return { to: 'host', host: place.host }
}

/** Returns null if the path does not name one persona. */
const personaIn = (url: string): string | null => {
  const [, place, name] = /^\/(api\/persona|mcp|ws|v1\/models|v1\/responses)\/([^/?#]+)/.exec(url) ?? []
  try {
    if (name === undefined) return null
    const id = decodeURIComponent(name)
    return place === 'v1/responses' ? (parseResponseId(id)?.persona ?? null) : id
  } catch {
    return null
  }
}

const isAsked = (url: string): boolean => /^\/(?:api|v1|mcp)(?:\/|$)/.test(url)

/** The body was decompressed when it was read. */
const readAlready = ({ byteLength }: Buffer): Headers => ({
  'content-length': byteLength,
  'content-encoding': 'identity',
})

const toHostProblem = (locations: PersonaLocations, { daemon }: Host): HttpRefusal =>
  locations.isAlive(daemon) ? { code: 'host_unreachable' } : { code: 'host_gone' }

/**
 * Aborts the request when the host is gone. A machine that went down refuses nothing, so the request would
 * wait for minutes.
 */
const whileAlive = (locations: PersonaLocations, { daemon }: Host, outgoing: ClientRequest): (() => void) => {
  const looking = setInterval(() => {
    // A daemon that is cut off does not know which others are alive.
    if (locations.age() !== null || locations.isAlive(daemon)) return
    clearInterval(looking)
    outgoing.destroy(new Error('the host is gone'))
  }, look)
  return () => clearInterval(looking)
}

export type OnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

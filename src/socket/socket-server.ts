/** The WebSocket server: `/ws/{persona_id}` and `/ws/system`. Requests have passed the guard. */

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Log } from '../../packages/kit/log.ts'
import { type Clock, isoWithOffset } from '../../packages/kit/time/clock.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import type { PersonaView } from '../../projections/view.ts'
import { type Bus, listen } from '../bus.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { WebChannel } from '../web-channel.ts'
import { createAudience } from './audience.ts'
import { backfill, type ReplayLimits } from './backfill.ts'
import { type Client, type ClientLimits, createClient, createCork } from './client.ts'
import type { Frame } from './frames.ts'
import { createSystemRoom } from './system.ts'
import { createThoughts, noStep } from './thoughts.ts'

export interface SocketServer {
  /** Handles `upgrade` events of the HTTP server. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Number of connected clients. */
  countConnected(): number
  /** Closes all clients with 1001. Resolves when they are gone, at the latest after the grace period. */
  close(): Promise<void>
}

export interface SocketLimits extends ClientLimits, ReplayLimits {
  /** Milliseconds between pings. */
  readonly ping: number
  /** Max bytes of a message from a client. */
  readonly received: number
}

export interface SocketDeps {
  readonly personas: Pick<PersonaStore, 'getRow' | 'read' | 'ready'>
  readonly bus: Pick<Bus, 'commits' | 'signs'>
  readonly web: Pick<WebChannel, 'connect'>
  /** The current view in the list. */
  readonly view: (id: PersonaId) => PersonaView | undefined
  readonly clock: Clock
  readonly log: Log
  readonly stringify?: (frame: Frame) => string
  readonly limits?: Partial<SocketLimits>
}

const mebi = 1024 * 1024
const defaultLimits: SocketLimits = {
  ping: 30_000,
  received: mebi,
  pileUp: 8 * mebi,
  grace: 2000,
  maxEntries: 5000,
  keptEntries: 200,
  page: 500,
  pageBytes: mebi / 2,
}

export const createSocketServer = (deps: SocketDeps): SocketServer => {
  const { personas, clock, log } = deps
  const limits = { ...defaultLimits, ...deps.limits }
  const rooms = createRooms(deps, limits)
  const cork = createCork()
  const clients = new Set<Client>()
  let closing = false

  // No compression: on loopback it costs ten times the time and memory that it saves.
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.received,
  })
  sockets.on('wsClientError', (error, socket) => refuse(socket, '400 Bad Request', error.message))

  const stopBeating = clock.every(limits.ping, () => {
    for (const client of clients) client.beat()
  })

  const welcome = (ws: WebSocket, socket: Duplex, place: Place) => {
    const client = createClient({ ws, socket, cork, clock, log, limits })
    clients.add(client)
    void client.whenClosed.then(() => clients.delete(client))
    if (place.to === 'system') rooms.joinSystem(client)
    else rooms.joinPersona(client, place.id, place.after)
  }

  return {
    onUpgrade: (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      const place = parseSocketPath(request.url ?? '')
      if (!place) return refuse(socket, '404 Not Found', 'Not Found')
      const admit = () => {
        if (closing) return refuse(socket, '503 Service Unavailable', 'The daemon is closing.')
        sockets.handleUpgrade(request, socket, head, (ws) => welcome(ws, socket, place))
      }
      // Until then a hosted persona may not be listed.
      personas.ready.then(admit, () => refuse(socket, '503 Service Unavailable', 'The home cannot be read.'))
    },
    countConnected: () => clients.size,
    close: async () => {
      closing = true
      stopBeating()
      rooms.close()
      for (const client of clients) client.end(1001, 'The daemon is closing.')
      await Promise.all([...clients].map(({ whenClosed }) => whenClosed))
      sockets.close()
    },
  }
}

/** Connects clients with the bus. */
const createRooms = (
  { personas, bus, web, view, clock, log, stringify = JSON.stringify }: SocketDeps,
  limits: SocketLimits,
) => {
  const encode = (frame: Frame): Buffer => Buffer.from(stringify(frame))
  const stamp = createStamp(clock)
  const thoughts = createThoughts()
  const audience = createAudience({ thoughts, encode, stamp })
  const system = createSystemRoom({ view, encode, stamp })

  const stops = [
    listen(bus.commits, log, (commit) => {
      // First, so that a listener that goes live later gets no deltas of an ended step.
      thoughts.onCommit(commit)
      // The history may have been replaced. Clients reconnect and start over.
      if (commit.entries.some(({ type }) => type === 'PersonaRestored'))
        audience.dismiss(commit.id, 1012, 'It was brought back.')
      audience.publish(commit)
      if (commit.persona.self.deleted) audience.dismiss(commit.id, 4404, 'The persona was deleted.')
      system.publish(commit)
    }),
    listen(bus.signs, log, (sign) => {
      thoughts.sign(sign)
      audience.sign(sign)
      if (sign.type === 'left') audience.dismiss(sign.id, 1012, 'Another daemon hosts it now.')
      if (sign.type === 'gone') audience.dismiss(sign.id, 4404, 'The persona was deleted.')
      system.sign(sign)
    }),
  ]

  const fail = (client: Client, id: PersonaId, error: unknown) => {
    if (error instanceof Refused) return client.end(4404, 'There is no such persona.')
    log.error({ id, err: error }, 'failed to read the backfill of a listener')
    client.end(1011, 'Its journal cannot be read now. Come back with ?after=.')
  }

  return {
    joinSystem: (client: Client) => {
      system.join(client)
      void client.whenClosed.then(() => system.leave(client))
    },
    joinPersona: (client: Client, id: PersonaId, afterSeq: Seq | 0 | null) => {
      const row = personas.getRow(id)
      if (!row || row.self.deleted) return client.end(4404, 'There is no such persona.')
      const seat = audience.join(id, client)
      const disconnect = web.connect(id)
      void client.whenClosed.then(() => {
        seat.leave()
        disconnect()
      })
      if (afterSeq === null) return seat.goLive(0, noStep)
      void backfill({ personas, encode, stamp, log, limits }, id, afterSeq, { client, seat }).catch(
        (error: unknown) => fail(client, id, error),
      )
    },
    close: () => {
      for (const stop of stops) stop()
      audience.close()
    },
  }
}

/** `after` null: no backfill. */
export type Place =
  | { readonly to: 'system' }
  | { readonly to: 'persona'; readonly id: PersonaId; readonly after: Seq | 0 | null }

/** Null for an unknown path. An invalid `after` is ignored. */
const parseSocketPath = (url: string): Place | null => {
  const [path = '', ...query] = url.split('?')
  const id = decodePart(/^\/ws\/([^/]+)$/.exec(path)?.[1])
  if (id === null) return null
  if (id === 'system') return { to: 'system' }
  const afterText = new URLSearchParams(query.join('?')).get('after')
  return {
    to: 'persona',
    id,
    after: afterText !== null && /^\d{1,15}$/.test(afterText) ? Number(afterText) : null,
  }
}

const decodePart = (part: string | undefined): string | null => {
  try {
    return part === undefined ? null : decodeURIComponent(part)
  } catch {
    return null
  }
}

/** Writes an error response like all others, without a response object. */
const refuse = (socket: Duplex, status: string, detail: string): void => {
  const body = JSON.stringify({ detail })
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Cross-Origin-Resource-Policy: same-origin',
    'Cross-Origin-Opener-Policy: same-origin',
    'Referrer-Policy: no-referrer',
    'X-Frame-Options: DENY',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Zones change their offset only at quarter hours, and computing it is slow. */
const quarterHour = 900_000

const createStamp = (clock: Clock): (() => string) => {
  let quarter = Number.NaN
  let offset = 0
  return () => {
    const now = clock.now()
    const current = Math.floor(now / quarterHour)
    if (current !== quarter) offset = offsetAt(now, clock.zone)
    quarter = current
    return isoWithOffset(now, offset)
  }
}

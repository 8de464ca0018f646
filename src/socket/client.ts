/** One connected socket. Batches the frames of a tick into one write; closes slow and dead clients. */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'

export interface Client {
  /** Aborted when the client is closing or has left. */
  readonly gone: AbortSignal
  readonly closed: Promise<void>
  /** Live frames. Closes the client with 1013 if too many bytes are pending. */
  send(frames: readonly Buffer[]): void
  /** Resolves when the network took the frames, or the client is gone. */
  replay(frames: readonly Buffer[]): Promise<void>
  /** Sends a ping. Terminates a client that missed two. */
  beat(): void
  /** Closes the connection; terminates it if the client does not answer. */
  end(code: number, reason: string): void
}

export interface ClientLimits {
  /** Max pending bytes. */
  readonly pileUp: number
  /** Milliseconds from close to termination. */
  readonly grace: number
}

/** Corks a socket until the end of the tick. Returns true for the first call in a tick. */
export type Cork = (socket: Duplex) => boolean

interface Deps {
  readonly ws: WebSocket
  readonly socket: Duplex
  readonly cork: Cork
  readonly clock: Clock
  readonly log: Log
  readonly limits: ClientLimits
}

const missedPings = 2
const asText = { binary: false }

export const createClient = ({ ws, socket, cork, clock, log, limits }: Deps): Client => {
  const gone = new AbortController()
  const cut = new AbortController()
  let unanswered = 0

  const closed = new Promise<void>((resolve) => {
    ws.once('close', () => {
      gone.abort()
      cut.abort()
      resolve()
    })
  })
  // The library closes clients that violate the protocol.
  ws.on('error', (error) => log.debug({ reason: error.message }, 'a socket failed'))
  ws.on('pong', () => {
    unanswered = 0
  })

  const end = (code: number, reason: string) => {
    if (gone.signal.aborted) return
    gone.abort()
    ws.close(code, reason)
    // The library would wait 30 s for an answer, with all pending frames in memory.
    void clock.wait(limits.grace, cut.signal).then(() => ws.terminate())
  }

  /** Counts only bytes of earlier ticks: those of this tick could not be sent yet. */
  const fallenBehind = (): boolean => {
    if (ws.bufferedAmount <= limits.pileUp) return false
    end(1013, 'Too slow. Come back with ?after=.')
    return true
  }

  return {
    gone: gone.signal,
    closed,
    send: (frames) => {
      if (ws.readyState !== WebSocket.OPEN || (cork(socket) && fallenBehind())) return
      for (const frame of frames) ws.send(frame, asText)
    },
    replay: (frames) => {
      if (ws.readyState !== WebSocket.OPEN || frames.length === 0) return Promise.resolve()
      cork(socket)
      for (const frame of frames.slice(0, -1)) ws.send(frame, asText)
      return new Promise((resolve) => ws.send(frames.at(-1) ?? '', asText, () => resolve()))
    },
    beat: () => {
      if (ws.readyState !== WebSocket.OPEN || fallenBehind()) return
      if (unanswered === missedPings) return ws.terminate()
      unanswered++
      ws.ping()
    },
    end,
  }
}

export const createCork = (): Cork => {
  const corked = new Set<Duplex>()
  const release = () => {
    for (const socket of corked) socket.uncork()
    corked.clear()
  }
  return (socket) => {
    if (corked.has(socket)) return false
    if (corked.size === 0) setImmediate(release)
    corked.add(socket)
    socket.cork()
    return true
  }
}

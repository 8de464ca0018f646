/** One connected socket. Batches the frames of a tick into one write; closes slow and dead clients. */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'

export interface Client {
  /** Aborted when the client is closing or has left. */
  readonly closeSignal: AbortSignal
  readonly whenClosed: Promise<void>
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
  const closeController = new AbortController()
  const controller = new AbortController()
  let unansweredPings = 0

  const whenClosed = new Promise<void>((resolve) => {
    ws.once('close', () => {
      closeController.abort()
      controller.abort()
      resolve()
    })
  })
  // The library closes clients that violate the protocol.
  ws.on('error', (error) => log.debug({ reason: error.message }, 'a socket failed'))
  ws.on('pong', () => {
    unansweredPings = 0
  })

  const end = (code: number, reason: string) => {
    if (closeController.signal.aborted) return
    closeController.abort()
    ws.close(code, reason)
    // The library would wait 30 s for an answer, with all pending frames in memory.
    void clock.wait(limits.grace, controller.signal).then(() => ws.terminate())
  }

  /** Counts only bytes of earlier ticks: those of this tick could not be sent yet. */
  const fallenBehind = (): boolean => {
    if (ws.bufferedAmount <= limits.pileUp) return false
    end(1013, 'Too slow. Come back with ?after=.')
    return true
  }

  return {
    closeSignal: closeController.signal,
    whenClosed,
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
      if (unansweredPings === missedPings) return ws.terminate()
      unansweredPings++
      ws.ping()
    },
    end,
  }
}

export const createCork = (): Cork => {
  const corkedStreams = new Set<Duplex>()
  const release = () => {
    for (const socket of corkedStreams) socket.uncork()
    corkedStreams.clear()
  }
  return (socket) => {
    if (corkedStreams.has(socket)) return false
    if (corkedStreams.size === 0) setImmediate(release)
    corkedStreams.add(socket)
    socket.cork()
    return true
  }
}

/**
 * One connected socket: frames of one tick leave in one write, a reader who does not keep up or does not
 * answer is let go.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Log } from '../log.ts'
import type { Clock } from '../time/clock.ts'

export interface Client {
  /** Aborted when nothing more will reach it: it was told goodbye, or left. */
  readonly gone: AbortSignal
  readonly closed: Promise<void>
  /** Live frames: a client that lets too many bytes of them pile up is closed with 1013. */
  send(frames: readonly Buffer[]): void
  /** Resolves when the network has taken them, or the client is gone. */
  replay(frames: readonly Buffer[]): Promise<void>
  /** A ping; a client that left two unanswered is cut off. */
  beat(): void
  /** Says goodbye, and cuts off a client that does not answer it. */
  end(code: number, reason: string): void
}

export interface ClientLimits {
  /** Bytes not yet taken by the network above which a client is closed. */
  readonly pileUp: number
  /** Milliseconds between a goodbye and the cut. */
  readonly grace: number
}

/** Holds a socket back until the tick is over; true for the first call of a tick. */
export type Cork = (socket: Duplex) => boolean

interface Deps {
  readonly ws: WebSocket
  /** The connection below it. */
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
  // A client that breaks the protocol is closed by the library with the right code; there is nothing to do
  // about it.
  ws.on('error', (error) => log.debug({ reason: error.message }, 'a socket failed'))
  ws.on('pong', () => {
    unanswered = 0
  })

  const end = (code: number, reason: string) => {
    if (gone.signal.aborted) return
    gone.abort()
    ws.close(code, reason)
    // The library waits half a minute for an answer, with everything that piled up in memory.
    void clock.wait(limits.grace, cut.signal).then(() => ws.terminate())
  }

  /**
   * Judged on what earlier ticks left behind: whatever its size, a tick's own words have not had their chance
   * yet.
   */
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

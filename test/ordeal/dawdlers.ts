/**
 * Slow clients: they send single bytes, never read responses, or stop in the middle of a body. Records when
 * the server closes each connection.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { waitFor } from '../calls.ts'

export interface Dawdler {
  readonly label: string
  readonly socket: Socket
  /** Sent byte by byte, as long as the connection lasts. */
  readonly drip: Buffer
  /**
   * Time from the first byte to the end of the connection at the server in ms; undefined while it is open.
   */
  getDuration(): number | undefined
}

export interface Watch {
  /** Number of connections that the server holds. */
  open(): number
  /** Sends `said` immediately and never reads the response. */
  dawdle(label: string, text: string, drip?: string): Promise<Dawdler>
  /** Sends one byte of each dripping client at this interval, a tenth of the clients at a time. */
  dripEvery(ms: number): void
  stop(): void
}

/**
 * Watches the connections on the side of the server, which runs in this process: a client that reads nothing
 * never notices that its connection was closed.
 */
export const watchConnections = (port: number): Watch => {
  const ends = new Map<number, number | null>()
  const onServed = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    const { localPort, remotePort } = socket
    if (localPort !== port || remotePort === undefined) return
    ends.set(remotePort, null)
    socket.once('close', () => ends.set(remotePort, performance.now()))
  }
  subscribe('net.server.socket', onServed)
  const all: Dawdler[] = []
  let timer: NodeJS.Timeout | undefined

  return {
    open: () => [...ends.values()].filter((end) => end === null).length,
    dawdle: async (label, text, drip = '') => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.on('error', () => {})
      await new Promise((resolve) => socket.once('connect', resolve))
      const sourcePort = socket.localPort ?? 0
      const startedAt = performance.now()
      socket.pause()
      await waitFor('the server to take it', () => ends.has(sourcePort))
      socket.write(text)
      const getDuration = () => {
        const end = ends.get(sourcePort)
        return typeof end === 'number' ? end - startedAt : undefined
      }
      const dawdler = { label, socket, drip: Buffer.from(drip), getDuration }
      all.push(dawdler)
      return dawdler
    },
    dripEvery: (ms) => {
      let beat = 0
      timer = setInterval(() => {
        beat++
        for (let n = beat % 10; n < all.length; n += 10) startDripping(all[n], Math.floor(beat / 10))
      }, ms / 10)
    },
    stop: () => {
      clearInterval(timer)
      unsubscribe('net.server.socket', onServed)
      for (const { socket } of all) socket.destroy()
    },
  }
}

const startDripping = (dawdler: Dawdler | undefined, startsAt: number): void => {
  if (dawdler?.socket.writable && startsAt < dawdler.drip.length)
    dawdler.socket.write(dawdler.drip.subarray(startsAt, startsAt + 1))
}

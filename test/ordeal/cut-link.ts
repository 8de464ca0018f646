/**
 * A link to a server that can be cut like a network partition: nothing is refused or closed, nothing arrives,
 * and bytes in transit arrive late when the link is open again.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Link {
  readonly port: number
  /** Sets the target port; 0 for none. */
  lead(port: number): void
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** Listens on a free port of this address. */
export const createLink = async (target = 0, host = '127.0.0.1'): Promise<Link> => {
  let targetPort = target
  let isCut = false
  const pairs = new Set<readonly [Socket, Socket]>()
  const pendingSockets = new Set<Socket>()

  const pauseSocket = (socket: Socket) => socket.pause()
  const join = (incoming: Socket): void => {
    pendingSockets.delete(incoming)
    if (targetPort === 0) return void incoming.destroy()
    const outgoing = connect(targetPort, '127.0.0.1')
    const pair = [incoming, outgoing] as const
    pairs.add(pair)
    for (const [socket, other] of [pair, [outgoing, incoming] as const]) {
      socket.on('data', (bytes) => {
        if (!other.write(bytes)) socket.pause()
      })
      other.on('drain', () => {
        if (!isCut) socket.resume()
      })
      // While the link is cut, neither side may learn that the other has closed.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        if (isCut) return
        pairs.delete(pair)
        other.destroy()
      })
    }
  }
  const server = createServer((incoming) => {
    incoming.on('error', () => undefined)
    if (!isCut) return void join(incoming)
    pendingSockets.add(pauseSocket(incoming))
    incoming.on('close', () => pendingSockets.delete(incoming))
  })
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    lead: (port) => {
      targetPort = port
    },
    cut: () => {
      isCut = true
      for (const pair of pairs) for (const socket of pair) pauseSocket(socket)
    },
    mend: () => {
      isCut = false
      for (const incoming of [...pendingSockets]) join(incoming)
      for (const pair of [...pairs]) {
        // A side may have closed its connection meanwhile.
        const isDestroyed = pair.some(({ destroyed }) => destroyed)
        for (const socket of pair) isDestroyed ? socket.destroy() : socket.resume()
        if (isDestroyed) pairs.delete(pair)
      }
    },
    close: async () => {
      for (const socket of [...pendingSockets, ...[...pairs].flat()]) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

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
export const createLink = async (target = 0, at = '127.0.0.1'): Promise<Link> => {
  let [to, isCut] = [target, false]
  const pairs = new Set<readonly [Socket, Socket]>()
  const waiting = new Set<Socket>()

  const hold = (socket: Socket) => socket.pause()
  const join = (near: Socket): void => {
    waiting.delete(near)
    if (to === 0) return void near.destroy()
    const far = connect(to, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('data', (bytes) => {
        if (!other.write(bytes)) one.pause()
      })
      other.on('drain', () => {
        if (!isCut) one.resume()
      })
      // While the link is cut, neither side may learn that the other has closed.
      one.on('error', () => undefined)
      one.on('close', () => {
        if (isCut) return
        pairs.delete(pair)
        other.destroy()
      })
    }
  }
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (!isCut) return void join(near)
    waiting.add(hold(near))
    near.on('close', () => waiting.delete(near))
  })
  server.listen(0, at)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    lead: (port) => {
      to = port
    },
    cut: () => {
      isCut = true
      for (const pair of pairs) for (const one of pair) hold(one)
    },
    mend: () => {
      isCut = false
      for (const near of [...waiting]) join(near)
      for (const pair of [...pairs]) {
        // A side may have closed its connection meanwhile.
        const isGone = pair.some(({ destroyed }) => destroyed)
        for (const one of pair) isGone ? one.destroy() : one.resume()
        if (isGone) pairs.delete(pair)
      }
    },
    close: async () => {
      for (const socket of [...waiting, ...[...pairs].flat()]) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Queues pipelined requests: each waits until the reply to the one before it is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Pipelined = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void

/**
 * Creates the queue of pipelined requests. Node emits all requests of one read at once and buffers the
 * replies until the client reads them. Measured: twenty connections that each sent 1400 requests for 21 KB
 * and read nothing delayed other clients by 3 to 4 s, with the queue by 0.3 s. With the queue, a client that
 * reads nothing is served until the network buffers are full. Measured: no cost for requests that are sent
 * one after the other.
 */
export const createPipeline = (): Pipelined => {
  const last = new WeakMap<Socket, ServerResponse>()
  return ({ socket }, response, serve) => {
    const previousResponse = last.get(socket)
    last.set(socket, response)
    if (!previousResponse || previousResponse.closed) return serve()
    // Lets other connections run between two requests.
    previousResponse.once('close', () => setImmediate(() => socket.destroyed || serve()))
  }
}

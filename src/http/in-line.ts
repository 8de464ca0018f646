/** Requests that come on one connection before the reply to an earlier one has left wait for it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type InLine = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void

/**
 * Node hands out all that one read has brought, and keeps the replies until somebody takes them: ⏱ twenty connections that each sent 64 KB
 * of requests and read nothing kept everybody else waiting for 14 s. In line, who reads nothing is given one reply.
 */
export const createLine = (): InLine => {
  const last = new WeakMap<Socket, ServerResponse>()
  return ({ socket }, response, serve) => {
    const before = last.get(socket)
    last.set(socket, response)
    if (!before || before.closed) return serve()
    // Others have their turn between two of them.
    before.once('close', () => setImmediate(() => socket.destroyed || serve()))
  }
}

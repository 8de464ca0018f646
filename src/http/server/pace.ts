/** Bodies that may take as long as they take, so long as they move. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export interface Pace {
  /**
   * Watches a body until the result is called; `slow` is called once, when too little of it came for too
   * long.
   */
  watch(request: IncomingMessage, slow: () => void): () => void
  /** A body on it is watched: how long its request takes is nobody else's business. */
  covers(socket: Duplex): boolean
}

/** Bytes that must come in every look: a line of 9600 baud carries more. */
const least = 32 * 1024

/** `every`: milliseconds between two looks. */
export const createPace = (every: number): Pace => {
  const covered = new WeakSet<Duplex>()
  return {
    watch: ({ socket }, slow) => {
      let before = socket.bytesRead
      const stop = () => {
        clearInterval(looking)
        covered.delete(socket)
      }
      const looking = setInterval(() => {
        const came = socket.bytesRead - before
        before = socket.bytesRead
        if (came >= least) return
        stop()
        slow()
      }, every)
      covered.add(socket)
      return stop
    },
    covers: (socket) => covered.has(socket),
  }
}

/** Allows slow uploads as long as bytes keep arriving. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export interface SlowUploadGuard {
  /**
   * Watches a body until the returned function is called. Calls `slow` once if too few bytes arrived in an
   * interval.
   */
  watch(request: IncomingMessage, onSlow: () => void): () => void
  /**
   * Returns true while a body on this socket is watched. Node's request timeout does not apply to it then.
   */
  covers(socket: Duplex): boolean
}

/** Min bytes per interval. A line of 9600 baud carries more. */
const minBytes = 32 * 1024

/** `every` is the interval in ms. */
export const createSlowUploadGuard = (intervalMs: number): SlowUploadGuard => {
  const watchedSockets = new WeakSet<Duplex>()
  return {
    watch: ({ socket }, onSlow) => {
      let bytesBefore = socket.bytesRead
      const stop = () => {
        clearInterval(looking)
        watchedSockets.delete(socket)
      }
      const looking = setInterval(() => {
        const receivedBytes = socket.bytesRead - bytesBefore
        bytesBefore = socket.bytesRead
        if (receivedBytes >= minBytes) return
        stop()
        onSlow()
      }, intervalMs)
      watchedSockets.add(socket)
      return stop
    },
    covers: (socket) => watchedSockets.has(socket),
  }
}

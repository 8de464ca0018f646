/**
 * A client of a persona's socket that receives everything, and reconnects at its last position when the
 * daemon asks for it, as the page does.
 */
import { waitFor } from '../calls.ts'
import { type Listener, listenTo } from '../listener.ts'

export interface ReconnectingClient {
  /** Frames of all its connections in order; after a `reset` only the later ones. */
  readonly frames: Listener['frames']
  leave(): void
}

/** 1011: the journal cannot be read at the moment. 1012: another history may have replaced the known one. */
const reconnectCodes = new Set([1011, 1012])

/** Resolves once the first connection is open. */
export const openReconnectingClient = async (base: string, id: string): Promise<ReconnectingClient> => {
  const connect = (afterSeq: number) => listenTo(base, `/ws/${id}?after=${afterSeq}`)
  const earlier: Listener['frames'][number][] = []
  let listener = await connect(0)
  let hasLeft = false

  const frames = () => {
    const all = [...earlier, ...listener.frames]
    return all.slice(all.findLastIndex(({ type }) => type === 'reset') + 1)
  }
  const reconnect = async () => {
    const last = frames().findLast(({ seq }) => typeof seq === 'number')?.seq ?? 0
    const next = await connect(last).catch(() => undefined)
    if (!next) return hasLeft
    earlier.push(...listener.frames)
    listener = next
    if (hasLeft) listener.leave()
    stay()
    return true
  }
  // If it cannot reconnect, a test that waits for a frame times out and reports that.
  const stay = () =>
    void listener.whenClosed.then((code) =>
      reconnectCodes.has(code) && !hasLeft
        ? waitFor('a connection', reconnect).catch(() => undefined)
        : undefined,
    )

  stay()
  return {
    get frames() {
      return frames()
    },
    leave: () => {
      hasLeft = true
      listener.leave()
    },
  }
}

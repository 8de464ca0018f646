/**
 * The way to servers over HTTP: no time limits of its own, since calls have theirs and a stream may be silent
 * for hours, but a limit for each message.
 */
import { createNetwork, type Fetch, type Network } from '../kit/network/network.ts'
import type { Reach } from '../kit/network/reach.ts'

/** As long as a timer can be: three weeks. */
const untimed = 2 ** 31 - 1

/** To be closed by whoever made it. */
export const createUntimedNetwork = (env: NodeJS.ProcessEnv, reach: Partial<Reach> = {}): Network =>
  createNetwork({
    ...{ env, reach },
    limits: { remote: { firstByte: untimed, silence: untimed, whole: null, size: null } },
  })

/** Bytes of a refusal that are looked at. */
const mostRefusal = 64 * 1024

export interface Bounds {
  /** Bytes of one message. */
  readonly most: number
  /** What came was larger: called before the reading of it fails. */
  readonly onTooLarge: () => void
}

export const boundedFetch =
  (fetch: Fetch, { most, onTooLarge }: Bounds): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    const { status, statusText, headers } = response
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const limit = response.ok ? messageLimit(most, isStream, onTooLarge) : beginningOnly()
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers })
  }

/** Of an answer as a whole, or of each event of a stream of them. */
const messageLimit = (
  most: number,
  isStream: boolean,
  onTooLarge: () => void,
): TransformStream<Uint8Array, Uint8Array> => {
  let size = 0
  let isLineEmpty = false
  const count = (chunk: Uint8Array) => {
    if (!isStream) {
      size += chunk.length
      return
    }
    for (const byte of chunk) {
      size++
      if (byte === carriageReturn) continue
      if (byte === newline && isLineEmpty) size = 0
      isLineEmpty = byte === newline
    }
  }
  return new TransformStream({
    transform: (chunk, controller) => {
      count(chunk)
      if (size <= most) return controller.enqueue(chunk)
      onTooLarge()
      controller.error(new Error('a message is too large'))
    },
  })
}

const [newline, carriageReturn] = [0x0a, 0x0d]

const beginningOnly = (): TransformStream<Uint8Array, Uint8Array> => {
  let left = mostRefusal
  return new TransformStream({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) controller.terminate()
    },
  })
}

/**
 * HTTP access to tool servers without timeouts, but with a size limit for each message. Calls have their own
 * timeouts, and a stream may be silent for hours.
 */
import { createNetwork, type Fetch, type Network } from '../kit/network/network.ts'
import type { Reach } from '../kit/network/reach.ts'

/** The longest possible timer, about 25 days. */
const maxTimerMs = 2 ** 31 - 1

/** The caller must close the network. */
export const createUntimedNetwork = (env: NodeJS.ProcessEnv, reach: Partial<Reach> = {}): Network =>
  createNetwork({
    env,
    reach,
    limits: { remote: { firstByte: maxTimerMs, silence: maxTimerMs, whole: null, size: null } },
  })

/** Max bytes read of an error response. */
const maxRefusalBytes = 64 * 1024

export interface Bounds {
  /** Max bytes of one message. */
  readonly maxBytes: number
  /** Called before a too large message makes the read fail. */
  readonly onTooLarge: () => void
}

export const boundedFetch =
  (fetch: Fetch, { maxBytes, onTooLarge }: Bounds): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    const { status, statusText, headers } = response
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const limit = response.ok ? messageLimit(maxBytes, isStream, onTooLarge) : beginningOnly()
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers })
  }

/** Limits the whole response, or each event of an event stream. */
const messageLimit = (
  maxBytes: number,
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
      if (size <= maxBytes) return controller.enqueue(chunk)
      onTooLarge()
      controller.error(new Error('a message is too large'))
    },
  })
}

const newline = 0x0a
const carriageReturn = 0x0d

const beginningOnly = (): TransformStream<Uint8Array, Uint8Array> => {
  let remainingBytes = maxRefusalBytes
  return new TransformStream({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, remainingBytes))
      remainingBytes -= chunk.length
      if (remainingBytes <= 0) controller.terminate()
    },
  })
}

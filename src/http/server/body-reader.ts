/**
 * Reads the body of a request into one buffer. Large bodies count against the daemon's body budget from
 * before their first byte is read until the response is closed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { unlessAborted } from '../../../packages/kit/flow/abort-signals.ts'
import { type ByteBudget, createByteBudget, type Hold } from '../../../packages/kit/flow/byte-budget.ts'
import { Refused } from '../../persona/refusals.ts'
import { HttpRefused } from '../refused.ts'
import { withAbortSignal } from './client-abort.ts'
import type { SlowUploadGuard } from './slow-upload.ts'

/** In bytes. Smaller bodies are not counted and never wait. The limit on connections bounds their memory. */
export const smallBody = 64 * 1024

/**
 * Creates the budget for large bodies. Measured: a chat with pictures of 14 MB is read in 0.3 s on a slow
 * machine, so 64 of them take about 20 s.
 */
export const createBodyBudget = (
  maxBytes: number,
  { maxWaitMs = 20_000, maxWaiting = 64 } = {},
): ByteBudget => {
  const tooBusy = () => new HttpRefused({ code: 'too_busy' })
  return createByteBudget({ maxBytes, line: { maxWaitMs, maxWaiting, tooBusy } })
}

export interface BodyReading {
  readonly budget: ByteBudget
  /** Finds large bodies that stall. They are refused if others wait for their bytes. */
  readonly pace: SlowUploadGuard
  /** Aborts when the server closes. Waiting bodies are then refused. */
  readonly closing: AbortSignal
}

interface ReadOptions extends BodyReading {
  /** In bytes, after decompression. */
  readonly limit: number
  readonly tooLarge: () => HttpRefused
}

interface Body {
  readonly bytes: Buffer
  /** Null for a small body. */
  readonly hold: Hold | null
}

/** Thrown for a content encoding that the daemon cannot decompress. */
export class UnknownEncoding extends Error {
  override readonly name = 'UnknownEncoding'
}

/**
 * Throws body_too_large, too_busy, request_slow, cut_short or UnknownEncoding. Rejects with the error of the
 * stream if the body cannot be decompressed.
 */
export const readBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  options: ReadOptions,
): Promise<Body> => {
  const { limit, budget, pace } = options
  const source = unpack(request)
  const length = source === request ? declaredLength(request) : undefined
  const stallController = new AbortController()
  let hold: Hold | null = null
  let stopWatching = () => {}

  const watch = () => {
    stopWatching = pace.watch(request, () => {
      if (budget.getWaitingCount() === 0) return watch()
      stallController.abort(new HttpRefused({ code: 'request_slow' }))
    })
  }
  const takeBytes = async (bytes: number) => {
    hold = await holdBytes(bytes, response, options)
    watch()
  }
  const read = async () => {
    if (length !== undefined && length > smallBody) await takeBytes(length)
    if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue()
    // Pages that are never written take no memory.
    let bytes = Buffer.allocUnsafeSlow(length ?? smallBody)
    let size = 0
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size + chunk.length > limit) throw options.tooLarge()
      if (size + chunk.length > bytes.length) {
        // It holds no bytes while it waits, so it cannot block a body that is being read.
        await takeBytes(limit)
        const largerBuffer = Buffer.allocUnsafeSlow(limit)
        bytes.copy(largerBuffer, 0, 0, size)
        bytes = largerBuffer
      }
      chunk.copy(bytes, size)
      size += chunk.length
    }
    return bytes.subarray(0, size)
  }

  try {
    const bytes = await unlessAborted(read(), stallController.signal)
    const heldBytes = hold as Hold | null
    heldBytes?.shrink(bytes.length)
    return { bytes, hold: heldBytes }
  } catch (error) {
    const heldBytes = hold as Hold | null
    heldBytes?.release()
    if (request.destroyed && !request.complete) throw new Refused({ code: 'cut_short' })
    if (source !== request) {
      request.unpipe()
      source.destroy()
    }
    if (stallController.signal.aborted) {
      response.setHeader('Connection', 'close')
      throw error
    }
    // The rest is read and dropped, because a client that still sends would not read its response.
    request.resume()
    if (!isBusy(error)) await waitForEnd(request)
    throw error
  } finally {
    stopWatching()
  }
}

/**
 * Waits for bytes of the budget. They are returned when the response is closed. Throws too_busy or cut_short.
 */
export const holdBytes = async (
  bytes: number,
  response: ServerResponse,
  { budget, closing }: Pick<BodyReading, 'budget' | 'closing'>,
): Promise<Hold> => {
  const hold = await withAbortSignal(response, closing, (signal) => budget.take(bytes, signal))
  response.once('close', hold.release)
  if (!response.closed) return hold
  hold.release()
  throw new Refused({ code: 'cut_short' })
}

const declaredLength = ({ headers }: IncomingMessage): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

const unpack = (request: IncomingMessage): Readable => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return request
  const create = unpackers.get(encoding)
  if (!create) throw new UnknownEncoding(encoding)
  const decoder = create()
  finished(request, (error) => error && decoder.destroy(error))
  return request.pipe(decoder)
}

const unpackers = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
] as const)

const isBusy = (error: unknown): boolean => error instanceof HttpRefused && error.refusal.code === 'too_busy'

const waitForEnd = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    finished(request, { writable: false }, () => resolve())
  })

/** Reads JSON bodies within a limit, and decodes them as UTF-8 only. */

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import type { Hold } from '../../../packages/kit/flow/byte-budget.ts'
import { Refused } from '../../persona/refusals.ts'
import { HttpRefused, type Item } from '../refused.ts'
import { type BodyReading, readBody, smallBody, UnknownEncoding } from './body-reader.ts'
import { type CutUrl, type CutUrls, cutDataUrls } from './data-urls.ts'
import { brokenJson, missingBody } from './validation.ts'

interface Options {
  /** In bytes, after decompression. */
  readonly limit: number
  /**
   * A longer body may contain long texts, but not more values than this many bytes can hold, because a value
   * takes more memory than its bytes.
   */
  readonly dense?: number
  /** Removes long `data:` URLs from `request.body` of a large body. `largeBody` returns them. */
  readonly cutsUrls?: boolean
}

/**
 * Creates the handler that sets `request.body`, or leaves it undefined if there is no body. If the declared
 * length is too large, it refuses with 413 before any byte is read.
 */
export const jsonBody = (
  { limit, dense = limit, cutsUrls = false }: Options,
  reading: BodyReading,
): RequestHandler => {
  const tooLarge = () => new HttpRefused({ code: 'body_too_large', what: 'body', most: limit })

  return async (request, response, next) => {
    refuseLarger(request, response, limit, tooLarge)
    const { headers } = request
    const length = headers['content-length']
    if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return next()
    if (!request.is(['application/json', '+json']))
      throw invalid(missingBody('The Content-Type must be application/json'))
    const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
    if (charset.toLowerCase() !== 'utf-8') throw invalid(notUtf8())

    const { bytes, hold } = await readBody(request, response, { limit, tooLarge, ...reading }).catch(
      (error: unknown) => {
        throw readingFailure(error)
      },
    )
    if (bytes.length === 0) throw invalid(missingBody())
    if (!isUtf8(bytes)) throw invalid(notUtf8())
    if (bytes.length > dense && holdsMoreThan(dense, bytes))
      throw invalid(brokenJson('The body holds too many values'))
    const { text, urls } =
      hold && cutsUrls ? await cutDataUrls(bytes) : { text: bytes.toString(), urls: noUrls }
    request.body = parse(text, urls.size > 0 ? bytes : null)
    if (hold) largeBodies.set(request, { urls, forgetUrls: () => forget(urls, hold, text) })
    next()
  }
}

export interface LargeBody {
  /** By the short URLs that replace them in `request.body`. */
  readonly urls: CutUrls
  /** Frees the memory of the URLs for other requests. Call it when they are no longer needed. */
  forgetUrls(): void
}

/** Returns the URLs that were removed from `request.body`, or undefined for a small body. */
export const largeBody = (request: IncomingMessage): LargeBody | undefined => largeBodies.get(request)

const largeBodies = new WeakMap<IncomingMessage, LargeBody>()
const noUrls: CutUrls = new Map()

const forget = (urls: Map<string, CutUrl>, hold: Hold, { length }: string) => {
  urls.clear()
  hold.shrink(length > smallBody ? length : 0)
}

/** `fullBody` is the original body if `text` was shortened. */
const parse = (text: string, fullBody: Buffer | null): unknown => {
  try {
    // Some programs start a text with a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    // Parse the original again, so that the error has the position in the whole body.
    if (fullBody) return parse(fullBody.toString(), null)
    throw invalid(describeJsonError(error))
  }
}

/** Counts the characters that begin or separate values. JSON has at most one value more than these. */
const holdsMoreThan = (values: number, bytes: Buffer): boolean => {
  let marks = 0
  for (const mark of [',', '[', '{'])
    for (let index = bytes.indexOf(mark); index >= 0; index = bytes.indexOf(mark, index + 1)) {
      marks++
      if (marks > values) return true
    }
  return false
}

/** Throws before any byte is read if the declared length is above `limit`. */
const refuseLarger = (
  { headers }: Request,
  response: Response,
  limit: number,
  tooLarge: () => HttpRefused,
): void => {
  if (Number(headers['content-length'] ?? 0) <= limit) return
  // The body is not read. A client that keeps the connection open would wait until it is.
  response.setHeader('Connection', 'close')
  throw tooLarge()
}

/**
 * Refuses a body whose declared length is too large before any byte is read. Otherwise sends 100 Continue if
 * the client asks for it.
 */
export const admit = (
  request: Request,
  response: Response,
  limit: number,
  tooLarge: () => HttpRefused,
): void => {
  refuseLarger(request, response, limit, tooLarge)
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue()
}

const invalid = (...items: readonly Item[]): HttpRefused => new HttpRefused({ code: 'invalid', items })
const notUtf8 = () => brokenJson('The body is not UTF-8')

/** Messages of the decompressor may quote the body, so they are not returned. */
const readingFailure = (error: unknown): unknown => {
  if (error instanceof HttpRefused || error instanceof Refused) return error
  if (error instanceof UnknownEncoding)
    return invalid(brokenJson('The content encoding must be gzip, deflate or br'))
  return invalid(brokenJson('The body could not be read'))
}

/** V8's messages either contain the position or quote the text. */
const describeJsonError = (error: unknown): Item => {
  const message = error instanceof Error ? error.message : ''
  const [, words, position] = /^(.*?)(?: in JSON| after JSON)? at position (\d+)/.exec(message) ?? []
  if (words !== undefined) return brokenJson(words, Number(position))
  return brokenJson(/^Unexpected end/.test(message) ? 'Unexpected end of JSON input' : 'Unexpected token')
}

/** JSON bodies: read within a limit, decoded as UTF-8 and nothing else, and checked against their schema. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import type * as z from 'zod'
import type { Hold } from '../../../packages/kit/flow/byte-budget.ts'
import { Refused } from '../../persona/refusals.ts'
import { type BodyReading, readBody, smallBody, UnknownEncoding } from '../server/body-reader.ts'
import { type CutUrl, type CutUrls, cutDataUrls } from './data-urls.ts'
import { HttpRefused, type Item } from './refused.ts'
import { brokenJson, brokenText, itemsOf, missingBody, type Place } from './validation-errors.ts'

interface Options {
  /** In bytes, after unpacking. */
  readonly limit: number
  /**
   * What goes beyond it may be long texts, but no more values than so many bytes could hold, since a value
   * takes more memory than its bytes.
   */
  readonly dense?: number
  /** Leaves long `data:` URLs of a large body out of `request.body`; `largeBody` has them. */
  readonly cutsUrls?: boolean
}

/**
 * Reads `request.body`, undefined when there is none; 413 comes before any byte is read where the length is
 * told.
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
  /** By what stands for them in `request.body`. */
  readonly urls: CutUrls
  /** Call it when they are not needed any more: then their bytes are free for others. */
  forgetUrls(): void
}

/** What was too large to lie in `request.body`; undefined for a small body. */
export const largeBody = (request: IncomingMessage): LargeBody | undefined => largeBodies.get(request)

const largeBodies = new WeakMap<IncomingMessage, LargeBody>()
const noUrls: CutUrls = new Map()

const forget = (urls: Map<string, CutUrl>, hold: Hold, { length }: string) => {
  urls.clear()
  hold.shrink(length > smallBody ? length : 0)
}

/** `whole`: the body, if the text is only a part of it. */
const parse = (text: string, whole: Buffer | null): unknown => {
  try {
    // Some programs begin a text with a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    // The position of the fault is that in the whole body.
    if (whole) return parse(whole.toString(), null)
    throw invalid(whereItBroke(error))
  }
}

/** By what begins a value or parts two: no JSON has more values than that, and one. */
const holdsMoreThan = (values: number, bytes: Buffer): boolean => {
  let marks = 0
  for (const mark of [',', '[', '{'])
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
      marks++
      if (marks > values) return true
    }
  return false
}

/**
 * Throws before any byte is read where the length is told, and it is longer than `limit`.
 */
const refuseLarger = (
  { headers }: Request,
  response: Response,
  limit: number,
  tooLarge: () => HttpRefused,
): void => {
  if (Number(headers['content-length'] ?? 0) <= limit) return
  // Nobody takes what was announced: a client that keeps the connection would wait for that.
  response.setHeader('Connection', 'close')
  throw tooLarge()
}

/** Refuses a body that is too large before any byte is read, and calls for one that may come. */
export const admit = (
  request: Request,
  response: Response,
  limit: number,
  tooLarge: () => HttpRefused,
): void => {
  refuseLarger(request, response, limit, tooLarge)
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue()
}

/**
 * The parsed value, or items that are told together with others; they echo `sent`, which is what was given
 * before it was read.
 */
export const check = <T extends z.ZodType>(
  schema: T,
  given: unknown,
  place: Place,
  sent = given,
): { value: z.output<T> } | { items: readonly Item[] } => {
  const parsed = schema.safeParse(given)
  if (!parsed.success) return { items: itemsOf(schema, parsed.error.issues, place, given, sent) }
  const broken = brokenText(parsed.data, [place])
  return broken.length > 0 ? { items: broken } : { value: parsed.data }
}

const invalid = (...items: readonly Item[]): HttpRefused => new HttpRefused({ code: 'invalid', items })
const notUtf8 = () => brokenJson('The body is not UTF-8')

/** Words of the unpacker may quote the body, so they are never passed on. */
const readingFailure = (error: unknown): unknown => {
  if (error instanceof HttpRefused || error instanceof Refused) return error
  if (error instanceof UnknownEncoding)
    return invalid(brokenJson('The content encoding must be gzip, deflate or br'))
  return invalid(brokenJson('The body could not be read'))
}

/** V8 tells the position in some messages, and quotes the text in the others. */
const whereItBroke = (error: unknown): Item => {
  const message = error instanceof Error ? error.message : ''
  const [, words, position] = /^(.*?)(?: in JSON| after JSON)? at position (\d+)/.exec(message) ?? []
  if (words !== undefined) return brokenJson(words, Number(position))
  return brokenJson(/^Unexpected end/.test(message) ? 'Unexpected end of JSON input' : 'Unexpected token')
}

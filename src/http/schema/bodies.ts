/** JSON bodies: read within a limit, decoded as UTF-8 and nothing else, and checked against their schema. */
import { isUtf8 } from 'node:buffer'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { json } from 'express'
import type * as z from 'zod'
import { HttpRefused, type Item } from './refused.ts'
import { brokenJson, brokenText, itemsOf, missingBody, type Place } from './validation-errors.ts'

/**
 * Reads `request.body`, undefined when there is none; 413 comes before any byte is read where the length is
 * told. `limit` in bytes, after unzipping: what goes beyond `dense` may be long texts, but no more values
 * than so many bytes could hold, since a value takes more memory than its bytes.
 */
export const jsonBody = (limit: number, dense = limit): readonly (RequestHandler | ErrorRequestHandler)[] => {
  const tooLarge = () => new HttpRefused({ code: 'body_too_large', what: 'body', most: limit })

  const prepare: RequestHandler = (request, response, next) => {
    admit(request, response, limit, tooLarge)
    next()
  }
  const read = json({
    limit,
    strict: false,
    type: ['application/json', '+json'],
    verify: (_request, _response, bytes, encoding) => {
      if (bytes.length === 0) throw invalid(missingBody())
      if (encoding !== 'utf-8' || !isUtf8(bytes)) throw invalid(brokenJson('The body is not UTF-8'))
      if (bytes.length > dense && holdsMoreThan(dense, bytes))
        throw invalid(brokenJson('The body holds too many values'))
    },
  })
  const typed: RequestHandler = (request, _response, next) => {
    const length = request.headers['content-length']
    const sent =
      request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
    if (request.body !== undefined || !sent) return next()
    throw invalid(missingBody('The Content-Type must be application/json'))
  }
  const failed: ErrorRequestHandler = (error, _request, _response, next) =>
    next(readingFailure(error, tooLarge))
  return [prepare, read, typed, failed]
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
 * Calls for a body that may come. Throws before any byte is read where the length is told, and it is longer
 * than `limit`.
 */
export const admit = (
  { headers }: Request,
  response: Response,
  limit: number,
  tooLarge: () => HttpRefused,
): void => {
  if (Number(headers['content-length'] ?? 0) > limit) {
    // Nobody takes what was announced: a client that keeps the connection would wait for that.
    response.setHeader('Connection', 'close')
    throw tooLarge()
  }
  if (/^100-continue$/i.test(headers.expect ?? '')) response.writeContinue()
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

/** body-parser's errors by their type; its words may quote the body, so they are never passed on. */
const readingFailure = (error: unknown, tooLarge: () => HttpRefused): unknown => {
  const { type, cause } = fieldsOf(error)
  if (error instanceof HttpRefused) return error
  if (cause instanceof HttpRefused) return cause
  switch (type) {
    case 'entity.too.large':
      return tooLarge()
    case 'entity.parse.failed':
      return invalid(whereItBroke(error))
    case 'charset.unsupported':
      return invalid(brokenJson('The body is not UTF-8'))
    case 'encoding.unsupported':
      return invalid(brokenJson('The content encoding must be gzip, deflate or br'))
    default:
      return invalid(brokenJson('The body could not be read'))
  }
}

const fieldsOf = (error: unknown): { type?: unknown; cause?: unknown } =>
  typeof error === 'object' && error !== null ? error : {}

/** V8 tells the position in some messages, and quotes the text in the others. */
const whereItBroke = (error: unknown): Item => {
  const message = error instanceof Error ? error.message : ''
  const [, words, position] = /^(.*?)(?: in JSON| after JSON)? at position (\d+)/.exec(message) ?? []
  if (words !== undefined) return brokenJson(words, Number(position))
  return brokenJson(/^Unexpected end/.test(message) ? 'Unexpected end of JSON input' : 'Unexpected token')
}

/**
 * Converts any error at a provider to a `MindError` with the daemon's own message: the address, the cause,
 * and what to do. It contains no key and nothing of the prompt.
 */

import { NetworkError } from '../../kit/network/network-error.ts'
import { type Fault, MindError } from '../mind.ts'
import type { Address } from './address.ts'
import { getCause, getFault, kinds, sentences } from './causes.ts'

/** The request that failed. */
export interface About {
  readonly address: Address
  /** Null if the request names no model. */
  readonly model: string | null
  readonly now: () => number
}

/** A response with an error status. */
export interface Refusal {
  readonly status: number
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Accepts anything thrown or received as an error. Check the signal first: an abort is not a failure. */
export const toModelError = (error: unknown, context: About): MindError => {
  const causes = [...chain(error)]
  const knownError = causes.find((cause) => cause instanceof MindError || cause instanceof NetworkError)
  if (knownError instanceof MindError) return knownError
  if (knownError instanceof NetworkError) return toUnreachableError(knownError, context)
  const providerRefusal = causes.map(refusalIn).find((refusal) => refusal !== undefined)
  if (providerRefusal) return toRefusalError(providerRefusal, context)
  const errorBody = causes.map(errorBodyIn).find((body) => body !== undefined)
  if (errorBody !== undefined) return streamTrouble(errorBody, context)
  if (isMisread(error)) return misread(context)
  if (causes.some(({ name }) => name === 'AI_UnsupportedFunctionalityError')) {
    const model = context.model === null ? 'It' : `The model "${context.model}"`
    return new MindError(
      'refused',
      `${model} at ${context.address.at} cannot be asked for this. Choose another model for it under settings.`,
    )
  }
  return streamTrouble(error, context)
}

/**
 * Returns true if the response violates the protocol or is incomplete. Such errors come from the client
 * library, not from the provider.
 */
export const isMisread = (error: unknown): boolean => {
  const causes = [...chain(error)]
  const isFromProvider = causes.some(
    (cause) => cause instanceof NetworkError || refusalIn(cause) || errorBodyIn(cause) !== undefined,
  )
  return !isFromProvider && causes.some(({ name }) => misreadings.includes(name))
}

const misreadings = [
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_APICallError',
]

/** Returns the error if the model refused a picture because it accepts none. */
export const findBlindness = (error: unknown, { address, model }: About): MindError | undefined => {
  const refusal = [...chain(error)].map(refusalIn).find((candidate) => candidate !== undefined)
  if (!refusal || !blind.test(refusal.body) || thisPicture.test(refusal.body)) return undefined
  const quotedText = quote(getSentence(refusal.body), address)
  return new MindError(
    'refused',
    `"${model}" at ${address.at} cannot look at pictures (${refusal.status}${quotedText && `: ${quotedText}`}). Give the persona an Eye that can, or another Mind, under settings.`,
  )
}

/** Returns the text of a refusal of an invalid request. */
export const invalidIn = (error: unknown): string | undefined => {
  const refusal = [...chain(error)].map(refusalIn).find((candidate) => candidate !== undefined)
  return refusal && [400, 422, 500].includes(refusal.status) ? refusal.body : undefined
}

/** Refusals of one picture, not of pictures in general. */
const thisPicture = /too (large|big|many)|exceed|format|decod|corrupt|mime|image\/[a-z]/i
const blind =
  /(\bnot?\b|n't|without|unsupported|unknown|only)[^.]{0,80}(image|vision|multi-?modal|mmproj)|(image|vision|multi-?modal)[^.]{0,80}(\bnot\b|n't|unsupported|disabled)|content[^.]{0,80}(must|should) be[^.]{0,30}string|expected a string|valid string/i

/** Converts a response with an error status. */
export const toRefusalError = (refusal: Refusal, context: About): MindError => {
  const { address } = context
  const quotedText = quote(getSentence(refusal.body), address)
  const cause = getCause(refusal.status, refusal.body.slice(0, 16_384), context.model)
  const reason = `${refusal.status}${quotedText && `: ${quotedText}`}`
  return new MindError(kinds[cause], sentences[cause](address, reason, context.model), {
    retryAfter: getRetryAfter(refusal, context.now),
    fault: getFault(cause, address.key !== null),
  })
}

/**
 * Prepares a provider's text for display: masks keys, one line, max 300 characters, without a final full
 * stop.
 */
export const quote = (message: string, { secrets }: Address): string => {
  if (/^\s*</.test(message)) return ''
  // Mask before cutting, because half a key would not be recognized.
  const maskedText = secrets
    .reduce((text, secret) => text.replaceAll(secret, '***'), message)
    .slice(0, mostRead)
  return maskedText
    .replace(keyLike, (_, prefix?: string) => `${prefix ?? ''}***`)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .replace(/(?<![.\s])[.\s]+$/, '')
}

/** Max UTF-16 units read of a refusal, and of the sentence in it. */
const maxBody = 65_536
const mostRead = 4096

// Providers quote keys in part, with asterisks for the rest.
const keyLike =
  /\b(?:sk|xai|gsk|rk|pk)-[\w*.-]{6,}|\bAIza[\w*-]{6,}|\b(Bearer\s+)[\w*.~+/=-]{6,}|(?<![\w-])[\w-]*\*{3,}[\w*-]*/gi

const toUnreachableError = ({ message, kind, advice }: NetworkError, { address }: About): MindError => {
  const { title, at } = address
  const problem =
    kind === 'refused'
      ? `${title} at ${at} did not finish its answer`
      : `${title} could not be reached at ${at}`
  const sentence = `${problem}: ${message}. ${advice ?? adviceOn(kind, address)}`
  return new MindError(kind, sentence, { fault: networkFaults[kind] })
}

const networkFaults: Readonly<Record<NetworkError['kind'], Fault | null>> = {
  unreachable: 'unreachable',
  barred: 'address_wrong',
  refused: null,
}

const adviceOn = (kind: NetworkError['kind'], { near, service }: Address): string => {
  if (kind === 'refused') return 'Ask for less at once, or choose another model.'
  if (kind === 'barred') return 'Check the address.'
  if (near) return 'Is it running? Start it, or give another address.'
  return service === 'compatible'
    ? 'Check the address, and whether this machine is online.'
    : 'Check whether this machine is online.'
}

const misread = ({ address: { title, at, service } }: About): MindError => {
  const next =
    service === 'compatible'
      ? 'Check the address: it should be one that speaks the OpenAI protocol.'
      : 'Check the address.'
  const sentence = `${title} at ${at} answered in a way that cannot be read. ${next}`
  return new MindError('unreachable', sentence, { fault: 'address_wrong' })
}

/**
 * Converts an error inside a response with a success status: a plain object or an `Error`, rarely with a
 * status.
 */
const streamTrouble = (error: unknown, context: About): MindError => {
  // The message of an `Error` comes from a library and may quote anything, so it is not shown.
  const body = error instanceof Error ? '' : asJson(error).slice(0, maxBody)
  const status = statusIn(body)
  if (status !== undefined) return toRefusalError({ status, headers: {}, body }, context)
  const { address } = context
  const quotedText = quote(getSentence(body), address)
  return new MindError(
    'unreachable',
    `${address.title} at ${address.at} broke off${quotedText && `: ${quotedText}`}. Try again in a moment.`,
  )
}

/** Derives the status from the error codes of providers. */
const statusIn = (body: string): number | undefined => {
  if (/authentication_error|invalid_api_key|UNAUTHENTICATED/.test(body)) return 401
  if (/permission_error|PERMISSION_DENIED/.test(body)) return 403
  if (/not_found_error|model_not_found/.test(body)) return 404
  if (/rate_limit|RESOURCE_EXHAUSTED|insufficient_quota/.test(body)) return 429
  if (/overloaded_error/.test(body)) return 529
  if (/invalid_request_error|INVALID_ARGUMENT|context_length_exceeded/.test(body)) return 400
  return undefined
}

/** Returns the response with an error status, if the error contains one. */
export const refusalIn = (error: Error): Refusal | undefined => {
  const { statusCode, responseHeaders, responseBody } = error as {
    statusCode?: unknown
    responseHeaders?: unknown
    responseBody?: unknown
  }
  if (typeof statusCode !== 'number' || statusCode < 400) return undefined
  const body = (typeof responseBody === 'string' ? responseBody : error.message).slice(0, maxBody)
  // One library reports errors inside a successful response with a made-up status 500, also for its own parse
  // errors.
  if (statusCode === 500 && body.startsWith('{"name":"AI_')) return undefined
  const status = statusCode === 500 ? (statusIn(body) ?? 500) : statusCode
  return { status, headers: (responseHeaders ?? {}) as Record<string, string>, body }
}

/** Returns the provider's error text from a response with a success status that a library could not parse. */
const errorBodyIn = (error: Error): string | undefined => {
  const { name, statusCode, responseBody, value } = error as {
    name: string
    statusCode?: unknown
    responseBody?: unknown
    value?: unknown
  }
  const rawBody =
    name === 'AI_TypeValidationError' ? asJson(value) : statusCode === 200 ? responseBody : undefined
  if (typeof rawBody !== 'string') return undefined
  const body = rawBody.slice(0, maxBody)
  return /^\s*\{/.test(body) && /"error"\s*:\s*["{]/.test(body) ? body : undefined
}

/** Returns the sentence inside an error body. Every provider has another structure. */
const getSentence = (body: string): string => {
  const words = (value: unknown, depth: number): string => {
    if (typeof value === 'string') return value
    if (typeof value !== 'object' || value === null || depth > 4) return ''
    const { error, message, detail, errors, response } = value as Record<string, unknown>
    const inner = [error, response, message, detail, errors, Array.isArray(value) ? value[0] : undefined]
    return inner.map((item) => words(item, depth + 1)).find(Boolean) ?? ''
  }
  if (!/^\s*[[{]/.test(body)) return body
  try {
    return words(JSON.parse(body), 0)
  } catch {
    return body
  }
}

const asJson = (value: unknown): string => {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  } catch {
    return ''
  }
}

/** Returns ms, from the headers (seconds or a date) or from Gemini's body. */
const getRetryAfter = ({ headers, body }: Refusal, now: () => number): number | undefined => {
  const exactMs = Number(headers['retry-after-ms'] ?? Number.NaN)
  const header = headers['retry-after']?.trim()
  const fromHeader =
    header && (/^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now())
  const inBody = Number(/"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1] ?? Number.NaN) * 1000
  const ms = [exactMs, fromHeader, inBody].find((value) => typeof value === 'number' && !Number.isNaN(value))
  return typeof ms === 'number' ? Math.max(0, Math.round(ms)) : undefined
}

/** Yields an error and its causes. Retries of a client store theirs in `lastError`. */
function* chain(error: unknown): Generator<Error> {
  const seenErrors = new Set<unknown>()
  for (
    let cause = error;
    cause instanceof Error && !seenErrors.has(cause);
    cause = cause.cause ?? (cause as { lastError?: unknown }).lastError
  ) {
    seenErrors.add(cause)
    yield cause
  }
}

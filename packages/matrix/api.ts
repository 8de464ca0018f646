/**
 * The client-server API of Matrix with the access token of one device. Each call is tried once and fails with
 * a MatrixError. Form of requests and errors: https://spec.matrix.org/v1.16/client-server-api/
 */
import { eitherAborts } from '../kit/flow/abort-signals.ts'
import type { Fetch, Network } from '../kit/network/network.ts'
import { NetworkError } from '../kit/network/network-error.ts'
import { readLimited } from '../kit/network/read-limited.ts'
import type { Zone } from '../kit/network/zone.ts'
import { toLine } from '../kit/text-lines.ts'

/**
 * `message` is one sentence without the token. Kind `token`: the server rejected the token. Kind `lasting`:
 * retrying does not help. `code` is the `errcode` of the answer or `answerTooLarge`, `status` its HTTP
 * status, or null.
 */
export class MatrixError extends Error {
  override readonly name = 'MatrixError'
  readonly kind: 'token' | 'lasting' | 'passing'
  readonly code: string | null
  readonly status: number | null
  /** Milliseconds until the next call is allowed, or null if the server gave no time. */
  readonly wait: number | null
  /** The text of the answer. */
  readonly body: string
  constructor(
    message: string,
    kind: MatrixError['kind'],
    details: {
      readonly code?: string | null
      readonly status?: number
      readonly wait?: number | null
      readonly body?: string
    } = {},
  ) {
    super(message)
    this.kind = kind
    this.code = details.code ?? null
    this.status = details.status ?? null
    this.wait = details.wait ?? null
    this.body = details.body ?? ''
  }
}

/** A homeserver and the way to it. */
export interface Server {
  /** Address without a slash at its end. */
  readonly base: string
  readonly fetch: Fetch
  /** The same without limits of time and size. */
  readonly download: Fetch
}

/** `zone`: which addresses the server may have. */
export const createServer = (network: Pick<Network, 'getNamedFetch'>, base: string, zone: Zone): Server => ({
  base,
  fetch: network.getNamedFetch(zone),
  download: network.getNamedFetch(zone, 'download'),
})

export interface MatrixCall {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** From `/_matrix/…`, with encoded parts. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** JSON, unless it is bytes. */
  readonly body?: unknown
  /** The media type of bytes. */
  readonly type?: string
  readonly signal?: AbortSignal
  /** Milliseconds until the answer must be complete. Default: 60 s. */
  readonly timeoutMs?: number
}

export interface MatrixApi {
  /** Returns the JSON of the answer. Rejects with MatrixError. */
  call(call: MatrixCall): Promise<unknown>
  /** Returns the text of the answer. Rejects with MatrixError. */
  callText(call: MatrixCall): Promise<string>
  /** Yields a file. Rejects with MatrixError. */
  download(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>
}

const callTimeoutMs = 60_000
/** Milliseconds, if the server asks for a pause without a usable time. */
const defaultWaitMs = 5000
const maxWaitMs = 60 * 60_000
const maxErrorBytes = 64 * 1024

export const createMatrixApi = ({
  server,
  token,
}: {
  readonly server: Server
  /** Null for calls before a login. */
  readonly token: string | null
}): MatrixApi => {
  const clean = (text: string) => (token === null ? text : text.replaceAll(token, '***'))

  const request = async (call: MatrixCall, fetch: Server['fetch'], signal: AbortSignal) => {
    const { method, path, query, body, type } = call
    const isBytes = body instanceof Uint8Array
    const search = query ? `?${new URLSearchParams(query)}` : ''
    const response = await fetch(`${server.base}${path}${search}`, {
      method,
      redirect: 'error',
      signal,
      headers: {
        accept: 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': isBytes ? (type ?? '') : 'application/json' }),
      },
      ...(body !== undefined && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    if (response.ok) return response
    const text = (await readLimited(toBytes(response), maxErrorBytes))?.toString() ?? ''
    throw toRefusal(response, text, clean)
  }
  const withErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw toMatrixError(error)
    }
  }
  const callText: MatrixApi['callText'] = (call) =>
    withErrors(async () => {
      const timeout = AbortSignal.timeout(call.timeoutMs ?? callTimeoutMs)
      const send = async (signal: AbortSignal) => (await request(call, server.fetch, signal)).text()
      return call.signal ? eitherAborts([call.signal, timeout], send) : send(timeout)
    })

  return {
    callText,
    call: async (call) => {
      const text = await callText(call)
      try {
        return JSON.parse(text)
      } catch {
        throw misunderstood()
      }
    },
    download: async function* (path, signal) {
      const response = await withErrors(() => request({ method: 'GET', path }, server.download, signal))
      try {
        yield* toBytes(response)
      } catch (error) {
        throw toMatrixError(error)
      }
    },
  }
}

export const misunderstood = () =>
  new MatrixError('The answer of the homeserver could not be understood.', 'passing')

/** The code of a MatrixError for a disk of this machine that fails. */
export const storageFailed = 'storage_failed'

/** Returns null unless the disk of this machine failed. */
export const toStorageError = (error: unknown): MatrixError | null => {
  if (error instanceof MatrixError) return error.code === storageFailed ? error : null
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null
  const code = /^E[A-Z0-9]+$/.test(String(error.code)) ? String(error.code) : 'unknown'
  const sentence = `The state of this Matrix account cannot be stored on this machine (${code}).`
  return new MatrixError(sentence, 'passing', { code: storageFailed })
}

const toBytes = ({ body }: Response): AsyncIterable<Uint8Array> =>
  (body ?? []) as unknown as AsyncIterable<Uint8Array>

const toMatrixError = (error: unknown): MatrixError => {
  if (error instanceof MatrixError) return error
  if (error instanceof NetworkError)
    return new MatrixError(`The homeserver could not be reached: ${error.message}.`, 'passing', {
      code: error.kind === 'refused' ? answerTooLarge : null,
    })
  if (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name))
    return new MatrixError('The homeserver did not answer in time.', 'passing')
  return new MatrixError(
    `The homeserver could not be asked (${error instanceof Error ? error.name : typeof error}).`,
    'passing',
  )
}

/** The code of an answer that is too large to be read. */
export const answerTooLarge = 'answer_too_large'

/** The codes of a token that no longer works. */
const tokenCodes = ['M_UNKNOWN_TOKEN', 'M_MISSING_TOKEN', 'M_USER_DEACTIVATED', 'M_USER_LOCKED']

const sentences: Readonly<Record<string, string>> = {
  M_UNKNOWN_TOKEN: 'The homeserver no longer accepts the access token.',
  M_MISSING_TOKEN: 'The homeserver no longer accepts the access token.',
  M_USER_DEACTIVATED: 'The account was deactivated.',
  M_USER_LOCKED: 'The account was locked by the homeserver.',
  M_TOO_LARGE: 'It is too large for the homeserver.',
}

const toRefusal = (
  { status, headers }: Response,
  body: string,
  clean: (text: string) => string,
): MatrixError => {
  const { errcode, error, retry_after_ms: retryAfterMs } = parseObject(body)
  const code = typeof errcode === 'string' && /^[A-Z][A-Z0-9_.]{0,99}$/i.test(errcode) ? errcode : null
  const details = { code, status, body }
  if (status === 429 || code === 'M_LIMIT_EXCEEDED') {
    const wait = readWait(retryAfterMs, headers.get('retry-after'))
    const words = `The homeserver accepts no more requests for ${Math.ceil(wait / 1000)} s.`
    return new MatrixError(words, 'passing', { ...details, wait })
  }
  if (code !== null && tokenCodes.includes(code))
    return new MatrixError(sentences[code] ?? '', 'token', details)
  if (code !== null && sentences[code] !== undefined)
    return new MatrixError(sentences[code], 'lasting', details)
  // An answer without an error code comes from a proxy.
  if (status >= 500 || code === null)
    return new MatrixError(`The homeserver answered with status ${status}.`, 'passing', details)
  const reason = clean(toLine(error, 200)).replace(/\.$/, '')
  return new MatrixError(`The homeserver refused it: ${reason || 'no reason'} (${code}).`, 'lasting', details)
}

export const parseObject = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const readWait = (retryAfterMs: unknown, header: string | null): number => {
  const seconds = header !== null && /^\d{1,9}$/.test(header) ? Number(header) * 1000 : undefined
  const wait = typeof retryAfterMs === 'number' ? retryAfterMs : (seconds ?? defaultWaitMs)
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 500), maxWaitMs) : defaultWaitMs
}

/** Encodes a part of a path. */
export const encode = (part: string): string => encodeURIComponent(part).replaceAll("'", '%27')

/** Returns `/_matrix/client/v3/rooms/<room>/<rest>`. */
export const roomPath = (room: string, ...rest: readonly string[]): string =>
  ['/_matrix/client/v3/rooms', encode(room), ...rest.map(encode)].join('/')

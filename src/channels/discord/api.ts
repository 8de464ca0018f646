/**
 * Discord's REST API with the token of one bot. Each call uses the daemon's own fetch, is tried once, and
 * fails with a DiscordError.
 */
import { DiscordAPIError, HTTPError, RateLimitError, type RawFile, REST } from '@discordjs/rest'
import type { Fetch } from '../../../packages/kit/network/network.ts'
import { NetworkError } from '../../../packages/kit/network/network-error.ts'

/**
 * `message` is one sentence without the token. Kind `token`: Discord rejected the token. Kind `lasting`:
 * retrying does not help. `code` is Discord's error code, or null.
 */
export class DiscordError extends Error {
  override readonly name = 'DiscordError'
  readonly kind: 'token' | 'lasting' | 'passing'
  readonly code: number | null
  /** Milliseconds until the next call is allowed, or null if Discord gave no time. */
  readonly wait: number | null
  constructor(
    message: string,
    kind: DiscordError['kind'],
    details: { readonly code?: number | null; readonly wait?: number } = {},
  ) {
    super(message)
    this.kind = kind
    this.code = details.code ?? null
    this.wait = details.wait ?? null
  }
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** The path after `/v10`. */
  readonly route: `/${string}`
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** False if the URL itself authorizes the call. */
  readonly auth?: false
  readonly files?: readonly RawFile[]
  readonly signal?: AbortSignal
}

export interface Api {
  /** Returns the JSON of the response. Rejects with DiscordError. */
  call(call: Call): Promise<unknown>
  close(): void
}

/** Milliseconds until the response must begin. */
const timeout = 60_000

export const createApi = ({
  base,
  token,
  fetch,
}: {
  readonly base: string
  readonly token: string
  readonly fetch: Fetch
}): Api => {
  const rest = new REST({
    version: '10',
    api: base,
    timeout,
    // The outbox retries. Retries inside the client would be invisible and could not be stopped.
    retries: 0,
    rejectOnRateLimit: () => true,
    // The client uses the types of another undici version. The objects are the same.
    makeRequest: (url, init) => fetch(url, init as unknown as RequestInit),
  }).setToken(token)
  const isToken = /^[\x21-\x7e]+$/.test(token)

  const request = ({ method, route, query, body, files, auth }: Call, signal: AbortSignal) =>
    rest.request({
      method: method as never,
      fullRoute: route,
      auth: auth ?? true,
      ...(query && { query: new URLSearchParams(query) }),
      ...(body !== undefined && { body }),
      ...(files && { files: [...files] }),
      signal,
    })
  const call = async (callOptions: Call): Promise<unknown> => {
    // Such a token is not valid in a header, and the error message would quote it.
    if (!isToken) throw refusedToken()
    // The client never removes its listener from a signal, so each call gets a signal of its own.
    const ending = new AbortController()
    const end = () => ending.abort()
    if (callOptions.signal?.aborted) end()
    callOptions.signal?.addEventListener('abort', end, { once: true })
    try {
      return await request(callOptions, ending.signal)
    } catch (error) {
      // After a 401 the client drops the token, and every later call would fail with another message.
      rest.setToken(token)
      throw toDiscordError(error)
    } finally {
      callOptions.signal?.removeEventListener('abort', end)
    }
  }
  const close = () => {
    rest.clearHashSweeper()
    rest.clearHandlerSweeper()
  }
  return { call, close }
}

const refusedToken = () => new DiscordError('Discord does not accept the bot’s token.', 'token')

// Sets no `cause`, because the client's errors contain whole requests.
const toDiscordError = (error: unknown): DiscordError => {
  if (error instanceof DiscordError) return error
  if (error instanceof RateLimitError) return toRateLimitError(error)
  if (error instanceof DiscordAPIError) return toRefusal(error)
  if (error instanceof HTTPError)
    return new DiscordError(`Discord answered with status ${error.status}.`, 'passing')
  if (error instanceof NetworkError)
    return new DiscordError(`Discord could not be reached: ${error.message}.`, 'passing')
  if (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name))
    return new DiscordError('Discord did not answer in time.', 'passing')
  if (error instanceof SyntaxError)
    return new DiscordError('Discord’s answer could not be understood.', 'passing')
  return new DiscordError(
    `Discord could not be asked (${error instanceof Error ? error.name : typeof error}).`,
    'passing',
  )
}

/** Measured: the client reports the time in one of three fields. */
const toRateLimitError = ({ timeToReset, retryAfter, sublimitTimeout }: RateLimitError): DiscordError => {
  const wait = Math.max(500, ...[timeToReset, retryAfter, sublimitTimeout].filter(Number.isFinite))
  return new DiscordError(`Discord accepts no more messages for ${Math.ceil(wait / 1000)} s.`, 'passing', {
    wait,
  })
}

const sentences: Readonly<Record<number, string>> = {
  10003: 'This Discord channel is gone.',
  40005: 'The file is too large for Discord.',
  50001: 'The bot has no access to this Discord channel.',
  50007:
    'Discord does not let the bot write to this person: they must share a server with it and allow direct messages.',
  50013: 'The bot is not allowed to write in this Discord channel.',
}

const toRefusal = ({ status, code, message }: DiscordAPIError): DiscordError => {
  if (status === 401) return refusedToken()
  if (status === 413) return new DiscordError('The file is too large for Discord.', 'lasting')
  // A response without a Discord error code comes from a proxy.
  if (typeof code !== 'number') return new DiscordError(`Discord answered with status ${status}.`, 'passing')
  return new DiscordError(
    sentences[code] ?? `Discord refused it: ${message.slice(0, 200)} (${code}).`,
    'lasting',
    { code },
  )
}

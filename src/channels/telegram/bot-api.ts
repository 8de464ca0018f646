/**
 * Telegram's Bot API, called through the daemon's own fetch. Errors are plain data and never contain the
 * token.
 */
import type { GrammyError, HttpError, RawApi } from 'grammy'
import type { Fetch } from '../../../packages/kit/network/network.ts'
import { NetworkError } from '../../../packages/kit/network/network-error.ts'

/**
 * `code` is Telegram's error code, or null if Telegram did not answer. The message is a clause that callers
 * put after a colon.
 */
export class TelegramError extends Error {
  override readonly name = 'TelegramError'
  readonly code: number | null
  /** Milliseconds. */
  readonly wait: number | null
  /** The group has a new chat id. */
  readonly moved: boolean
  constructor(
    message: string,
    code: number | null,
    { wait = null, moved: hasMoved = false }: { wait?: number | null; moved?: boolean } = {},
  ) {
    super(message)
    this.code = code
    this.wait = wait
    this.moved = hasMoved
  }
}

export type Signal = Parameters<RawApi['getMe']>[0]

export interface BotApi {
  /** Makes one call. Rejects with `TelegramError`. */
  ask<T>(call: (raw: RawApi, signal: Signal) => Promise<T>, signal: AbortSignal): Promise<T>
}

export interface BotApiDeps {
  /** Base URL without a trailing slash. */
  readonly base: string
  readonly token: string
  readonly fetch: Fetch
  /** Timeout of one call in seconds. */
  readonly seconds: number
}

export const createBotApi = ({ base, token, fetch, seconds }: BotApiDeps): BotApi => {
  const maskToken = createTokenMask(token)
  const open = async () => {
    const { Api } = await import('grammy')
    const options = {
      apiRoot: base,
      timeoutSeconds: seconds,
      fetch: bridgeFetch(fetch),
    } as unknown as ConstructorParameters<typeof Api>[1]
    return new Api(token, options)
  }
  // Stores the `Api`, not its `raw` proxy: `raw` has every property, including `then`, so awaiting it would
  // call Telegram.
  let agent: ReturnType<typeof open> | undefined
  return {
    ask: async (call, signal) => {
      agent ??= open()
      const { raw } = await agent
      try {
        return await call(raw, signal as unknown as Signal)
      } catch (error) {
        throw toTelegramError(error, maskToken)
      }
    },
  }
}

/** Returns a function that removes the token from untrusted text. */
export const createTokenMask =
  (token: string) =>
  (words: string): string =>
    words.replaceAll(token, '***')

/**
 * The library passes its own AbortSignal class, which the platform's fetch rejects, and an agent that only
 * its own fetch supports.
 */
const bridgeFetch =
  (fetch: Fetch): Fetch =>
  (input, init = {}) => {
    const { method, headers, body, signal: callerSignal } = init
    const controller = new AbortController()
    callerSignal?.addEventListener('abort', () => controller.abort())
    if (callerSignal?.aborted) controller.abort()
    const fetchOptions = { method, headers, body, duplex: 'half', signal: controller.signal }
    return fetch(input, fetchOptions as unknown as RequestInit)
  }

const toTelegramError = (error: unknown, maskToken: (words: string) => string): TelegramError => {
  const { name } = error as Error
  if (name === 'GrammyError') {
    const { error_code: code, description, parameters } = error as GrammyError
    const wait = parameters.retry_after === undefined ? null : parameters.retry_after * 1000
    return new TelegramError(maskToken(String(description ?? 'no reason was given')), Number(code), {
      wait,
      moved: parameters.migrate_to_chat_id !== undefined,
    })
  }
  // Errors wrapped by the library may quote the URL with the token, so only known texts are repeated.
  const inner = name === 'HttpError' ? (error as HttpError).error : error
  if (inner instanceof NetworkError) return new TelegramError(inner.message, null)
  const { code, message = '' } = (inner ?? {}) as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'EACCES')
    return new TelegramError('the file to be sent cannot be read', null)
  return new TelegramError(
    /timed out/.test(message) ? 'no answer came in time' : 'the server does not answer like Telegram',
    null,
  )
}

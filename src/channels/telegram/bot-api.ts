/**
 * Telegram's Bot API as the daemon calls it: through the daemon's own fetch, and what goes wrong as plain
 * data that never holds the token.
 */
import type { GrammyError, HttpError, RawApi } from 'grammy'
import type { Fetch } from '../../../packages/kit/network/network.ts'
import { NetworkError } from '../../../packages/kit/network/network-error.ts'

/**
 * `code` is what Telegram answered, null where no answer of its own came. The message is a clause: "…:
 * <message>".
 */
export class TelegramError extends Error {
  override readonly name = 'TelegramError'
  readonly code: number | null
  /** Milliseconds. */
  readonly wait: number | null
  /** The group has another number by now. */
  readonly moved: boolean
  constructor(
    message: string,
    code: number | null,
    { wait = null, moved = false }: { wait?: number | null; moved?: boolean } = {},
  ) {
    super(message)
    this.code = code
    this.wait = wait
    this.moved = moved
  }
}

export type Signal = Parameters<RawApi['getMe']>[0]

export interface BotApi {
  /** Does one call; whatever goes wrong is a `TelegramError`. */
  ask<T>(call: (raw: RawApi, signal: Signal) => Promise<T>, signal: AbortSignal): Promise<T>
}

export interface BotApiDeps {
  /** Without a slash at its end. */
  readonly base: string
  readonly token: string
  readonly fetch: Fetch
  /** How long one call may take. */
  readonly seconds: number
}

export const createBotApi = ({ base, token, fetch, seconds }: BotApiDeps): BotApi => {
  const clean = discreet(token)
  const open = async () => {
    const { Api } = await import('grammy')
    const options = {
      apiRoot: base,
      timeoutSeconds: seconds,
      fetch: bridged(fetch),
    } as unknown as ConstructorParameters<typeof Api>[1]
    return new Api(token, options)
  }
  // Not its `raw`, which answers to every name, `then` too: awaited, it would call Telegram.
  let opened: ReturnType<typeof open> | undefined
  return {
    ask: async (call, signal) => {
      opened ??= open()
      const { raw } = await opened
      try {
        return await call(raw, signal as unknown as Signal)
      } catch (error) {
        throw told(error, clean)
      }
    },
  }
}

/** Takes the token out of words that came from elsewhere. */
export const discreet =
  (token: string) =>
  (words: string): string =>
    words.replaceAll(token, '***')

/**
 * The library brings a signal of its own make, which the platform's fetch refuses, and an agent that no fetch
 * but its own knows.
 */
const bridged =
  (fetch: Fetch): Fetch =>
  (input, init = {}) => {
    const { method, headers, body, signal: theirs } = init
    const ours = new AbortController()
    theirs?.addEventListener('abort', () => ours.abort())
    if (theirs?.aborted) ours.abort()
    const given = { method, headers, body, duplex: 'half', signal: ours.signal }
    return fetch(input, given as unknown as RequestInit)
  }

const told = (error: unknown, clean: (words: string) => string): TelegramError => {
  const { name } = error as Error
  if (name === 'GrammyError') {
    const { error_code: code, description, parameters } = error as GrammyError
    const wait = parameters.retry_after === undefined ? null : parameters.retry_after * 1000
    return new TelegramError(clean(String(description ?? 'no reason was given')), Number(code), {
      wait,
      moved: parameters.migrate_to_chat_id !== undefined,
    })
  }
  // What the library wraps may quote the address, token and all: only what is known to be clean is repeated.
  const inner = name === 'HttpError' ? (error as HttpError).error : error
  if (inner instanceof NetworkError) return new TelegramError(inner.message, null)
  const { code, message = '' } = (inner ?? {}) as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'EACCES')
    return new TelegramError('the file to be sent cannot be read', null)
  return new TelegramError(
    /timed out/.test(message)
      ? 'no answer came in time'
      : 'what answers there does not speak as Telegram does',
    null,
  )
}

/** Downloads the files of messages when they are read. */
import type { Fetch } from '../../../packages/kit/network/network.ts'
import { NetworkError } from '../../../packages/kit/network/network-error.ts'
import { SendError } from '../platform.ts'
import { type BotApi, TelegramError } from './bot-api.ts'

/** Telegram's download limit for bots. */
export const maxBytes = 20 * 1024 * 1024

export const tooLarge = 'it is larger than the 20 MB that Telegram lets a bot fetch'

export interface FilesDeps {
  readonly api: BotApi
  readonly base: string
  readonly token: string
  readonly fetch: Fetch
  readonly closeSignal: AbortSignal
}

/** Yields the bytes of a file by its id. Throws SendError. */
export type FetchFile = (id: string, signal: AbortSignal) => AsyncIterable<Uint8Array>

export const createFetchFile = ({ api, base, token, fetch, closeSignal }: FilesDeps): FetchFile => {
  /** Requests the path each time, because it is valid for one hour only. */
  const open = async (id: string, signal: AbortSignal): Promise<Response> => {
    const { file_path: path } = await api.ask((raw, stop) => raw.getFile({ file_id: id }, stop), signal)
    if (!path || path.startsWith('/') || path.split('/').includes('..'))
      throw new TelegramError('Telegram gave no path of the file', 400)
    const response = await fetch(
      `${base}/file/bot${token}/${path.split('/').map(encodeURIComponent).join('/')}`,
      { signal },
    )
    if (response.ok) return response
    await response.body?.cancel()
    throw new TelegramError(`Telegram answers ${response.status}`, response.status)
  }

  return async function* (id, callerSignal) {
    const signal = AbortSignal.any([callerSignal, closeSignal])
    try {
      const { body } = await open(id, signal)
      for await (const chunk of body ?? []) yield chunk
    } catch (error) {
      throw signal.aborted ? new SendError('The download was cancelled.', { lasting: false }) : failure(error)
    }
  }
}

const failure = (error: unknown): SendError => {
  if (!(error instanceof TelegramError)) {
    // The response exceeds every possible file, so a retry does not help.
    if (error instanceof NetworkError && error.kind === 'refused') return toSendError(tooLarge, true)
    return toSendError(error instanceof NetworkError ? error.message : 'the connection failed', false)
  }
  const { message, code, wait } = error
  if (/too big/i.test(message)) return toSendError(tooLarge, true)
  return toSendError(message, code === 400 || code === 403 || code === 404 || code === 410, wait)
}

const toSendError = (reason: string, isLasting: boolean, wait: number | null = null): SendError =>
  new SendError(`It could not be fetched from Telegram: ${reason}.`, { lasting: isLasting, wait })

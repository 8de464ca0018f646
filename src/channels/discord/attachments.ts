/**
 * Attachments of a message. They are downloaded from Discord's CDN when they are read, without the bot's
 * token.
 */
import type { Network } from '../../../packages/kit/network/network.ts'
import { NetworkError } from '../../../packages/kit/network/network-error.ts'
import { getZone } from '../../../packages/kit/network/zone.ts'
import { type IncomingFile, SendError } from '../platform.ts'
import type { Attachment, Sent } from './message.ts'

export interface FilesDeps {
  /** Base URL of the API. */
  readonly base: string
  readonly network: Pick<Network, 'download' | 'getNamedFetch'>
}

export const fileOfAttachment = (
  file: Attachment,
  { voice, forwarded: isForwarded }: Sent,
  deps: FilesDeps,
): IncomingFile => ({
  name: getName(file),
  from: isForwarded ? 'forwarded' : 'person',
  by: null,
  voice: voice && !/^(image|video)\//.test(file.content_type),
  bytes: (signal) => readBytes(file, signal, deps),
})

async function* readBytes(
  { url }: Attachment,
  signal: AbortSignal,
  { base, network }: FilesDeps,
): AsyncGenerator<Uint8Array> {
  const address = toUrl(url, base)
  // Any origin other than the API comes from Discord's response, so it is checked as a named address.
  const isApi = address.origin === new URL(base).origin
  const download = isApi ? network.download : network.getNamedFetch(getZone(base), 'download')
  try {
    yield* await getBody(await download(address, { signal }))
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    throw missing(
      `The file could not be fetched from Discord: ${error.message}.`,
      error.kind !== 'unreachable',
    )
  }
}

const getBody = async (response: Response): Promise<AsyncIterable<Uint8Array>> => {
  const { ok, body, status } = response
  if (ok && body) return body as AsyncIterable<Uint8Array>
  await body?.cancel()
  throw missing(
    `Discord answered with status ${status} where the file should be.`,
    status >= 400 && status < 500 && status !== 429,
  )
}

const missing = (message: string, lasting: boolean) => new SendError(message, { lasting })

/** Accepts only HTTPS URLs, or URLs with the origin of the API. */
const toUrl = (address: string, base: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'https:' && url?.origin !== new URL(base).origin)
    throw missing('Discord gave no valid address for the file.', true)
  return url
}

const getName = ({ filename, content_type: mime }: Attachment): string =>
  filename || `file.${/^\w+\/(\w+)/.exec(mime)?.[1] ?? 'bin'}`

/** A server at an address, over Streamable HTTP or the older SSE transport. */
import type { AuthProvider, JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Fetch } from '../kit/network/network.ts'
import { boundedFetch } from './bounded-fetch.ts'
import type { Library } from './library.ts'
import type { HttpConfig, ServerConfig } from './server-config.ts'
import { ServerTrouble } from './trouble.ts'

export interface HttpTransport extends Transport {
  readonly isTooLarge: () => boolean
  /** Ends the session on the server. Never rejects. */
  leave(ms: number): Promise<void>
}

interface Deps {
  readonly library: Library
  readonly config: HttpConfig
  readonly style: 'streamable' | 'sse'
  readonly fetch: Fetch
  /** Absent if the user configured the authorization. */
  readonly auth: AuthProvider | undefined
  /** Max bytes of one message. */
  readonly maxBytes: number
}

export const createHttpTransport = ({
  library,
  config,
  style,
  fetch,
  auth,
  maxBytes,
}: Deps): HttpTransport => {
  let isTooLarge = false
  const onTooLarge = () => {
    isTooLarge = true
    // Otherwise the request of this message would wait until its timeout.
    queueMicrotask(() => void inner.close().catch(() => undefined))
  }
  const { url, headers } = toAddress(config)
  const options = {
    requestInit: { headers },
    fetch: boundedFetch(fetch, { maxBytes, onTooLarge }),
    ...(auth && { authProvider: auth }),
  }
  const inner =
    style === 'sse'
      ? new library.SSEClientTransport(url, options)
      : new library.StreamableHTTPClientTransport(url, options)
  if (inner instanceof library.StreamableHTTPClientTransport) answerEndedStreams(inner)
  return Object.assign(inner, {
    isTooLarge: () => isTooLarge,
    leave: async (ms: number) => {
      if (!(inner instanceof library.StreamableHTTPClientTransport)) return
      await inAtMost(inner.terminateSession(), ms)
    },
  })
}

type Streamable = InstanceType<Library['StreamableHTTPClientTransport']>

/** Answers a request with an error when its stream ends without an answer, because no answer can follow. */
const answerEndedStreams = (transport: Streamable): void => {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const id = getId(message)
    if (id === undefined || options?.onRequestStreamEnd) return send(message, options)
    const onRequestStreamEnd = () =>
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: streamEnded, message: 'stream ended' } })
    return send(message, { ...options, onRequestStreamEnd })
  }
}

/** Not an error code of the protocol. */
export const streamEnded = -39_999

const getId = (message: JSONRPCMessage | JSONRPCMessage[]): string | number | undefined =>
  !Array.isArray(message) && 'method' in message && 'id' in message ? message.id : undefined

const inAtMost = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work.catch(() => undefined), timeout])
  clearTimeout(timer)
}

/**
 * Moves user name and password from the address to a header, because `fetch` rejects addresses with
 * credentials.
 */
const toAddress = (config: HttpConfig): { readonly url: URL; readonly headers: Record<string, string> } => {
  if (!URL.canParse(config.url) || !/^https?:$/.test(new URL(config.url).protocol))
    throw new ServerTrouble('Its address is none: it has to begin with http:// or https://.', 'config')
  const url = new URL(config.url)
  const headers = { ...config.headers }
  if (Object.entries(headers).some((pair) => !isHeader(pair)))
    throw new ServerTrouble(
      'One of its headers cannot be sent: its name or value has characters that no header may have.',
      'config',
    )
  if ((url.username || url.password) && !authorizesItself(config))
    headers.authorization = `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`
  url.username = url.password = ''
  return { url, headers }
}

const isHeader = ([name, value]: readonly [string, string]): boolean => {
  try {
    new Headers([[name, value]])
    return true
  } catch {
    return false
  }
}

/** Returns true if the configuration contains credentials. OAuth is not used then. */
export const authorizesItself = (config: ServerConfig): boolean =>
  config.transport === 'http' &&
  (Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization') ||
    (URL.canParse(config.url) && new URL(config.url).username !== ''))

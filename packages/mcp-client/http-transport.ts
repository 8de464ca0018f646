/** A server at an address, by Streamable HTTP or as the older servers speak, by a stream of events. */
import type { AuthProvider, JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Fetch } from '../kit/network/network.ts'
import { boundedFetch } from './bounded-fetch.ts'
import type { Library } from './library.ts'
import type { HttpConfig, ServerConfig } from './server-config.ts'
import { ServerTrouble } from './trouble.ts'

export interface HttpTransport extends Transport {
  readonly isTooLarge: () => boolean
  /** Tells the server that the session is over. Never rejects. */
  leave(ms: number): Promise<void>
}

interface Deps {
  readonly library: Library
  readonly config: HttpConfig
  readonly style: 'streamable' | 'sse'
  readonly fetch: Fetch
  /** Absent where the person gave what authorizes. */
  readonly auth: AuthProvider | undefined
  /** Bytes of one message. */
  readonly most: number
}

export const createHttpTransport = ({ library, config, style, fetch, auth, most }: Deps): HttpTransport => {
  let isTooLarge = false
  const onTooLarge = () => {
    isTooLarge = true
    // What was asked for in it would be waited for until its time is up.
    queueMicrotask(() => void inner.close().catch(() => undefined))
  }
  const { url, headers } = addressOf(config)
  const options = {
    requestInit: { headers },
    fetch: boundedFetch(fetch, { most, onTooLarge }),
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

/** A stream that ends without the answer it was opened for is an answer: nothing will come any more. */
const answerEndedStreams = (transport: Streamable): void => {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const id = idOf(message)
    if (id === undefined || options?.onRequestStreamEnd) return send(message, options)
    const onRequestStreamEnd = () =>
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: streamEnded, message: 'stream ended' } })
    return send(message, { ...options, onRequestStreamEnd })
  }
}

/** No code of the protocol's. */
export const streamEnded = -39_999

const idOf = (message: JSONRPCMessage | JSONRPCMessage[]): string | number | undefined =>
  !Array.isArray(message) && 'method' in message && 'id' in message ? message.id : undefined

const inAtMost = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}

/** Name and password that stand in the address go into a header, where alone a request may have them. */
const addressOf = (config: HttpConfig): { readonly url: URL; readonly headers: Record<string, string> } => {
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

/** Whether what authorizes is given: then the server's own way to it is not gone. */
export const authorizesItself = (config: ServerConfig): boolean =>
  config.transport === 'http' &&
  (Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization') ||
    (URL.canParse(config.url) && new URL(config.url).username !== ''))

/**
 * All outgoing requests of the daemon. Every request has limits of time and size, follows no redirect, and
 * reaches only addresses of its zone, never the daemon itself. It uses the environment's proxy unless it
 * stays on this machine.
 */
import type { Agent, Dispatcher, RequestInit as UndiciInit } from 'undici'
import { inSpan, isTracing, traceHeaders } from '../tracing/tracing.ts'
import { NetworkError } from './network-error.ts'
import { type Proxies, readProxies, staysDirect } from './proxies.ts'
import { createConnector, lookedUpRefusal, type Reach, usualReach } from './reach.ts'
import { isNear, type Zone } from './zone.ts'

export type Fetch = typeof globalThis.fetch

/** In ms and bytes. `whole` and `size` may be null for no limit, as for downloads. */
export interface CallBounds {
  readonly firstByte: number
  readonly silence: number
  readonly whole: number | null
  readonly size: number | null
}

/**
 * `local`, `remote` and `download` are for addresses from the user or the environment, which may be on this
 * machine. `local` has time for loading a model, `download` for a runtime that verifies a download.
 */
export interface Network {
  readonly local: Fetch
  readonly remote: Fetch
  readonly download: Fetch
  /** For addresses from others: a page, a server, a browser, a platform. */
  readonly getNamedFetch: (zone: Zone, bounds?: keyof typeof callBounds) => Fetch
  close(): Promise<void>
}

/** Connection timeout in ms. */
const connectTimeout = 5_000
const connect = { timeout: connectTimeout }
const MiB = 1024 * 1024

export const callBounds = {
  local: { firstByte: 300_000, silence: 60_000, whole: 600_000, size: 20 * MiB },
  remote: { firstByte: 60_000, silence: 60_000, whole: 600_000, size: 20 * MiB },
  download: { firstByte: 300_000, silence: 300_000, whole: null, size: null },
} as const satisfies Record<string, CallBounds>

export interface NetworkDeps {
  /** Source of the proxy settings: `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY` in either case. */
  readonly env: NodeJS.ProcessEnv
  readonly limits?: Partial<Record<keyof typeof callBounds, CallBounds>>
  readonly reach?: Partial<Reach>
}

export const createNetwork = ({ env, limits = {}, reach: givenReach }: NetworkDeps): Network => {
  const reach = { ...usualReach, ...givenReach }
  // One agent per zone, because a kept-alive connection was checked for one zone only.
  const directAgents = new Map<Zone, Promise<Agent>>()
  const chooseWay = async (url: URL, zone: Zone): Promise<Way> => {
    const proxies = readProxies(env)
    if (proxies && !staysDirect(url.hostname, proxies)) return openProxy(proxies, url, zone, reach)
    const cachedAgent = directAgents.get(zone)
    if (cachedAgent !== undefined) return { dispatcher: await cachedAgent, leave: () => {} }
    const agentPromise = openAgent(zone, reach)
    directAgents.set(zone, agentPromise)
    return { dispatcher: await agentPromise, leave: () => {} }
  }
  const fetchWith =
    (kind: keyof typeof callBounds, zone: Zone): Fetch =>
    async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const call = async (fullInit: RequestInit) =>
        send(url, fullInit, limits[kind] ?? callBounds[kind], await chooseWay(url, zone))
      return isTracing() ? traceCall(url, init, call) : call(init)
    }
  return {
    local: fetchWith('local', 'machine'),
    remote: fetchWith('remote', 'machine'),
    download: fetchWith('download', 'machine'),
    getNamedFetch: (zone, bounds = 'remote') => fetchWith(bounds, zone),
    close: async () => {
      await Promise.all([...directAgents.values()].map(async (agent) => (await agent).destroy()))
    },
  }
}

/**
 * Traces a request until its response begins. Only servers on this machine and in private networks learn the
 * ids of the trace, and only their names are recorded: other hosts show what a persona reads.
 */
const traceCall = (
  { hostname, port }: URL,
  init: RequestInit,
  call: (init: RequestInit) => Promise<Response>,
): Promise<Response> => {
  const method = init.method ?? 'GET'
  const isKnown = isNear(hostname)
  const server = { 'server.address': hostname, ...(port && { 'server.port': Number(port) }) }
  const attributes = { 'http.request.method': method, ...(isKnown && server) }
  return inSpan({ name: method, kind: 'client', attributes }, async (span) => {
    const response = await call(isKnown ? withTraceHeaders(init) : init)
    span.set({ 'http.response.status_code': response.status })
    if (response.status >= 400) span.end(String(response.status))
    return response
  })
}

const withTraceHeaders = (init: RequestInit): RequestInit => {
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value)
  return { ...init, headers }
}

const openAgent = async (zone: Zone, reach: Reach): Promise<Agent> => {
  const { Agent } = await import('undici')
  // Timeouts are implemented here, because undici's do not distinguish the first byte from later ones.
  const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 }
  return new Agent({ connect: await createConnector(zone, reach, connectTimeout), ...noTimeouts })
}

interface Way {
  readonly dispatcher: Dispatcher
  leave(): void
}

// One agent per request: after a proxy drops CONNECT, undici retries until the agent is destroyed, even if
// the request has ended.
const openProxy = async (proxies: Proxies, url: URL, zone: Zone, reach: Reach): Promise<Way> => {
  // The proxy resolves the name again, out of our control. This check is the best we can do.
  const refusal = await lookedUpRefusal(url, zone, reach)
  if (refusal !== null) throw new NetworkError(refusal, 'barred')
  const { EnvHttpProxyAgent } = await import('undici')
  const { httpProxy, httpsProxy, noProxy } = proxies
  try {
    const dispatcher = new EnvHttpProxyAgent({
      httpProxy,
      httpsProxy,
      noProxy,
      // Used for the hosts in NO_PROXY.
      connect: await createConnector(zone, reach, connectTimeout),
      requestTls: connect,
      proxyTls: connect,
      headersTimeout: 0,
      bodyTimeout: 0,
      proxyTunnel: false,
    })
    return { dispatcher, leave: () => void dispatcher.destroy().catch(() => {}) }
  } catch {
    throw new NetworkError('the proxy named in the environment is not an address', 'barred')
  }
}

const send = async (
  url: URL,
  init: RequestInit,
  bounds: CallBounds,
  { dispatcher, leave }: Way,
): Promise<Response> => {
  const deadline = createDeadline(bounds, init.signal ?? undefined, leave)
  const lateMessage = `no answer came within ${seconds(bounds.firstByte)}`
  const { fetch } = await import('undici')
  // The types of Node and undici differ but describe the same objects.
  const options = {
    ...(await toReadableInit(init)),
    signal: deadline.signal,
    dispatcher,
    // With `manual` the caller gets the redirect and must send a new request to follow it.
    redirect: init.redirect === 'manual' ? 'manual' : 'error',
  } as unknown as UndiciInit
  const response = await deadline.runWithin(bounds.firstByte, lateMessage, fetch(url, options))

  const { status, statusText } = response
  const headers = new Headers([...response.headers])
  // The body is already decompressed.
  headers.delete('content-encoding')
  headers.delete('content-length')
  if (response.body)
    return new Response(boundBody(response.body.getReader(), bounds, deadline, lateMessage), {
      status,
      statusText,
      headers,
    })
  deadline.end()
  return new Response(null, { status, statusText, headers })
}

/**
 * Converts a form to bytes, because undici does not know Node's FormData and would send "[object FormData]".
 */
const toReadableInit = async (init: RequestInit): Promise<RequestInit> => {
  if (!(init.body instanceof FormData)) return init
  const form = new Response(init.body)
  const headers = new Headers(init.headers)
  headers.set('content-type', form.headers.get('content-type') ?? 'multipart/form-data')
  return { ...init, headers, body: new Uint8Array(await form.arrayBuffer()) }
}

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
}

const boundBody = (
  reader: Reader,
  bounds: CallBounds,
  deadline: Deadline,
  lateMessage: string,
): ReadableStream<Uint8Array> => {
  const silenceMessage = `it fell silent for ${seconds(bounds.silence)}`
  let size = 0
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await (size === 0
      ? deadline.runWithin(bounds.firstByte, lateMessage, reader.read())
      : deadline.runWithin(bounds.silence, silenceMessage, reader.read()))
    size += value?.byteLength ?? 0
    if (bounds.size !== null && size > bounds.size) {
      deadline.cut()
      throw new NetworkError(`the answer is longer than ${bounds.size / MiB} MiB`, 'refused')
    }
    if (value) controller.enqueue(value)
    if (!done) return
    deadline.end()
    controller.close()
  }
  return new ReadableStream({ pull, cancel: deadline.cut }, { highWaterMark: 0 })
}

interface Deadline {
  readonly signal: AbortSignal
  /**
   * Waits at most `ms`. Errors become a `NetworkError`, or the caller's own reason if the caller has aborted.
   */
  runWithin<T>(ms: number, message: string, work: Promise<T>): Promise<T>
  cut(): void
  end(): void
}

const createDeadline = (
  bounds: CallBounds,
  callerSignal: AbortSignal | undefined,
  leave: () => void,
): Deadline => {
  const controller = new AbortController()
  const pass = () => controller.abort(callerSignal?.reason)
  if (callerSignal?.aborted) pass()
  callerSignal?.addEventListener('abort', pass, { once: true })
  const failAfter = (ms: number, message: string) =>
    setTimeout(() => controller.abort(new NetworkError(message)), ms)
  const wholeTimer =
    bounds.whole === null
      ? undefined
      : failAfter(bounds.whole, `the answer took longer than ${seconds(bounds.whole)}`).unref()

  const end = () => {
    clearTimeout(wholeTimer)
    callerSignal?.removeEventListener('abort', pass)
    leave()
  }
  const runWithin = async <T>(ms: number, message: string, work: Promise<T>): Promise<T> => {
    const timer = failAfter(ms, message)
    try {
      return await work
    } catch (error) {
      end()
      throw controller.signal.aborted ? controller.signal.reason : explain(error)
    } finally {
      clearTimeout(timer)
    }
  }
  const abort = () => {
    controller.abort()
    end()
  }
  return { signal: controller.signal, runWithin, cut: abort, end }
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`

const proxyRefusal = () =>
  new NetworkError(
    'the proxy of the environment asks for a name and a password (407)',
    'barred',
    'Put them into HTTP_PROXY and HTTPS_PROXY, or name this host in NO_PROXY, and start the daemon again.',
  )

const clauses: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: `no connection was made within ${seconds(connectTimeout)}`,
  ETIMEDOUT: 'no connection was made in time',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  Z_DATA_ERROR: 'the answer is damaged',
}

/**
 * Uses only the code and our own texts, because the original message may contain an address with credentials.
 */
const explain = (error: unknown): Error => {
  const causes = [...chain(error)]
  const refusal = causes.find((cause) => cause instanceof NetworkError)
  if (refusal) return refusal
  if (causes.some((cause) => cause.message === 'bad port'))
    return new NetworkError('its port is not allowed for HTTP', 'barred')
  if (causes.some((cause) => cause.message === 'unexpected redirect'))
    return new NetworkError('it sends the call elsewhere, which is not followed', 'barred')
  if (causes.some(({ message }) => /^Proxy (?:response|Authentication Required) \(407\)/.test(message)))
    return proxyRefusal()
  const code = causes.map((cause) => String((cause as NodeJS.ErrnoException).code ?? '')).find(Boolean) ?? ''
  if (/CERT|TLS|SELF_SIGNED|VERIFY/.test(code)) return new NetworkError('its certificate is not trusted')
  if (causes.some(({ name }) => name === 'HTTPParserError')) return new NetworkError('it does not speak HTTP')
  return new NetworkError(clauses[code] ?? `the connection failed${code ? ` (${code})` : ''}`)
}

function* chain(error: unknown): Generator<Error> {
  for (
    let cause = error;
    cause instanceof Error;
    cause = cause.cause ?? (cause as AggregateError).errors?.[0]
  )
    yield cause
}

/** Opens one connection to a server, lists its tools, and calls them. */

import type { Client, Transport } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { eitherAborts, unlessAborted } from '../kit/flow/abort-signals.ts'
import { isObject } from '../kit/is-object.ts'
import type { Fetch } from '../kit/network/network.ts'
import { getZone } from '../kit/network/zone.ts'
import { inSpan, traceHeaders } from '../kit/tracing/tracing.ts'
import { version } from '../kit/version.ts'
import type { Authorization } from './authorization.ts'
import { createHttpTransport, type HttpTransport } from './http-transport.ts'
import type { Library } from './library.ts'
import type { Era } from './listing-file.ts'
import type { SecretMask } from './secret-mask.ts'
import type { CallResult, ServerConfig } from './server-config.ts'
import type { Limits } from './server-limits.ts'
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts'
import { type Definitions, maxTools, parseDefinitions } from './tool-definitions.ts'
import { toCallResult } from './tool-results.ts'
import { ServerTrouble } from './trouble.ts'
import { describeTrouble, listCauses } from './trouble-words.ts'

export interface Connection {
  readonly era: Era
  readonly definitions: () => Definitions
  /** Resolves when the connection has ended, on either side. */
  readonly ending: Promise<void>
  /** Rejects with ServerTrouble. */
  call(tool: string, input: unknown, signal: AbortSignal): Promise<CallResult>
  /** Resolves when its process has ended. Never rejects. */
  close(): Promise<void>
}

export interface ConnectionDeps {
  readonly library: Library
  readonly config: ServerConfig
  /** The daemon's environment. A process inherits a small subset. */
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly fetch: Fetch
  /** Absent if the user configured the authorization. */
  readonly authorization: Authorization | undefined
  readonly mask: SecretMask
  readonly limits: Limits
  /** The known protocol version; null if it must be negotiated. */
  readonly era: Era | null
  readonly signal: AbortSignal
  /** Called when its tools have changed. */
  readonly onListing: (definitions: Definitions) => void
}

/**
 * Rejects with ServerTrouble and leaves no process behind. Attempts with another protocol version run one
 * after another.
 */
export const openConnection = async (deps: ConnectionDeps): Promise<Connection> => {
  try {
    return await connect(deps)
  } catch (error) {
    const era = nextEra(deps, error)
    if (era === undefined || deps.signal.aborted) throw error
    const retry = era === null ? openConnection({ ...deps, era }) : connect({ ...deps, era })
    // After the fallback to SSE, the first error is the relevant one.
    return retry.catch((retryError: unknown) => {
      throw era !== null && era.kind === 'sse' ? error : retryError
    })
  }
}

/** Statuses with which servers of the older SSE transport refuse a POST. */
const oldStatuses = [400, 404, 405, 406, 410, 415, 422]

const nextEra = ({ era, config }: ConnectionDeps, error: unknown): Era | null | undefined => {
  if (!(error instanceof ServerTrouble)) return undefined
  const { kind, status } = error
  if (era !== null)
    return ['protocol', 'refused', 'ended', 'gone'].includes(kind) && status !== 401 ? null : undefined
  if (config.transport === 'http')
    return status !== null && oldStatuses.includes(status) ? { kind: 'sse' } : undefined
  // Some older servers exit when they receive the version request.
  return kind === 'ended' ? { kind: 'legacy' } : undefined
}

const connect = async (deps: ConnectionDeps): Promise<Connection> => {
  const { library, limits, era, mask } = deps
  const transport = createTransport(deps)
  // A process may ignore an unknown request, so do not wait long. An address is only slow.
  const patience = deps.config.transport === 'stdio' ? limits.version : limits.start
  const client = new library.Client(
    { name: 'daimon', version },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: patience } },
      // Results are information, so they are not validated against the declared output schema.
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      },
    },
  )
  const whenClosed = new Promise<void>((resolve) => {
    client.onclose = resolve
  })
  const explain = (error: unknown, isCall: boolean): ServerTrouble =>
    describeTrouble(error, {
      library,
      limits,
      isCall,
      mask: mask.text,
      host: deps.config.transport === 'http' ? new URL(deps.config.url).host : null,
      traces: 'traces' in transport ? transport.traces() : null,
      isTooLarge: 'isTooLarge' in transport && transport.isTooLarge(),
    })
  const close = async () => {
    if ('leave' in transport) await transport.leave(limits.grace)
    await transport.close().catch(() => undefined)
  }
  const ending = new AbortController()
  const startTimer = setTimeout(
    () => ending.abort(new library.SdkError(library.SdkErrorCode.RequestTimeout, 'too late')),
    limits.start,
  )
  try {
    return await eitherAborts([deps.signal, ending.signal], async (signal) => {
      const options = { timeout: limits.start, signal, ...toPrior(era) }
      await unlessAborted(client.connect(transport as Transport, options), signal)
      const tools = await unlessAborted(listTools(client, { timeout: limits.start, signal }), signal)
      return createConnection({ ...deps, client, transport, ending: whenClosed, explain, close }, tools)
    })
  } catch (error) {
    const finalError = (await widenScopes(deps, error)) ?? explain(error, false)
    await close()
    // The last stderr output arrives a little after the exit.
    throw finalError.kind === 'ended' ? explain(error, false) : finalError
  } finally {
    clearTimeout(startTimer)
  }
}

/** Handles a refusal for insufficient scope. Returns undefined for other errors. */
const widenScopes = async (
  { library, authorization }: ConnectionDeps,
  error: unknown,
): Promise<ServerTrouble | undefined> => {
  if (!authorization) return undefined
  const scopeError = [...listCauses(error)].find((cause) => cause instanceof library.InsufficientScopeError)
  if (!scopeError) return undefined
  const { requiredScope: scope, resourceMetadataUrl } = scopeError
  return authorization.widen({ scope, resourceMetadataUrl })
}

const toPrior = (era: Era | null) => {
  if (era === null) return {}
  if (era.kind !== 'modern') return { prior: { kind: 'legacy' } as const }
  return { prior: { kind: 'modern', discover: era.discover as never } as const }
}

const createTransport = (deps: ConnectionDeps): StdioTransport | HttpTransport => {
  const { library, config, env, home, fetch, authorization, mask, limits, era } = deps
  if (config.transport === 'stdio')
    return createStdioTransport({
      config,
      env,
      home,
      parse: library.deserializeMessage,
      mask: mask.text,
      maxBytes: limits.message,
      graceMs: limits.grace,
    })
  const style = era?.kind === 'sse' ? 'sse' : 'streamable'
  const auth = authorization?.provider
  return createHttpTransport({ library, config, style, fetch, auth, maxBytes: limits.message })
}

const Page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })
const maxPages = 50

/** Reads page by page, up to the max number of tools. */
const listTools = async (
  client: Client,
  options: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<readonly unknown[]> => {
  if (!client.getServerCapabilities()?.tools) return []
  const tools: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages && tools.length <= maxTools; page++) {
    const params = cursor === undefined ? {} : { params: { cursor } }
    const page = await client.request({ method: 'tools/list', ...params }, Page, options)
    tools.push(...page.tools)
    if (page.nextCursor === undefined || page.nextCursor === cursor) break
    cursor = page.nextCursor
  }
  return tools
}

interface Open extends ConnectionDeps {
  readonly client: Client
  readonly transport: StdioTransport | HttpTransport
  readonly ending: Promise<void>
  explain(error: unknown, isCall: boolean): ServerTrouble
  close(): Promise<void>
}

const createConnection = (open: Open, first: readonly unknown[]): Connection => {
  const { mask } = open
  let raw = first
  let definitions = parseDefinitions(raw, mask)
  const takeTools = (tools: readonly unknown[]) => {
    raw = tools
    definitions = parseDefinitions(raw, mask)
    open.onListing(definitions)
  }
  followChanges(open, takeTools)
  return {
    era: getEra(open),
    definitions: () => definitions,
    ending: open.ending,
    close: open.close,
    call: (tool, input, signal) => callTool(open, { tool, input, raw, signal }),
  }
}

const getEra = ({ client, era, mask }: Open): Era => {
  const discover = mask.value(client.getDiscoverResult()) as ReturnType<typeof client.getDiscoverResult>
  if (era?.kind === 'sse') return era
  return discover && client.getProtocolEra() === 'modern' ? { kind: 'modern', discover } : { kind: 'legacy' }
}

/** Min ms between two listings, however often the server reports changes. */
const listingPauseMs = 1000

const followChanges = (
  { client, limits, signal, library, transport }: Open,
  takeTools: (tools: readonly unknown[]) => void,
) => {
  let isGoing = false
  let isAsked = false
  const relist = async () => {
    while (isAsked) {
      isAsked = false
      takeTools(await listTools(client, { timeout: limits.start, signal }))
      await new Promise((resolve) => setTimeout(resolve, listingPauseMs))
    }
  }
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    isAsked = true
    if (isGoing) return
    isGoing = true
    void relist()
      .catch(() => undefined)
      .finally(() => {
        isGoing = false
      })
  })
  client.onerror = (error) => {
    // The client would reconnect the stream without the server's session.
    if (error instanceof library.SseError) void transport.close().catch(() => undefined)
  }
  if (client.getProtocolEra() === 'modern' && client.getServerCapabilities()?.tools?.listChanged)
    client.listen({ toolsListChanged: true }, { timeout: limits.start, signal }).catch(() => undefined)
}

interface Call {
  readonly tool: string
  readonly input: unknown
  /** The unmodified definitions, because some arguments may have to be sent as headers. */
  readonly raw: readonly unknown[]
  readonly signal: AbortSignal
}

const callTool = (open: Open, call: Call): Promise<CallResult> => {
  const attributes = {
    'mcp.method.name': 'tools/call',
    'network.transport': open.config.transport === 'stdio' ? 'pipe' : 'tcp',
  } as const
  return inSpan({ name: 'tools/call', kind: 'client', attributes }, () => callUntraced(open, call))
}

/** Servers on the internet do not learn the ids of a trace. */
const toMeta = (config: ServerConfig) => {
  const isKnown = config.transport === 'stdio' || getZone(config.url) !== 'internet'
  const { traceparent, tracestate } = isKnown ? traceHeaders() : {}
  return traceparent ? { _meta: { traceparent, ...(tracestate && { tracestate }) } } : {}
}

const callUntraced = async (open: Open, { tool, input, raw, signal }: Call): Promise<CallResult> => {
  const { client, limits, mask, library } = open
  if (signal.aborted) throw new ServerTrouble('The call was cut before it was made.', 'cut')
  const ending = new AbortController()
  // The server receives this reason.
  const abort = () => ending.abort('cancelled')
  signal.addEventListener('abort', abort, { once: true })
  let isLate = false
  const callTimer = setTimeout(() => {
    isLate = true
    abort()
  }, limits.whole)
  try {
    const definition = client.getProtocolEra() === 'modern' ? findHeadedTool(raw, tool) : undefined
    const result = await client.callTool(
      { name: tool, arguments: toFields(input), ...toMeta(open.config) },
      {
        signal: ending.signal,
        timeout: limits.silence,
        maxTotalTimeout: limits.whole,
        resetTimeoutOnProgress: true,
        onprogress: () => undefined,
        ...(definition && { toolDefinition: definition }),
      },
    )
    return toCallResult(result, mask)
  } catch (error) {
    if (signal.aborted) throw new ServerTrouble('The call was cut.', 'cut', { sent: true })
    if (isLate)
      throw new ServerTrouble(`The call took longer than ${limits.whole / 1000} s.`, 'timeout', {
        sent: true,
      })
    const isClosed = error instanceof library.SdkError && error.code === library.SdkErrorCode.ConnectionClosed
    if (isClosed) await open.ending
    throw (await widenScopes(open, error)) ?? open.explain(error, true)
  } finally {
    clearTimeout(callTimer)
    signal.removeEventListener('abort', abort)
  }
}

const toFields = (input: unknown): Record<string, unknown> => {
  if (isObject(input)) return { ...input }
  if (input === undefined || input === null) return {}
  throw new ServerTrouble('A tool is called with an object of named values.', 'refused')
}

const Headed = z.looseObject({ name: z.string(), inputSchema: z.looseObject({ type: z.literal('object') }) })

const findHeadedTool = (raw: readonly unknown[], tool: string) => {
  const match = raw
    .map((definition) => Headed.safeParse(definition).data)
    .find((definition) => definition?.name === tool)
  return match && { name: match.name, inputSchema: match.inputSchema as { type: 'object' } }
}

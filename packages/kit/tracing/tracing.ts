/**
 * Spans of OpenTelemetry traces. Tracing belongs to the process: as a dependency it would have to pass
 * through every function that makes a call. Until `switchOn` is called, each function here returns after one
 * check.
 */

/**
 * All attributes that a span can have. The list is closed, so that no text of a conversation and no secret
 * gets into a trace: names, numbers and codes only. Names without `daimon.` are semantic conventions of
 * OpenTelemetry.
 */
export interface SpanAttributes {
  readonly 'http.request.method'?: string
  /** The template, never the path. */
  readonly 'http.route'?: string
  readonly 'http.response.status_code'?: number
  /** Only of this machine and private networks. */
  readonly 'server.address'?: string
  readonly 'server.port'?: number
  readonly 'error.type'?: string
  readonly 'gen_ai.operation.name'?: 'chat' | 'generate_content' | 'invoke_agent' | 'execute_tool'
  readonly 'gen_ai.agent.id'?: string
  readonly 'gen_ai.provider.name'?: string
  readonly 'gen_ai.request.model'?: string
  readonly 'gen_ai.usage.input_tokens'?: number
  readonly 'gen_ai.usage.output_tokens'?: number
  readonly 'gen_ai.usage.cache_read.input_tokens'?: number
  readonly 'gen_ai.usage.cache_creation.input_tokens'?: number
  readonly 'gen_ai.tool.name'?: string
  readonly 'gen_ai.tool.type'?: 'function' | 'extension'
  readonly 'mcp.method.name'?: string
  readonly 'network.transport'?: 'pipe' | 'tcp'
  readonly 'messaging.system'?: 'nats'
  readonly 'messaging.operation.type'?: 'send' | 'receive'
  /** Which organ of the persona a model serves, such as `thinking`. */
  readonly 'daimon.organ'?: string
  readonly 'daimon.command'?: string
  readonly 'daimon.author'?: string
  readonly 'daimon.persona.id'?: string
  /** Sequence number of the fact that began the turn. */
  readonly 'daimon.turn'?: number
  readonly 'daimon.append.facts'?: number
  /** Number of commands that one write to the disk stores. */
  readonly 'daimon.append.commands'?: number
  readonly 'daimon.append.bytes'?: number
}

export interface SpanOptions {
  /** Few different names: a template or a type, never an id. */
  readonly name: string
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly attributes?: SpanAttributes
  /** Default: the current span. Null starts a trace. */
  readonly parent?: Place | null
  readonly links?: readonly Place[]
}

/** A span of this or another process, as a parent or a link of other spans. */
export interface Place {
  readonly traceId: string
  readonly spanId: string
}

export interface Span {
  /** Undefined if tracing is off. */
  readonly place: Place | undefined
  set(attributes: SpanAttributes): void
  rename(name: string): void
  /** `error`: an error, of which only the kind is recorded, or its kind. Later calls do nothing. */
  end(error?: unknown): void
}

/** The headers of W3C Trace Context, also used in `_meta` of the Model Context Protocol. */
export interface TraceHeaders {
  readonly traceparent?: string
  readonly tracestate?: string
}

export interface Tracing {
  start(options: SpanOptions): Span
  within<T>(place: Place | null, work: () => T): T
  current(): Place | undefined
  /** Returns undefined if the headers are invalid. */
  read(headers: TraceHeaders): Place | undefined
  write(place: Place): TraceHeaders
}

let tracing: Tracing | null = null

/** Switches tracing on. Returns a function that switches it off, unless it was switched on again since. */
export const switchOn = (newTracing: Tracing): (() => void) => {
  tracing = newTracing
  return () => {
    if (tracing === newTracing) tracing = null
  }
}

/** For places where even the arguments of `inSpan` would cost too much. */
export const isTracing = (): boolean => tracing !== null

/** Stands for a span where nothing is traced. */
export const noSpan: Span = { place: undefined, set: () => {}, rename: () => {}, end: () => {} }

/** The caller must end the span. */
export const startSpan = (options: SpanOptions): Span => tracing?.start(options) ?? noSpan

/** Runs `work` in a span, which ends with it: after its promise if it returns one. */
export const inSpan = <T>(options: SpanOptions, work: (span: Span) => T): T => {
  if (tracing === null) return work(noSpan)
  const span = tracing.start(options)
  try {
    const result = tracing.within(span.place ?? null, () => work(span))
    if (result instanceof Promise) return endAfter(result, span) as T
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

const endAfter = async <T>(result: Promise<T>, span: Span): Promise<T> => {
  try {
    const value = await result
    span.end()
    return value
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Runs `work` below another span than the current one. Null: outside of all traces. */
export const runWithin = <T>(place: Place | null | undefined, work: () => T): T =>
  tracing === null ? work() : tracing.within(place ?? null, work)

/** Returns the current span, or undefined if there is none or tracing is off. */
export const currentPlace = (): Place | undefined => tracing?.current()

/** Returns the headers that make another process continue the current trace. */
export const traceHeaders = (): TraceHeaders => {
  const place = tracing?.current()
  return tracing && place ? tracing.write(place) : {}
}

/** Returns the caller's span, or undefined if the headers name none. */
export const readTraceHeaders = (headers: Readonly<Record<string, unknown>>): Place | undefined => {
  const { traceparent, tracestate } = headers
  if (tracing === null || typeof traceparent !== 'string') return undefined
  return tracing.read({ traceparent, ...(typeof tracestate === 'string' && { tracestate }) })
}

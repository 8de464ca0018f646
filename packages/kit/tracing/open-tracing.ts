/**
 * Switches tracing on with the SDK of OpenTelemetry. Loaded only if a collector is configured. Spans are sent
 * in batches from a bounded queue: a collector that is slow or does not answer costs spans, never time.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { DiscreetLog } from '../log.ts'
import { createNetwork } from '../network/network.ts'
import { version } from '../version.ts'
import { createOtlpExporter } from './otlp-exporter.ts'
import type { OtlpSettings } from './otlp-settings.ts'
import { noSpan, type Place, type SpanAttributes, switchOn, type Tracing } from './tracing.ts'

interface TracingDeps {
  readonly settings: OtlpSettings
  readonly log: Pick<DiscreetLog, 'warn' | 'info' | 'hide' | 'mask'>
  /** Source of the proxy settings. */
  readonly env: NodeJS.ProcessEnv
}

/** Max ms in which the last spans are sent at a stop. */
const maxFlushMs = 3000
const maxAnswerBytes = 1024 * 1024

export const openTracing = ({ settings, log, env }: TracingDeps): { close(): Promise<void> } => {
  for (const value of Object.values(settings.headers))
    for (const word of [value, ...value.split(/[\s=]+/)]) log.hide(word)
  const { timeoutMs } = settings
  const network = createNetwork({
    env,
    limits: { remote: { firstByte: timeoutMs, silence: timeoutMs, whole: timeoutMs, size: maxAnswerBytes } },
  })
  const stop = new AbortController()
  const exporter = createOtlpExporter({
    settings,
    // Outside of all traces, or sending spans would create spans.
    send: (...request) => places.run(untracedPlace, () => network.remote(...request)),
    onOutcome: createOutcomeLog(log),
    stopSignal: stop.signal,
  })
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        ...settings.resource,
        'service.name': settings.serviceName,
        'service.version': version,
      }),
    ),
    sampler: createSampler(settings),
    spanLimits: { attributeValueLengthLimit: maxTextLength, linkCountLimit: maxLinks },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: settings.maxQueue,
        maxExportBatchSize: settings.maxBatch,
        scheduledDelayMillis: settings.delayMs,
        // The exporter ends by itself before.
        exportTimeoutMillis: settings.timeoutMs + 1000,
      }),
    ],
  })
  const switchOff = switchOn(createTracing(provider, log.mask))
  return {
    close: async () => {
      switchOff()
      const timer = setTimeout(() => stop.abort(new Error('the daemon stopped before')), maxFlushMs)
      await provider.shutdown().catch(() => undefined)
      clearTimeout(timer)
      await network.close()
    },
  }
}

/** Logs when the collector stops answering and when it answers again, not each lost batch. */
const createOutcomeLog = (log: TracingDeps['log']) => {
  let hasFailed = false
  return (failure: string | null): void => {
    if (hasFailed === (failure !== null)) return
    hasFailed = failure !== null
    if (failure === null) log.info({}, 'the collector accepts traces again')
    else log.warn({}, `traces are lost, because the collector does not accept them: ${failure}`)
  }
}

const createSampler = ({ sampler, ratio }: OtlpSettings): Sampler => {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio)
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root
}

interface LocalPlace extends Place {
  readonly context: Context
  /** When the span ended. Null while it runs, and for spans of other processes. */
  endedAt: number | null
}

/** The current span of each asynchronous call chain. */
const places = new AsyncLocalStorage<LocalPlace | typeof untracedPlace | undefined>()
const untracedPlace = 'untraced'

/** Max characters of an attribute, and max links of a span. */
const maxTextLength = 200
const maxLinks = 16

/**
 * In ms. A span that starts later after the end of its parent begins a trace of its own with a link: timers
 * and loops still have the context in which they were started, perhaps weeks ago.
 */
const lateAfterMs = 1000

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

const createTracing = (provider: TracerProvider, mask: (text: string) => string): Tracing => {
  const tracer = provider.getTracer('daimon', version)
  const propagator = new W3CTraceContextPropagator()
  const getCurrent = () => {
    const place = places.getStore()
    return place === untracedPlace ? undefined : place
  }
  const maskAll = (attributes: SpanAttributes) =>
    Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        typeof value === 'string' ? mask(value) : value,
      ]),
    )
  return {
    start: ({ name, kind = 'internal', attributes = {}, parent = getCurrent(), links = [] }) => {
      if (places.getStore() === untracedPlace) return noSpan
      const parentPlace = parent as LocalPlace | null | undefined
      const isLate = parentPlace != null && isLongOver(parentPlace)
      const linked = (isLate ? [parentPlace, ...links] : links) as readonly LocalPlace[]
      const context = isLate || !parentPlace ? ROOT_CONTEXT : parentPlace.context
      const span = tracer.startSpan(
        mask(name),
        { kind: kinds[kind], attributes: maskAll(attributes), links: linked.slice(0, maxLinks).map(toLink) },
        context,
      )
      const { traceId, spanId } = span.spanContext()
      const place: LocalPlace = { traceId, spanId, context: trace.setSpan(context, span), endedAt: null }
      return {
        place,
        set: (more) => void span.setAttributes(maskAll(more)),
        rename: (newName) => void span.updateName(mask(newName)),
        end: (error) => {
          if (place.endedAt !== null) return
          place.endedAt = performance.now()
          if (error !== undefined) {
            span.setAttribute('error.type', getErrorType(error))
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
    },
    within: (place, work) =>
      places.getStore() === untracedPlace ? work() : places.run((place ?? undefined) as LocalPlace, work),
    current: getCurrent,
    read: (headers) => {
      const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      const remote = trace.getSpanContext(context)
      return remote && ({ ...remote, context, endedAt: null } as LocalPlace)
    },
    write: (place) => {
      const headers = {}
      propagator.inject((place as LocalPlace).context, headers, defaultTextMapSetter)
      return headers
    },
  }
}

const isLongOver = ({ endedAt }: LocalPlace): boolean =>
  endedAt !== null && performance.now() - endedAt > lateAfterMs

const toLink = ({ context }: LocalPlace): Link => ({
  context: trace.getSpanContext(context) ?? { traceId: '', spanId: '', traceFlags: 0 },
})

/** Returns a code or the name of a class, never a message. */
const getErrorType = (error: unknown): string => {
  if (typeof error === 'string') return toCode(error) ?? 'error'
  if (typeof error !== 'object' || error === null) return 'error'
  const { refusal, failed, kind, code, name } = error as Readonly<Record<string, unknown>>
  const inner = (refusal ?? failed ?? {}) as Readonly<Record<string, unknown>>
  const candidates = [inner.code, inner.kind, kind, code, name].map(toCode)
  return candidates.find((candidate) => candidate !== undefined) ?? 'error'
}

const toCode = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\w{1,60}$/.test(value) ? value : undefined

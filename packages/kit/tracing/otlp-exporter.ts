/** Sends spans to a collector with OTLP over HTTP, as JSON. Source: opentelemetry.io/docs/specs/otlp. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Attributes, HrTime } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { eitherAborts } from '../flow/abort-signals.ts'
import { type Backoff, pauseAfter } from '../flow/backoff.ts'
import type { Fetch } from '../network/network.ts'
import type { OtlpSettings } from './otlp-settings.ts'

interface ExporterDeps {
  readonly settings: Pick<OtlpSettings, 'endpoint' | 'headers' | 'timeoutMs'>
  readonly send: Fetch
  /** Called after each batch: with null, or with a clause that says why it was lost. Must not throw. */
  readonly onOutcome: (failure: string | null) => void
  /** Ends the requests that are still running. */
  readonly stopSignal: AbortSignal
}

const backoff: Backoff = { first: 500, longest: 5000 }
const retriedStatuses = [429, 502, 503, 504]

export const createOtlpExporter = (deps: ExporterDeps): SpanExporter => {
  const tasks = new Set<Promise<void>>()
  let isClosing = false
  const send = async (spans: readonly ReadableSpan[]): Promise<ExportResult> => {
    try {
      const body = JSON.stringify(toRequest(spans))
      const timeLimit = AbortSignal.timeout(deps.settings.timeoutMs)
      await eitherAborts([timeLimit, deps.stopSignal], (signal) =>
        sendWithRetries(body, deps, signal, () => isClosing),
      )
      deps.onOutcome(null)
      return { code: ExportResultCode.SUCCESS }
    } catch (error) {
      deps.onOutcome(error instanceof Error ? error.message : 'the request failed')
      return { code: ExportResultCode.FAILED }
    }
  }
  return {
    export: (spans, report) => {
      const task = send(spans).then(report)
      tasks.add(task)
      void task.finally(() => tasks.delete(task))
    },
    shutdown: async () => {
      isClosing = true
      await Promise.allSettled(tasks)
    },
  }
}

const sendWithRetries = async (
  body: string,
  { settings, send }: ExporterDeps,
  signal: AbortSignal,
  isClosing: () => boolean,
): Promise<void> => {
  const headers = { ...settings.headers, 'content-type': 'application/json' }
  for (let failures = 1; ; failures++) {
    const response = await send(settings.endpoint, { method: 'POST', headers, body, signal })
    // Read to the end, so that the connection can be used again.
    await response.arrayBuffer()
    if (response.ok) return
    if (isClosing() || !retriedStatuses.includes(response.status))
      throw new Error(`it answered with status ${response.status}`)
    const seconds = /^\d{1,4}$/.exec(response.headers.get('retry-after') ?? '')?.[0]
    const pause = seconds === undefined ? pauseAfter(failures, backoff) : Number(seconds) * 1000
    await delay(pause, undefined, { signal })
  }
}

const toRequest = (spans: readonly ReadableSpan[]) => {
  const [first] = spans
  if (!first) return { resourceSpans: [] }
  // One tracer creates all spans, so they share their resource and scope.
  const { name, version } = first.instrumentationScope
  return {
    resourceSpans: [
      {
        resource: { attributes: toPairs(first.resource.attributes) },
        scopeSpans: [{ scope: { name, version }, spans: spans.map(toSpan) }],
      },
    ],
  }
}

const toSpan = (span: ReadableSpan) => {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  const state = traceState?.serialize()
  return {
    traceId,
    spanId,
    ...(state && { traceState: state }),
    ...(span.parentSpanContext && { parentSpanId: span.parentSpanContext.spanId }),
    flags: traceFlags,
    name: span.name,
    // Zero means unspecified in OTLP.
    kind: span.kind + 1,
    startTimeUnixNano: toNanoseconds(span.startTime),
    endTimeUnixNano: toNanoseconds(span.endTime),
    attributes: toPairs(span.attributes),
    links: span.links.map(({ context }) => ({ traceId: context.traceId, spanId: context.spanId })),
    status: { code: span.status.code },
  }
}

/** A string, because a number of JSON cannot hold 64 bits. */
const toNanoseconds = ([seconds, nanoseconds]: HrTime): string =>
  `${seconds}${String(nanoseconds).padStart(9, '0')}`

const toPairs = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }))

const toValue = (value: Attributes[string]) => {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { stringValue: String(value) }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

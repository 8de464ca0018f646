/** A stand-in for a collector of OpenTelemetry: OTLP over HTTP with JSON, on a real socket. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** 0 unset, 2 error. */
  readonly status: { readonly code: number }
}

export interface Collector {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** The bodies of all requests. */
  readonly bodies: string[]
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** The attributes of the process that sent the last spans. */
  resource: Readonly<Record<string, string | number>>
  /** Answers a request instead of with 200. Null: normally. */
  fault: ((response: ServerResponse) => void) | null
  close(): Promise<void>
}

export const createCollector = async (port = 0): Promise<Collector> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      collector.requests.push({ path: request.url ?? '', headers: request.headers })
      if (collector.fault) return collector.fault(response)
      const body = Buffer.concat(chunks).toString()
      collector.bodies.push(body)
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        collector.resource = toRecord(resource.attributes)
        for (const { spans } of scopeSpans)
          for (const span of spans) collector.spans.push({ ...span, attributes: toRecord(span.attributes) })
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bodies: [],
    requests: [],
    resource: {},
    fault: null,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return collector
}

type Pair = {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}

const toRecord = (pairs: readonly Pair[]): Readonly<Record<string, string | number>> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))

/** Returns the names of a span and all spans below it, in the order of their start. */
export const toTree = (spans: readonly ReceivedSpan[], span: ReceivedSpan): unknown[] => {
  const children = spans
    .filter(({ parentSpanId }) => parentSpanId === span.spanId)
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
  return [span.name, ...children.map((child) => toTree(spans, child))]
}

/** A daemon that sends traces to a collector, with a scripted model. */
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { type Overrides, startDaemon, type TestDaemon } from '../daemon.ts'
import { ask } from '../http/try.ts'
import { type Collector, createCollector, type ReceivedSpan } from '../stand-ins/collector.ts'
import { type Answer, type ChatRequest, createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'

export interface Traced {
  readonly daemon: TestDaemon
  readonly collector: Collector
  readonly ollama: OllamaStandIn
  readonly logLines: readonly string[]
  /** The answer of the model. */
  answer: (request: ChatRequest) => string | Answer | Promise<string | Answer>
  /** Creates a persona and returns the path of its routes. */
  born(fields?: object): Promise<string>
  post(path: string, body?: unknown, traceparent?: string): Promise<Json>
  get(path: string): Promise<Json>
  /** Stops the daemon, which sends the last spans, and returns all spans. */
  stop(): Promise<readonly ReceivedSpan[]>
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert the bodies
type Json = any

export const startTraced = async ({ env = {}, ...overrides }: Overrides = {}): Promise<Traced> => {
  const collector = await createCollector()
  const ollama = await createOllama({ answer: (request) => traced.answer(request) })
  const logLines: string[] = []
  const daemon = await startDaemon({
    random: () => 0,
    logTo: (line) => void logLines.push(line),
    ...overrides,
    env: {
      OLLAMA_BASE_URL: ollama.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // The queue holds all spans of a test, which are sent at the stop.
      OTEL_BSP_SCHEDULE_DELAY: '600000',
      ...env,
    },
  })
  const post: Traced['post'] = async (path, body = {}, traceparent) => {
    const headers = { 'content-type': 'application/json', ...(traceparent && { traceparent }) }
    const reply = await ask(daemon.port, { method: 'POST', path, headers, body: JSON.stringify(body) })
    assert.is(reply.status, 200, reply.text)
    return JSON.parse(reply.text)
  }
  const traced: Traced = {
    daemon,
    collector,
    ollama,
    logLines,
    answer: () => 'ok',
    born: async (fields = {}) => {
      const { persona } = await post('/api/persona/create', {
        name: 'Ada',
        thinking_model: 'llama3',
        ...fields,
      })
      return `/api/persona/${persona.id}`
    },
    post,
    get: async (path) => (await call(daemon.url, 'GET', path)).body,
    stop: async () => {
      await daemon.close()
      await ollama.close()
      await collector.close()
      return collector.spans
    },
  }
  return traced
}

export const clientTrace = '0af7651916cd43dd8448eb211c80319c'
export const clientSpan = 'b7ad6b7169203331'
export const traceparent = `00-${clientTrace}-${clientSpan}-01`

/** Traces of a daemon, received by a collector over a real socket. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { ask } from '../http/try.ts'
import { createCollector, toTree } from '../stand-ins/collector.ts'
import { createOllama } from '../stand-ins/ollama.ts'

const clientTrace = '0af7651916cd43dd8448eb211c80319c'
const clientSpan = 'b7ad6b7169203331'

test('one trace: request, command, append, publish, turn, model call and tool', async () => {
  const collector = await createCollector()
  let answers = 0
  const ollama = await createOllama({
    answer: () =>
      answers++ === 0
        ? { calls: [{ name: 'recall', arguments: { query: 'river' } }] }
        : { content: 'By the river.' },
  })
  const daemon = await startDaemon({
    random: () => 0,
    env: { OLLAMA_BASE_URL: ollama.url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'llama3' })
  const { id } = body.persona
  answers = 0
  const reply = await ask(daemon.port, {
    method: 'POST',
    path: `/api/persona/${id}/read?wait=20`,
    headers: {
      'content-type': 'application/json',
      traceparent: `00-${clientTrace}-${clientSpan}-01`,
    },
    body: JSON.stringify({ message: 'Where do I walk?' }),
  })
  assert.is(reply.status, 200)
  await daemon.close()
  await ollama.close()
  await collector.close()
  const spans = collector.spans.filter(({ traceId }) => traceId === clientTrace)
  const root = spans.find(({ parentSpanId }) => parentSpanId === clientSpan)
  assert.ok(root)
  console.log(JSON.stringify(toTree(spans, root), null, 1))
  console.log(JSON.stringify(collector.spans.map(({ name, attributes, links }) => [name, attributes, links]), null, 0).slice(0, 6000))
  console.log(collector.resource, JSON.stringify([...new Set(collector.spans.map(({traceId})=>traceId))].length))
})

test.run()

/** A collector that is slow, broken or absent costs spans, never an answer, and not the stop. */
import type { ServerResponse } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { createCollector } from '../stand-ins/collector.ts'
import { startTraced, traceparent } from './setup.ts'

const lossWarnings = (lines: readonly string[]) => lines.filter((line) => line.includes('traces are lost'))

const faults: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['answers 401', (response) => response.writeHead(401).end()],
  ['answers 503 for hours', (response) => response.writeHead(503, { 'retry-after': '3600' }).end()],
  ['redirects', (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()],
  ['never answers', () => {}],
  ['cuts the connection', (response) => response.destroy()],
  [
    'sends without end',
    (response) => {
      const send = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', send)
      send()
    },
  ],
]

// Fails if a span or the stop waits for the collector, or if an error of the exporter reaches the process.
for (const [name, fault] of faults)
  test(`the daemon answers and stops while the collector ${name}`, async () => {
    const traced = await startTraced({
      env: { OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_EXPORTER_OTLP_TIMEOUT: '60000' },
    })
    traced.collector.fault = fault
    const path = await traced.born()
    const { reply } = await traced.post(`${path}/read?wait=20`, { message: 'Hello' }, traceparent)
    assert.is(reply.content, 'ok')
    await waitFor('a request to the collector', () => traced.collector.requests.length > 0)
    const start = performance.now()
    await traced.stop()
    // 3 s for the last spans.
    assert.ok(performance.now() - start < 8000)
    assert.is(lossWarnings(traced.logLines).length, 1)
  })

test('the daemon answers and stops without a collector', async () => {
  const absent = await createCollector()
  await absent.close()
  const traced = await startTraced({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: absent.url, OTEL_BSP_SCHEDULE_DELAY: '20' },
  })
  const path = await traced.born()
  const { reply } = await traced.post(`${path}/read?wait=20`, { message: 'Hello' })
  assert.is(reply.content, 'ok')
  await waitFor('a warning', () => lossWarnings(traced.logLines).length === 1)
  await traced.stop()
  assert.match(lossWarnings(traced.logLines)[0] ?? '', 'nothing answers there')
})

// Fails if the exporter gives up after its first error.
test('sends spans again when the collector recovers, and logs it', async () => {
  const traced = await startTraced({ env: { OTEL_BSP_SCHEDULE_DELAY: '20' } })
  traced.collector.fault = (response) => response.writeHead(400).end()
  await traced.born()
  await waitFor('a warning', () => lossWarnings(traced.logLines).length === 1)
  traced.collector.fault = null
  await traced.get('/api/personas')
  await waitFor('spans', () => traced.collector.spans.length > 0)
  await waitFor('the end of the warning', () =>
    traced.logLines.some((line) => line.includes('accepts traces again')),
  )
  await traced.stop()
})

test('retries a batch that the collector could not accept for a moment', async () => {
  const traced = await startTraced({ env: { OTEL_BSP_SCHEDULE_DELAY: '20' } })
  let refused = 0
  traced.collector.fault = (response) => {
    refused++
    traced.collector.fault = null
    response.writeHead(503).end()
  }
  await traced.get('/api/personas')
  await waitFor('the span', () => traced.collector.spans.some(({ name }) => name === 'GET /api/personas'))
  assert.is(refused, 1)
  await traced.stop()
  assert.is(lossWarnings(traced.logLines).length, 0)
})

// Fails if spans pile up in memory.
test('drops spans above the size of the queue', async () => {
  const traced = await startTraced({ env: { OTEL_BSP_MAX_QUEUE_SIZE: '10' } })
  const hanging: ServerResponse[] = []
  traced.collector.fault = (response) => void hanging.push(response)
  for (let n = 0; n < 60; n++) await traced.get('/api/personas')
  assert.is(hanging.length, 1)
  traced.collector.fault = null
  hanging[0]?.destroy()
  // Those that waited when the daemon stopped, besides the batch that was cut.
  assert.is((await traced.stop()).length, 10)
})

test.run()

/** Tracing that is off loads nothing of OpenTelemetry and changes no request. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  currentPlace,
  inSpan,
  isTracing,
  readTraceHeaders,
  startSpan,
  traceHeaders,
} from '../../packages/kit/tracing/tracing.ts'
import { startTraced, traceparent } from './setup.ts'

const variants: readonly (readonly [string, NodeJS.ProcessEnv])[] = [
  ['no endpoint is set', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['OTEL_SDK_DISABLED is true', { OTEL_SDK_DISABLED: 'true' }],
  ['OTEL_TRACES_EXPORTER is none', { OTEL_TRACES_EXPORTER: 'none' }],
]

for (const [name, env] of variants)
  test(`sends nothing if ${name}`, async () => {
    const traced = await startTraced({ env })
    assert.is(isTracing(), false)
    const path = await traced.born()
    await traced.post(`${path}/read?wait=20`, { message: 'Hello' }, traceparent)
    await traced.stop()
    assert.is(traced.collector.requests.length, 0)
    assert.ok(traced.ollama.calls('/api/chat').every(({ traceparent: sent }) => sent === undefined))
    assert.not.match(traced.logLines.join(''), 'trace_id')
  })

test('functions do nothing', () => {
  assert.is(currentPlace(), undefined)
  assert.equal(traceHeaders(), {})
  assert.is(readTraceHeaders({ traceparent }), undefined)
  assert.is(startSpan({ name: 'x' }).place, undefined)
  assert.is(
    inSpan({ name: 'x' }, ({ place }) => place),
    undefined,
  )
})

test.run()

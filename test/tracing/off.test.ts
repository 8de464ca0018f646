/** Tracing that is off loads nothing of OpenTelemetry and changes no request. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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

test('a daemon without a collector does not load the SDK', async () => {
  const loaded = `Object.keys((await import('node:module')).default._cache).filter((path) => path.includes('@opentelemetry/sdk')).length`
  const script = `
    const { startDaemon } = await import('./test/daemon.ts')
    const { close, url } = await startDaemon()
    await fetch(url + '/metrics')
    await close()
    const before = ${loaded}
    await import('./packages/kit/tracing/open-tracing.ts')
    console.log(before, ${loaded} > 0)
    process.exit(0)`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)) },
  )
  assert.is(stdout.trim(), '0 true')
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

/** The standard variables of OpenTelemetry. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { InvalidOtlpSetting, readOtlpSettings } from '../tracing/otlp-settings.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }

const getReason = (env: NodeJS.ProcessEnv): string => {
  try {
    readOtlpSettings({ ...endpoint, ...env })
    return ''
  } catch (error) {
    assert.instance(error, InvalidOtlpSetting)
    return (error as Error).message
  }
}

test('is off without an endpoint, and if the SDK or the exporter is switched off', () => {
  assert.is(readOtlpSettings({}), null)
  assert.is(readOtlpSettings({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'nonsense' }), null)
  assert.is(readOtlpSettings({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }), null)
  assert.is(readOtlpSettings({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }), null)
})

test('has the defaults of the specification', () => {
  assert.equal(readOtlpSettings(endpoint), {
    endpoint: 'http://localhost:4318/v1/traces',
    headers: {},
    timeoutMs: 10_000,
    serviceName: 'daimon',
    resource: {},
    sampler: 'parentbased_always_on',
    ratio: 1,
    maxQueue: 2048,
    maxBatch: 512,
    delayMs: 5000,
  })
})

test('prefers the variables for traces', () => {
  const settings = readOtlpSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a/',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b/own',
    OTEL_EXPORTER_OTLP_HEADERS: 'A=1, b = x%2Cy=',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=2',
    OTEL_EXPORTER_OTLP_TIMEOUT: '5',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '7',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=x,room=a%20b',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
  })
  assert.equal(
    [settings?.endpoint, settings?.headers, settings?.timeoutMs, settings?.serviceName, settings?.resource],
    ['https://b/own', { a: '2', b: 'x,y=' }, 7, 'x', { room: 'a b' }],
  )
  assert.equal([settings?.ratio, settings?.maxBatch], [0.25, 100])
  assert.is(
    readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a/b/' })?.endpoint,
    'http://a/b/v1/traces',
  )
})

const invalid: Readonly<Record<string, readonly string[]>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: ['localhost:4318', 'grpc://x', 'http://x?key=hunter2', 'http://u:hunter2@x'],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['x', 'http://x#a'],
  OTEL_EXPORTER_OTLP_HEADERS: ['hunter2', '=hunter2', 'a b=hunter2', 'a=%hunter2', 'a=hunter2%0A'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['grpc', 'x'],
  OTEL_TRACES_EXPORTER: ['console', 'zipkin'],
  OTEL_TRACES_SAMPLER: ['sometimes'],
  OTEL_EXPORTER_OTLP_TIMEOUT: ['0', '-1', '1.5', 'x'],
  OTEL_BSP_SCHEDULE_DELAY: ['0', 'soon'],
  OTEL_BSP_MAX_QUEUE_SIZE: ['many'],
}

for (const [name, values] of Object.entries(invalid))
  test(`${name} that is invalid is refused by name, and never quoted if it may hold a key`, () => {
    for (const value of values) {
      const reason = getReason({ [name]: value })
      assert.match(reason, new RegExp(`^${name} must [^\\n]+$`), value)
      assert.not.match(reason, 'hunter2')
    }
  })

test('the argument of a ratio sampler is a share', () => {
  for (const value of ['1.5', '-0.1', 'x'])
    assert.match(
      getReason({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: value }),
      /^OTEL_TRACES_SAMPLER_ARG must /,
    )
  assert.is(getReason({ OTEL_TRACES_SAMPLER_ARG: 'ignored by other samplers' }), '')
})

test.run()

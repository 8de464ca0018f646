/** Reads the standard variables of OpenTelemetry that concern traces. */

export interface OtlpSettings {
  /** Where traces are sent with POST. */
  readonly endpoint: string
  /** A secret: they usually hold the key of the collector. */
  readonly headers: Readonly<Record<string, string>>
  /** Limit in ms for one batch, with its retries. */
  readonly timeoutMs: number
  readonly serviceName: string
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  /** Share of the traces that a ratio sampler records, 0 to 1. */
  readonly ratio: number
  /** Max spans that wait for the collector. More are dropped. */
  readonly maxQueue: number
  readonly maxBatch: number
  /** In ms, between two batches. */
  readonly delayMs: number
}

const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
type SamplerName = (typeof samplerNames)[number]

/** The message is one line for the user. It never quotes a header. */
export class InvalidOtlpSetting extends Error {
  override readonly name = 'InvalidOtlpSetting'
}

/** Returns null if tracing is off. Throws InvalidOtlpSetting. */
export const readOtlpSettings = (env: NodeJS.ProcessEnv): OtlpSettings | null => {
  const endpoint = readEndpoint(env)
  if (endpoint === null || env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return null
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() || 'otlp'
  if (exporter === 'none') return null
  if (exporter !== 'otlp') throw new InvalidOtlpSetting('OTEL_TRACES_EXPORTER must be otlp or none')
  checkProtocol(env)
  const { 'service.name': ownName = 'daimon', ...resource } = Object.fromEntries(
    readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES'),
  )
  const sampler = readSampler(env)
  const maxQueue = readNumber(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2048)
  return {
    endpoint,
    headers: readHeaders(env),
    timeoutMs: readNumber(env, env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ? tracesTimeout : anyTimeout, 10_000),
    serviceName: env.OTEL_SERVICE_NAME?.trim() || ownName,
    resource,
    sampler,
    ratio: readRatio(env, sampler),
    maxQueue,
    maxBatch: Math.min(maxQueue, readNumber(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512)),
    delayMs: readNumber(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000),
  }
}

const tracesTimeout = 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'
const anyTimeout = 'OTEL_EXPORTER_OTLP_TIMEOUT'

/** The variable for traces names the whole address; the one for all signals only its beginning. */
const readEndpoint = (env: NodeJS.ProcessEnv): string | null => {
  const address = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim()
  if (address) return checkAddress(address, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim()
  if (!base) return null
  return `${checkAddress(base, 'OTEL_EXPORTER_OTLP_ENDPOINT').replace(/\/$/, '')}/v1/traces`
}

const checkAddress = (address: string, name: string): string => {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.hash !== '' || url.search !== '')
    throw new InvalidOtlpSetting(
      `${name} must be an http or https address without a query, as http://localhost:4318`,
    )
  if (url.username !== '' || url.password !== '')
    throw new InvalidOtlpSetting(
      `${name} must not hold a name or password: give them as OTEL_EXPORTER_OTLP_HEADERS`,
    )
  return address
}

/** Spans are sent as JSON. A receiver for `http/protobuf` also accepts JSON at the same address. */
const checkProtocol = (env: NodeJS.ProcessEnv): void => {
  const name = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?.trim()
    ? 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
    : 'OTEL_EXPORTER_OTLP_PROTOCOL'
  const protocol = env[name]?.trim() || 'http/json'
  if (protocol === 'http/json' || protocol === 'http/protobuf') return
  throw new InvalidOtlpSetting(`${name} must be http/json or http/protobuf: traces are sent over HTTP`)
}

/** Headers for traces replace those for all signals of the same name. */
const readHeaders = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'].flatMap((name) =>
      readPairs(env, name).map(([key, value]): [string, string] => {
        if (/^[\w!#$%&'*+.^`|~-]+$/.test(key) && /^[\x20-\x7e]*$/.test(value))
          return [key.toLowerCase(), value]
        throw new InvalidOtlpSetting(pairsExpected(name))
      }),
    ),
  )

/** Reads `name=value,name=value`, with percent-encoded values. */
const readPairs = (env: NodeJS.ProcessEnv, name: string): readonly (readonly [string, string])[] =>
  (env[name] ?? '')
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const [key = '', ...rest] = pair.split('=')
      try {
        if (key.trim() !== '' && rest.length > 0)
          return [key.trim(), decodeURIComponent(rest.join('=').trim())] as const
      } catch {
        // The error below names the variable.
      }
      throw new InvalidOtlpSetting(pairsExpected(name))
    })

const pairsExpected = (name: string) =>
  `${name} must be name=value, several separated by commas, with other characters percent-encoded`

const readSampler = (env: NodeJS.ProcessEnv): SamplerName => {
  const word = env.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on'
  const sampler = samplerNames.find((name) => name === word)
  if (sampler) return sampler
  throw new InvalidOtlpSetting(
    `OTEL_TRACES_SAMPLER must be one of ${samplerNames.join(', ')}, not ${JSON.stringify(word)}`,
  )
}

const readRatio = (env: NodeJS.ProcessEnv, sampler: SamplerName): number => {
  const rawValue = env.OTEL_TRACES_SAMPLER_ARG?.trim()
  if (!rawValue || !sampler.endsWith('traceidratio')) return 1
  const ratio = /^\d(?:\.\d{1,12})?$/.test(rawValue) ? Number(rawValue) : Number.NaN
  if (ratio <= 1) return ratio
  throw new InvalidOtlpSetting(
    `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${JSON.stringify(rawValue)}`,
  )
}

const readNumber = (env: NodeJS.ProcessEnv, name: string, fallback: number): number => {
  const rawValue = env[name]?.trim()
  if (!rawValue) return fallback
  if (/^[1-9]\d{0,7}$/.test(rawValue)) return Number(rawValue)
  throw new InvalidOtlpSetting(
    `${name} must be a whole number from 1 to 99999999, not ${JSON.stringify(rawValue)}`,
  )
}

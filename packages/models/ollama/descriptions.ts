/**
 * Asks a runtime for the description of a model (context window, tools, pictures), once per model.
 */
import { isObject } from '../../kit/is-object.ts'
import type { Fetch } from '../../kit/network/network.ts'
import { isStatus, type Line, type Runtime } from './runtime.ts'

/** Null: unknown. `context` in tokens. */
export interface Description {
  readonly context: number | null
  readonly tools: boolean | null
  readonly images: boolean | null
  readonly parameters: number | null
}

export interface Descriptions {
  /** Rejects only with the signal's reason. Fields that the runtime does not report are null. */
  describe(runtime: Runtime, model: string, signal: AbortSignal): Promise<Description>
  /** Records that the model has refused tools. */
  takesNoTools(runtime: Runtime, model: string): void
  /** Answers from memory, without a request. */
  refusesTools(runtime: Runtime, model: string): boolean
  forget(runtime: Runtime, model: string): void
}

const unknownDescription: Description = { context: null, tools: null, images: null, parameters: null }

interface Deps {
  readonly fetch: Fetch
  /** Timeout of a request in ms. */
  readonly timeout: number
  readonly now: () => number
}

/**
 * Ms for which a runtime that did not answer is not asked again. Otherwise every step would wait for its
 * timeout.
 */
const silence = 30_000

export const createDescriptions = ({ fetch, timeout, now }: Deps): Descriptions => {
  const descriptionsByModel = new Map<string, Description>()
  /** Time of the last request to runtimes that did not answer. */
  const silentSince = new Map<string, number>()
  const key = (runtime: Runtime, model: string) => `${runtime.at} ${withoutLatestTag(model)}`

  const ask = async (
    runtime: Runtime,
    model: string,
    signal: AbortSignal,
  ): Promise<Description | undefined> => {
    // Not AbortSignal.timeout inside AbortSignal.any: Node 20 may collect it before it fires.
    const limit = new AbortController()
    const abort = () => limit.abort(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => limit.abort(), timeout)
    try {
      const [line] = await runtime.all({ path: '/api/show', body: { model }, fetch, signal: limit.signal })
      return line ? read(line) : unknownDescription
    } catch (error) {
      signal.throwIfAborted()
      // A runtime without this route will not have it next time.
      return isStatus(error, 400, 404, 405, 501) ? unknownDescription : undefined
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    describe: async (runtime, model, signal) => {
      const name = key(runtime, model)
      const cachedDescription = descriptionsByModel.get(name)
      if (cachedDescription) return cachedDescription
      if (Math.abs(now() - (silentSince.get(name) ?? Number.NEGATIVE_INFINITY)) < silence)
        return unknownDescription
      const description = await ask(runtime, model, signal)
      if (description) descriptionsByModel.set(name, description)
      else silentSince.set(name, now())
      return description ?? unknownDescription
    },
    takesNoTools: (runtime, model) => {
      descriptionsByModel.set(key(runtime, model), {
        ...(descriptionsByModel.get(key(runtime, model)) ?? unknownDescription),
        tools: false,
      })
    },
    refusesTools: (runtime, model) => descriptionsByModel.get(key(runtime, model))?.tools === false,
    forget: (runtime, model) => {
      descriptionsByModel.delete(key(runtime, model))
      silentSince.delete(key(runtime, model))
    },
  }
}

/** Names with and without `:latest` are the same. */
export const withoutLatestTag = (name: string): string => name.replace(/:latest$/, '')

const read = (line: Line): Description => {
  const { model_info: info, projector_info: projector, capabilities } = line
  const lengths = Object.entries(typeof info === 'object' && info !== null ? info : {})
    .filter(([name, value]) => name.endsWith('.context_length') && typeof value === 'number' && value > 0)
    .map(([, value]) => value as number)
  return {
    context: lengths.length > 0 ? Math.min(...lengths) : null,
    tools: Array.isArray(capabilities) ? capabilities.includes('tools') : null,
    // Older runtimes do not list capabilities, but describe the projector that reads pictures.
    images: Array.isArray(capabilities) ? capabilities.includes('vision') : projector ? true : null,
    parameters: readParameters(line),
  }
}

/** Returns the exact number, or else the rounded one of a text such as `8.0B` or `270M`. */
const readParameters = ({ model_info: info, details }: Line): number | null => {
  const parameterCount = isObject(info) ? info['general.parameter_count'] : null
  if (typeof parameterCount === 'number' && parameterCount > 0) return parameterCount
  const size = isObject(details) ? details.parameter_size : null
  const [, number, unit] = typeof size === 'string' ? (/^(\d+(?:\.\d+)?)([BM])$/.exec(size) ?? []) : []
  return number === undefined ? null : Number(number) * (unit === 'M' ? 1e6 : 1e9)
}

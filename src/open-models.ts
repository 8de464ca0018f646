/** Selects the models of an organ: a provider's, a local runtime's, or the ones inside the daemon. */
import { access } from 'node:fs/promises'
import type { Slot } from '../facts/fact-values.ts'
import type { Log } from '../packages/kit/log.ts'
import { createNetwork, type Network } from '../packages/kit/network/network.ts'
import { getZone } from '../packages/kit/network/zone.ts'
import type { LocalRuntime } from '../packages/local-runtime/local-runtime.ts'
import { trimUrl } from '../packages/models/base-url.ts'
import { firstPrompt } from '../packages/models/first-prompt.ts'
import { type Mind, MindError } from '../packages/models/mind.ts'
import {
  forAPerson,
  isSpokenTo,
  ModelError,
  type Models,
  type OrganAsk,
  type Progress,
} from '../packages/models/models.ts'
import type { LocalSettings } from '../packages/models/ollama/local-settings.ts'
import { createOllama } from '../packages/models/ollama/ollama.ts'
import { takesNothing } from '../packages/models/prompt-files.ts'
import { keyFor } from '../packages/models/providers/environment-keys.ts'
import type { ProviderKeys, ProviderUrls } from '../packages/models/providers/provider-table.ts'
import { type Asked, createCloud } from '../packages/models/providers/providers.ts'
import {
  createServerMemory,
  openServerMemory,
  type ServerMemory,
} from '../packages/models/providers/server-memory.ts'
import type { Ear, Imagination, Mouth, Takes } from '../packages/models/sense-models.ts'
import { embeddedMind, embeddedMinds, embeddedUrl, isEmbedded } from '../packages/practice-mind/minds.ts'

export interface ModelsDeps {
  readonly urls: ProviderUrls
  /** For organs without their own key. */
  readonly keys?: ProviderKeys
  readonly env?: NodeJS.ProcessEnv
  readonly now?: () => number
  readonly network?: Network
  /** Timeout of a probe in ms. */
  readonly probeTimeout?: number
  /** For local models. */
  readonly local?: LocalSettings
  /** Runs model files on this machine, if Ollama does not serve the model. */
  readonly runtime?: LocalRuntime
  /** Returns the file of a local model, or null if none is installed. Without disk access. */
  readonly resolveModel?: (name: string) => string | null
  /** The findings about model servers. Without it they are stored in memory only. */
  readonly memory?: ServerMemory
}

interface FiledModelsDeps extends Omit<ModelsDeps, 'memory'> {
  readonly serversFile: string
  readonly log: Log
}

/** The operations of one organ. */
interface ModelServer {
  prepare(slot: Slot, progress: (p: Progress) => void, signal?: AbortSignal): Promise<void>
  wrap(wrapper: string): Promise<void>
  unwrap(wrapper: string): Promise<void>
  probe(wrapper: string | null, signal?: AbortSignal): Promise<void>
  mind(wrapper: string | null): Mind
  readonly ear: Ear
  readonly mouth: Mouth
  readonly imagination: Imagination
  takes(wrapper: string | null, signal: AbortSignal): Promise<Takes>
  holds(wrapper: string | null, signal: AbortSignal): Promise<number | null>
  parameters(wrapper: string | null, signal: AbortSignal): Promise<number | null>
}

const doNothing = async () => {}

/** Keeps the findings about model servers in a file. */
export const openModels = async ({ serversFile, log, ...deps }: FiledModelsDeps): Promise<Models> => {
  const memory = await openServerMemory({ file: serversFile, log, now: deps.now ?? Date.now })
  return createModels({ ...deps, memory })
}

export const createModels = (deps: ModelsDeps): Models => {
  const {
    urls,
    keys = {},
    env = process.env,
    now = Date.now,
    network = createNetwork({ env }),
    probeTimeout = 10_000,
    local: settings = { context: null, keepAlive: null },
    memory = createServerMemory({ now }),
    runtime,
    resolveModel = () => null,
  } = deps
  const ollama = createOllama({ network, now, probeTimeout, settings })
  const cloud = createCloud({ network, now, probeTimeout, memory })

  const local = (organ: OrganAsk): ModelServer => {
    const { model, url, apiKey, cacheKey } = organ
    const ollamaTarget = { url: trimUrl(url ?? urls.local), apiKey }
    const target: Asked = { provider: null, model, ...ollamaTarget }
    const server: ModelServer = {
      prepare: (slot, progress, signal) => ollama.prepare(slot, ollamaTarget, model, progress, signal),
      wrap: (wrapper) => ollama.wrap(ollamaTarget, model, wrapper),
      unwrap: (wrapper) => ollama.unwrap(ollamaTarget, wrapper),
      probe: (wrapper, signal) => ollama.probe(ollamaTarget, model, wrapper, signal),
      mind: (wrapper) => ollama.mind(ollamaTarget, model, wrapper),
      ear: cloud.ear(target),
      mouth: cloud.mouth(target),
      imagination: cloud.imagination(target),
      takes: (wrapper, signal) => ollama.getAcceptedFiles(ollamaTarget, model, wrapper, signal),
      holds: (wrapper, signal) => ollama.getContextWindow(ollamaTarget, model, wrapper, signal),
      parameters: (wrapper, signal) => ollama.getParameters(ollamaTarget, model, wrapper, signal),
    }
    const path = url === null && runtime ? resolveModel(model) : null
    if (path === null || !runtime) return server
    const options = { model, ...(cacheKey !== undefined && { cacheKey }) }
    const getFile = async (wrapper: string | null): Promise<RuntimeFile | null> => {
      if (!['ready', 'installing'].includes(runtime.state().phase)) return null
      if (
        !isFileName(model) &&
        (await serves(() => ollama.probe(ollamaTarget, model, wrapper, timeoutSignal())))
      )
        return null
      return { runtime, path, options }
    }
    return withRuntime(server, getFile)
  }

  const remote = (provider: NonNullable<OrganAsk['provider']>, organ: OrganAsk): ModelServer => {
    const { model, url, cacheKey } = organ
    const target: Asked = {
      provider,
      model,
      ...(cacheKey !== undefined && { cacheKey }),
      url: trimUrl(url ?? urls[provider]),
      apiKey: keyFor({ ...organ, provider }, keys, urls),
    }
    return {
      prepare: (slot, progress, signal) => forAPerson(() => cloud.prepare(slot, target, progress, signal)),
      wrap: doNothing,
      unwrap: doNothing,
      probe: (_, signal) => forAPerson(() => cloud.probe(target, signal)),
      mind: () => cloud.mind(target),
      ear: cloud.ear(target),
      mouth: cloud.mouth(target),
      imagination: cloud.imagination(target),
      takes: async () => cloud.takes(target),
      holds: async () => cloud.holds(target),
      parameters: async () => null,
    }
  }

  const serve = (organ: OrganAsk): ModelServer => {
    if (organ.provider !== null) return remote(organ.provider, organ)
    return isEmbedded(organ.model) ? createEmbedded(organ.model) : local(organ)
  }

  return {
    prepare: async (slot, organ, progress, signal) => serve(organ).prepare(slot, progress, signal),
    wrap: async (organ, wrapper) => serve(organ).wrap(wrapper),
    unwrap: async (organ, wrapper) => serve(organ).unwrap(wrapper),
    probe: async (organ, wrapper, signal) => serve(organ).probe(wrapper, signal),
    mind: (organ, wrapper) => serve(organ).mind(wrapper),
    ear: (organ) => serve(organ).ear,
    mouth: (organ) => serve(organ).mouth,
    imagination: (organ) => serve(organ).imagination,
    getAcceptedFiles: async (organ, wrapper, signal) => serve(organ).takes(wrapper, signal),
    getContextWindow: async (organ, wrapper, signal) => serve(organ).holds(wrapper, signal),
    getParameters: async (organ, wrapper, signal) => serve(organ).parameters(wrapper, signal),
    isOnThisMachine: (organ) => {
      const { provider, model, url } = organ
      if (provider === null) return !isEmbedded(model) && getZone(url ?? urls.local) === 'machine'
      // A server with a key may pass requests on to a provider that costs money.
      const isFree = provider === 'openai' && !keyFor({ ...organ, provider }, keys, urls)
      return isFree && url !== null && getZone(url) === 'machine'
    },
    refusals: ({ provider, model, url }, wrapper) => {
      if (provider !== null) return cloud.refusals({ provider, model, url: trimUrl(url ?? urls[provider]) })
      return isEmbedded(model) ? [] : ollama.refusals({ url: trimUrl(url ?? urls.local) }, wrapper ?? model)
    },
    names: async ({ provider, url, apiKey }) => {
      if (provider === null)
        return url === embeddedUrl
          ? Object.keys(embeddedMinds)
          : ollama.names({ url: trimUrl(url ?? urls.local), apiKey })
      const key = keyFor({ provider, url, apiKey }, keys, urls)
      return forAPerson(() =>
        cloud.names({ provider, model: '', url: trimUrl(url ?? urls[provider]), apiKey: key }),
      )
    },
    described: async ({ provider, url, apiKey }) =>
      provider === null && url !== embeddedUrl
        ? ollama.described({ url: trimUrl(url ?? urls.local), apiKey })
        : [],
    close: async () => {
      await network.close()
      await memory.close()
    },
  }
}

/** Ollama cannot have these names. */
const isFileName = (model: string): boolean => /^hf:|\.gguf$/i.test(model)

/** Ollama answers at once if it runs. */
const timeoutSignal = () => AbortSignal.timeout(2000)

const serves = async (probe: () => Promise<void>): Promise<boolean> => {
  try {
    await probe()
    return true
  } catch {
    return false
  }
}

interface RuntimeFile {
  readonly runtime: LocalRuntime
  readonly path: string
  readonly options: { readonly model: string; readonly cacheKey?: string }
}

/** `getFile` returns null when Ollama serves the model, which can change from one request to the next. */
const withRuntime = (
  server: ModelServer,
  getFile: (wrapper: string | null) => Promise<RuntimeFile | null>,
): ModelServer => ({
  ...server,
  prepare: async (slot, progress, signal = new AbortController().signal) => {
    const file = isSpokenTo(slot) ? await getFile(null) : null
    if (!file) return server.prepare(slot, progress, signal)
    progress({ model: file.options.model, status: 'waking the model', completed: null, total: null })
    const mind = file.runtime.createMind(file.path, file.options)
    await forAPerson(async () => {
      for await (const _ of mind.think(firstPrompt, signal));
    })
  },
  wrap: async (wrapper) => ((await getFile(null)) ? undefined : server.wrap(wrapper)),
  unwrap: async (wrapper) => ((await getFile(wrapper)) ? undefined : server.unwrap(wrapper)),
  probe: async (wrapper, signal) => {
    const file = await getFile(wrapper)
    if (!file) return server.probe(wrapper, signal)
    const brokenModel = file.runtime
      .loaded()
      .find(({ path, phase }) => path === file.path && phase === 'broken')
    if (brokenModel?.reason) throw new ModelError(brokenModel.reason, true)
    await access(file.path).catch(() => {
      throw new ModelError(
        `The file of the model "${file.options.model}" is missing. Download it again.`,
        true,
      )
    })
  },
  mind: (wrapper) => ({
    async *think(prompt, signal, maxCalls) {
      const file = await getFile(wrapper)
      const mind = file ? file.runtime.createMind(file.path, file.options) : server.mind(wrapper)
      yield* mind.think(prompt, signal, maxCalls)
    },
  }),
  takes: async (wrapper, signal) => ((await getFile(wrapper)) ? takesNothing : server.takes(wrapper, signal)),
  holds: async (wrapper, signal) => {
    const file = await getFile(wrapper)
    if (!file) return server.holds(wrapper, signal)
    try {
      return (await file.runtime.load(file.path, signal)).contextTokens
    } catch {
      signal.throwIfAborted()
      return null
    }
  },
})

const createEmbedded = (model: string): ModelServer => {
  const checkPresent = () => forAPerson(async () => void embeddedMind(model))
  const failWith = (reason: string) => async (): Promise<never> => {
    embeddedMind(model)
    throw new MindError(
      'refused',
      `"${model}" inside the daemon ${reason}. Choose another model for this under settings.`,
      { calls: 0 },
    )
  }
  return {
    prepare: checkPresent,
    wrap: checkPresent,
    unwrap: checkPresent,
    probe: checkPresent,
    mind: () => ({
      async *think(prompt, signal) {
        yield* embeddedMind(model).think(prompt, signal)
      },
    }),
    ear: { hear: failWith('cannot listen to recordings') },
    mouth: { speak: failWith('cannot speak aloud') },
    imagination: { draw: failWith('cannot draw') },
    takes: async () => takesNothing,
    holds: async () => null,
    parameters: async () => null,
  }
}

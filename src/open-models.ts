/** Selects the models of an organ: a provider's, a local runtime's, or the ones inside the daemon. */
import type { Slot } from '../journal/facts/fact-values.ts'
import type { Log } from '../packages/kit/log.ts'
import { createNetwork, type Network } from '../packages/kit/network/network.ts'
import { getZone } from '../packages/kit/network/zone.ts'
import { trimUrl } from '../packages/models/base-url.ts'
import { type Mind, MindError } from '../packages/models/mind.ts'
import { forAPerson, type Models, type OrganAsk, type Progress } from '../packages/models/models.ts'
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
  } = deps
  const ollama = createOllama({ network, now, probeTimeout, settings })
  const cloud = createCloud({ network, now, probeTimeout, memory })

  const local = (organ: OrganAsk): ModelServer => {
    const { model, url, apiKey } = organ
    const at = { url: trimUrl(url ?? urls.local), apiKey }
    const target: Asked = { provider: null, model, ...at }
    return {
      prepare: (slot, progress, signal) => ollama.prepare(slot, at, model, progress, signal),
      wrap: (wrapper) => ollama.wrap(at, model, wrapper),
      unwrap: (wrapper) => ollama.unwrap(at, wrapper),
      probe: (wrapper, signal) => ollama.probe(at, model, wrapper, signal),
      mind: (wrapper) => ollama.mind(at, model, wrapper),
      ear: cloud.ear(target),
      mouth: cloud.mouth(target),
      imagination: cloud.imagination(target),
      takes: (wrapper, signal) => ollama.getAcceptedFiles(at, model, wrapper, signal),
      holds: (wrapper, signal) => ollama.getContextWindow(at, model, wrapper, signal),
      parameters: (wrapper, signal) => ollama.getParameters(at, model, wrapper, signal),
    }
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

const createEmbedded = (model: string): ModelServer => {
  const checkPresent = () => forAPerson(async () => void embeddedMind(model))
  const cannot = (reason: string) => async (): Promise<never> => {
    embeddedMind(model)
    throw new MindError(
      'refused',
      `"${model}" inside the daemon ${reason}. Choose another model for this under settings.`,
      undefined,
      0,
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
    ear: { hear: cannot('cannot listen to recordings') },
    mouth: { speak: cannot('cannot speak aloud') },
    imagination: { draw: cannot('cannot draw') },
    takes: async () => takesNothing,
    holds: async () => null,
    parameters: async () => null,
  }
}

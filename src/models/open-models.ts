/** Which models serve an organ: those of a local runtime, or the ones inside the daemon. */
import { type Config, trimUrl } from '../config.ts'
import { embeddedMinds } from './embedded/minds.ts'
import { type Mind, MindError } from './mind.ts'
import { ModelError, type Models, type OrganAsk, type Progress } from './models.ts'
import { createNetwork, type Network } from './network.ts'
import { createOllama } from './ollama.ts'

export interface ModelsDeps {
  readonly urls: Config['urls']
  readonly env?: NodeJS.ProcessEnv
  readonly now?: () => number
  readonly network?: Network
  /** How long a door may take, in milliseconds. */
  readonly door?: number
}

/** One organ, and who serves it. */
interface Served {
  prepare(progress: (p: Progress) => void, signal?: AbortSignal): Promise<void>
  wrap(wrapper: string): Promise<void>
  unwrap(wrapper: string): Promise<void>
  knock(wrapper: string | null, signal?: AbortSignal): Promise<void>
  mind(wrapper: string | null): Mind
}

export const createModels = (deps: ModelsDeps): Models => {
  const { urls, env = process.env, now = Date.now, network = createNetwork({ env }), door } = deps
  const ollama = createOllama({ network, now, ...(door === undefined ? {} : { door }) })
  const at = ({ url, apiKey }: Omit<OrganAsk, 'model'>) => ({ url: trimUrl(url ?? urls.local), apiKey })

  const serve = (organ: OrganAsk): Served => {
    const { model, provider } = organ
    if (provider !== null) throw notBuilt(provider)
    if (model.startsWith('embedded/')) return embedded(model)
    return {
      prepare: (progress, signal) => ollama.prepare(at(organ), model, progress, signal),
      wrap: (wrapper) => ollama.wrap(at(organ), model, wrapper),
      unwrap: (wrapper) => ollama.unwrap(at(organ), wrapper),
      knock: (wrapper, signal) => ollama.knock(at(organ), model, wrapper, signal),
      mind: (wrapper) => ollama.mind(at(organ), model, wrapper),
    }
  }

  return {
    prepare: async (organ, progress, signal) => serve(organ).prepare(progress, signal),
    wrap: async (organ, wrapper) => serve(organ).wrap(wrapper),
    unwrap: async (organ, wrapper) => serve(organ).unwrap(wrapper),
    knock: async (organ, wrapper, signal) => serve(organ).knock(wrapper, signal),
    mind: (organ, wrapper) => {
      try {
        return serve(organ).mind(wrapper)
      } catch (error) {
        if (error instanceof ModelError) return unable(error.message)
        throw error
      }
    },
    names: async (asked) => {
      if (asked.provider !== null) throw notBuilt(asked.provider)
      return asked.url === embeddedUrl ? Object.keys(embeddedMinds) : ollama.names(at(asked))
    },
    close: () => network.close(),
  }
}

/** The address that stands for the daemon itself. */
const embeddedUrl = 'embedded:'

const embedded = (model: string): Served => {
  const create = Object.hasOwn(embeddedMinds, model) ? embeddedMinds[model] : undefined
  if (!create) throw new ModelError(`There is no model "${model}" inside the daemon. There is: ${Object.keys(embeddedMinds).join(', ')}.`)
  const nothing = async () => {}
  return { prepare: nothing, wrap: nothing, unwrap: nothing, knock: nothing, mind: create }
}

const titles = { anthropic: 'Anthropic', openai: 'OpenAI', gemini: 'Gemini', xai: 'xAI' } as const

const notBuilt = (provider: keyof typeof titles) =>
  new ModelError(
    `${titles[provider]} is not built yet: for now a model is a local one by Ollama, or "embedded/practice" inside the daemon.`,
  )

/** What cannot be served says so in her turn. */
const unable = (reason: string): Mind => ({
  // biome-ignore lint/correctness/useYield: it never gets as far as a word
  async *think() {
    throw new MindError('refused', reason)
  },
})

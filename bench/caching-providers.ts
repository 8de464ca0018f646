/** Model servers with a prompt cache. They wait before they answer, longer for a longer uncached part. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Fields, isObject } from '../packages/kit/is-object.ts'
import { createNetwork } from '../packages/kit/network/network.ts'
import type { Mind } from '../packages/models/mind.ts'
import { createModels } from '../src/open-models.ts'
import { mapped } from '../test/models/cloud-stage.ts'
import { providerUrls } from '../test/provider-urls.ts'
import { createAnthropic } from '../test/stand-ins/anthropic.ts'
import { createOllama } from '../test/stand-ins/ollama.ts'
import { createOpenAi } from '../test/stand-ins/openai.ts'
import {
  type Cached,
  createAnthropicCache,
  createOllamaCache,
  createOpenAiCache,
  type PrefixCache,
} from './prefix-cache.ts'

export const shapes = ['Ollama', 'OpenAI', 'Anthropic'] as const
export type Shape = (typeof shapes)[number]

export interface CachingProvider {
  readonly mind: Mind
  /** One entry for each request. */
  readonly requests: readonly Cached[]
  /** Returns the total time in ms that the server waited. */
  waitedMs(): number
  /** Returns how often a runtime had to load its model again, because a setting of it changed. */
  reloads(): number
  close(): Promise<void>
}

/** Tokens that a server computes per ms. */
export const tokensPerMs = 50
const openAiUrl = 'https://api.openai.com'

/** `say` returns the text of the next answer. */
export const openProvider = async (shape: Shape, say: () => string): Promise<CachingProvider> => {
  const caches: Readonly<Record<Shape, () => PrefixCache>> = {
    Ollama: createOllamaCache,
    OpenAI: createOpenAiCache,
    Anthropic: createAnthropicCache,
  }
  const cache = caches[shape]()
  const requests: Cached[] = []
  const loadSettings: string[] = []
  let waitedMs = 0
  const answer = async (body: Fields): Promise<string> => {
    loadSettings.push(JSON.stringify([body.model, body.options, body.keep_alive]))
    const cached = cache.readCached(body)
    requests.push(cached)
    const startedAt = performance.now()
    await wait(cached.uncachedTokens / tokensPerMs)
    waitedMs += performance.now() - startedAt
    return asksForJson(body) ? '{"carry": null, "operations": []}' : say()
  }
  const server =
    shape === 'Ollama'
      ? await createOllama({ context: 131_072, answer: (request) => answer({ ...request }) })
      : await (shape === 'OpenAI' ? createOpenAi : createAnthropic)({ answer: ({ body }) => answer(body) })
  const models = createModels({
    urls: providerUrls({ local: server.url, openai: openAiUrl, anthropic: server.url }),
    env: {},
    network: mapped(createNetwork({ env: {} }), openAiUrl, server.url),
  })
  const organs = {
    Ollama: { model: 'llama3', provider: null, apiKey: null },
    OpenAI: { model: 'gpt-4o', provider: 'openai', apiKey: 'sk-right-key', cacheKey: 'ada' },
    Anthropic: { model: 'claude-sonnet-4-5', provider: 'anthropic', apiKey: 'sk-right-key' },
  } as const
  return {
    mind: models.mind({ ...organs[shape], url: null }, null),
    requests,
    waitedMs: () => waitedMs,
    reloads: () => loadSettings.filter((settings, n) => n > 0 && settings !== loadSettings[n - 1]).length,
    close: async () => {
      await Promise.all([models.close(), server.close()])
    },
  }
}

/** The consolidation of a night asks for one object of a form. */
const asksForJson = ({ format, text, output_config, output_format }: Fields): boolean =>
  format !== undefined ||
  output_config !== undefined ||
  output_format !== undefined ||
  (isObject(text) && isObject(text.format))

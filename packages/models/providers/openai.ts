/** OpenAI itself. */
import type { Adapter } from './adapter.ts'
import { openResponses } from './openai-responses.ts'

export const adapter: Adapter = {
  chat: async (settings, model) => (await import('@ai-sdk/openai')).createOpenAI(settings).chat(model),
  responses: { first: true, open: openResponses },
  // Source: developers.openai.com/api/docs/guides/prompt-caching
  withCacheKey: (key) => ({ providerOptions: { openai: { promptCacheKey: key } } }),
  embedding: async (settings, model) => ({
    model: (await import('@ai-sdk/openai')).createOpenAI(settings).embeddingModel(model),
  }),
}

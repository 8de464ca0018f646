/** OpenAI itself. */
import type { Adapter } from './adapter.ts'

export const adapter: Adapter = {
  chat: async (settings, model) => (await import('@ai-sdk/openai')).createOpenAI(settings).chat(model),
  embedding: async (settings, model) => ({
    model: (await import('@ai-sdk/openai')).createOpenAI(settings).embeddingModel(model),
  }),
}

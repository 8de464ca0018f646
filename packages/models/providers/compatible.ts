/** Any server that speaks OpenAI's protocol. */
import type { Adapter } from './adapter.ts'
import { withHabits } from './habits.ts'
import { opaqueFields } from './opaque-fields.ts'
import { openResponses } from './openai-responses.ts'

export const adapter: Adapter = {
  chat: async (settings, model) =>
    (await import('@ai-sdk/openai-compatible'))
      .createOpenAICompatible({
        ...settings,
        fetch: withHabits(settings.fetch),
        name: 'compatible',
        includeUsage: true,
        supportsStructuredOutputs: true,
      })
      .chatModel(model),
  opaque: opaqueFields,
  responses: { first: false, open: openResponses },
  embedding: async (settings, model) => ({
    model: (await import('@ai-sdk/openai-compatible'))
      .createOpenAICompatible({ ...settings, name: 'compatible' })
      .embeddingModel(model),
  }),
}

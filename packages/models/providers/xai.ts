/** xAI. */
import type { Adapter } from './adapter.ts'
import { withRefusalText } from './habits.ts'

export const adapter: Adapter = {
  chat: async (settings, model) =>
    (await import('@ai-sdk/xai'))
      .createXai({ ...settings, fetch: withRefusalText(settings.fetch) })
      .chat(model),
  // Source: docs.x.ai/developers/advanced-api-usage/prompt-caching/maximizing-cache-hits
  withCacheKey: (key) => ({ headers: { 'x-grok-conv-id': key } }),
}

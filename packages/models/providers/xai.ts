/** xAI. */
import type { Adapter } from './adapter.ts'

export const adapter: Adapter = {
  chat: async (settings, model) => (await import('@ai-sdk/xai')).createXai(settings).chat(model),
}

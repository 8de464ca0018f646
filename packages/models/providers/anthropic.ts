/** Anthropic's Messages API. */
import type { Adapter, Chat } from './adapter.ts'
import { withAnthropicHabits } from './anthropic-habits.ts'
import { opaqueBlocks } from './opaque-blocks.ts'

const ephemeral = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/**
 * Sets cache breakpoints, because Anthropic caches only up to these: after the tools, after the system
 * prompt, and after the last message.
 */
const withCacheBreakpoints = ({ prompt, tools }: Chat): Chat => ({
  prompt: prompt.map((message, i) =>
    message.role === 'system' || i === prompt.length - 1
      ? { ...message, providerOptions: ephemeral }
      : message,
  ),
  ...(tools && {
    tools: tools.map((tool, i) => (i === tools.length - 1 ? { ...tool, providerOptions: ephemeral } : tool)),
  }),
})

export const adapter: Adapter = {
  chat: async (settings, model) =>
    (await import('@ai-sdk/anthropic')).createAnthropic({
      ...settings,
      fetch: withAnthropicHabits(settings.fetch),
    })(model),
  opaque: opaqueBlocks('messages'),
  listHeaders: { 'anthropic-version': '2023-06-01' },
  listQuery: (after) => `?limit=1000${after && `&after_id=${after}`}`,
  wantsToolsCalled: true,
  // The API requires a limit of the answer. The library lowers it for older models.
  complete: (chat) => ({ ...withCacheBreakpoints(chat), maxOutputTokens: 16_384 }),
}

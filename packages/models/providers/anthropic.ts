/** Anthropic's Messages API. */
import type { Adapter, Chat } from './adapter.ts'
import { withAnthropicHabits } from './anthropic-habits.ts'
import { opaqueBlocks } from './opaque-blocks.ts'

const cacheOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/**
 * Sets cache breakpoints, because Anthropic caches only up to these: after the tools, the system prompt, the
 * previous turn, and the last message. A turn may add more blocks than the 20 that Anthropic searches before
 * a breakpoint. Max 4 breakpoints. Source: platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
const withCacheBreakpoints = ({ prompt, tools }: Chat): Pick<Chat, 'prompt' | 'tools'> => ({
  prompt: prompt.map((message, i) =>
    message.role === 'system' || i === prompt.length - 1 || i === findTurnEnd(prompt)
      ? { ...message, providerOptions: { ...message.providerOptions, ...cacheOptions } }
      : message,
  ),
  ...(tools && {
    tools: tools.map((tool, i) =>
      i === tools.length - 1 ? { ...tool, providerOptions: cacheOptions } : tool,
    ),
  }),
})

/** Returns the position of the last message before the user's newest one. */
const findTurnEnd = (prompt: Chat['prompt']): number =>
  prompt.findLastIndex(({ role }) => role === 'user') - 1

export const adapter: Adapter = {
  chat: async (settings, model) =>
    (await import('@ai-sdk/anthropic')).createAnthropic({
      ...settings,
      fetch: withAnthropicHabits(settings.fetch),
    })(model),
  opaque: opaqueBlocks('messages'),
  listHeaders: { 'anthropic-version': '2023-06-01' },
  listQuery: (cursor) => `?limit=1000${cursor && `&after_id=${cursor}`}`,
  wantsToolsCalled: true,
  // The API requires a limit of the answer. The library lowers it for older models.
  complete: (chat) => ({
    ...chat,
    ...withCacheBreakpoints(chat),
    // The default for older models is a call of an additional tool.
    providerOptions: { anthropic: { structuredOutputMode: 'outputFormat' } },
    maxOutputTokens: 16_384,
  }),
}

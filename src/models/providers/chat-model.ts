/** A provider's chat, in the one form that all of them are spoken to in. Each library is loaded when it is first used: the daemon starts without them. */
import type { OpenAIProvider } from '@ai-sdk/openai'
import type { Address } from './address.ts'
import { withHabits } from './habits.ts'

type Model = ReturnType<OpenAIProvider['chat']>
export type ChatModel = Pick<Model, 'doStream' | 'doGenerate'>
export type ChatCall = Parameters<Model['doStream']>[0]
export type ChatMessage = ChatCall['prompt'][number]
export type ChatPart = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer T> ? T : never
export type ChatAnswer = Awaited<ReturnType<Model['doGenerate']>>

/** Touches no network. */
export const openChatModel = async ({ service, base, key, fetch }: Address, model: string): Promise<ChatModel> => {
  // A library that is given no key looks for one in the environment; `fetch` sends none where there is none.
  const settings = { baseURL: base, apiKey: key ?? 'none', fetch }
  switch (service) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model)
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(settings).chat(model)
    case 'gemini':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings)(model)
    case 'xai':
      return (await import('@ai-sdk/xai')).createXai(settings).chat(model)
    case 'compatible':
      return (await import('@ai-sdk/openai-compatible'))
        .createOpenAICompatible({ ...settings, fetch: withHabits(fetch), name: 'compatible', includeUsage: true })
        .chatModel(model)
  }
}

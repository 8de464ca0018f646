/** A provider's chat, in the one form that all of them are spoken to in. */
import type { OpenAIProvider } from '@ai-sdk/openai'
import type { Address } from './address.ts'
import { adapterOf } from './provider-table.ts'

type Model = ReturnType<OpenAIProvider['chat']>
export type Transcriber = ReturnType<OpenAIProvider['transcription']>
export type ChatModel = Pick<Model, 'doStream' | 'doGenerate'>
export type ChatCall = Parameters<Model['doStream']>[0]
export type ChatMessage = ChatCall['prompt'][number]
export type ChatPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer T> ? T : never
export type ChatAnswer = Awaited<ReturnType<Model['doGenerate']>>

/** Touches no network. */
export const openChatModel = async (
  { service, base, key, fetch }: Address,
  model: string,
): Promise<ChatModel> => {
  const adapter = await adapterOf(service)
  // A library that is given no key looks for one in the environment; `fetch` sends none where there is none.
  return adapter.chat({ baseURL: base, apiKey: key ?? 'none', fetch }, model)
}

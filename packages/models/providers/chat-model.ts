/** The interface of a chat that is common to all providers. */
import type { OpenAIProvider } from '@ai-sdk/openai'

type Model = ReturnType<OpenAIProvider['chat']>
export type Transcriber = ReturnType<OpenAIProvider['transcription']>
export type ChatModel = Pick<Model, 'doStream' | 'doGenerate'>
export type ChatCall = Parameters<Model['doStream']>[0]
export type ChatMessage = ChatCall['prompt'][number]
export type ChatPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer T> ? T : never
export type ChatAnswer = Awaited<ReturnType<Model['doGenerate']>>

/** How one service is spoken to, where that differs from what OpenAI's protocol is for all others. */
import type { OpenAIProvider } from '@ai-sdk/openai'
import type { Purpose } from '../embedder.ts'
import type { Ear } from '../sense-models.ts'
import type { Address } from './address.ts'
import type { Asked } from './asking.ts'
import type { ChatCall, ChatModel, Transcriber } from './chat-model.ts'
import type { OpaqueForm } from './opaque.ts'
import type { Sound } from './speech.ts'

/** A prompt on its way to a model. */
export type Chat = Pick<ChatCall, 'prompt' | 'tools' | 'maxOutputTokens'>

/** For a client, which insists on a key. */
export interface Settings {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: Address['fetch']
}

export interface Clip {
  readonly audio: Uint8Array
  readonly mediaType: string
}

/** The two ways to have a recording written down. */
export interface Listening {
  transcribe(model: Transcriber): ReturnType<Ear['hear']>
  /** By a model that takes sound in its chat. */
  writeDown(): ReturnType<Ear['hear']>
}

/** In characters: `piece` of one call, `most` of one text. */
export interface Speaking {
  readonly piece: number
  readonly most: number
  readonly say: (asked: Asked, text: string, voice: string | null) => Promise<Sound>
}

type EmbeddingModel = ReturnType<OpenAIProvider['embeddingModel']>

export interface Embedding {
  readonly model: Pick<EmbeddingModel, 'doEmbed'>
  /** What only this service is told. */
  readonly options?: NonNullable<Parameters<EmbeddingModel['doEmbed']>[0]['providerOptions']>
}

export interface Drawn {
  readonly bytes: Uint8Array
  readonly input?: number | null | undefined
  readonly output?: number | null | undefined
}

export interface ResponsesApi {
  /** Whether it is tried before chat completions. */
  readonly first: boolean
  /** Touches no network. */
  open(settings: Settings, model: string): Promise<ChatModel>
}

/**
 * Each library is loaded when it is first used: the daemon starts without them. What is left out is done as
 * OpenAI's protocol has it.
 */
export interface Adapter {
  /** Touches no network. */
  chat(settings: Settings, model: string): Promise<ChatModel>
  /** The Responses API of a service that may have one. */
  readonly responses?: ResponsesApi
  /** How data that a model wants back travels in its chat. */
  readonly opaque?: OpaqueForm
  /** Touches no network. Left out where a service has none. */
  embedding?(settings: Settings, model: string, purpose: Purpose): Promise<Embedding>
  /** For its list of models. */
  readonly listHeaders?: Readonly<Record<string, string>>
  /** The query of a page of that list; `after`, encoded: what the page before ended with, or empty. */
  listQuery?(after: string): string
  /** Whether a talk in which tools were called must come with them. */
  readonly wantsToolsCalled?: true
  /** What else it must be told with a prompt. */
  complete?(chat: Chat): Chat
  hear?(asked: Asked, listening: Listening): ReturnType<Ear['hear']>
  readonly speaking?: Speaking
  /** Undefined where it would not. */
  draw?(asked: Asked, wish: string): Promise<Drawn | undefined>
}

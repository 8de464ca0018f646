/** The differences of one service from OpenAI's protocol. */
import type { OpenAIProvider } from '@ai-sdk/openai'
import type { Network } from '../../kit/network/network.ts'
import type { Purpose } from '../embedder.ts'
import type { Ear } from '../sense-models.ts'
import type { Address } from './address.ts'
import type { ChatCall, ChatModel, Transcriber } from './chat-model.ts'
import type { About, Refusal } from './failures.ts'
import type { OpaqueForm } from './opaque.ts'
import type { Sound } from './speech.ts'

/** A prompt as sent to a model. */
export type Chat = Pick<
  ChatCall,
  'prompt' | 'tools' | 'toolChoice' | 'maxOutputTokens' | 'responseFormat' | 'providerOptions'
>

/** Settings of a client library. Libraries require a key. */
export interface Settings {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: Address['fetch']
}

export interface Asked {
  readonly address: Address
  readonly context: About
  readonly network: Network
  readonly signal: AbortSignal
  /** Calls through these settings are counted. */
  readonly settings: Settings
  /** Posts JSON to a path below the address, for requests that no library makes. */
  post(path: string, body: unknown): Promise<Posted>
}

/** `value`: the JSON of a successful response, or undefined if it is not JSON. */
export type Posted = { readonly value: unknown } | { readonly refusal: Refusal }

export interface Clip {
  readonly audio: Uint8Array
  readonly mediaType: string
}

/** The two ways to transcribe a recording. */
export interface Listening {
  transcribe(model: Transcriber): ReturnType<Ear['hear']>
  /** Uses a chat model that accepts sound. */
  writeDown(): ReturnType<Ear['hear']>
}

/** In characters: `piece` is the limit of one call, `most` of a whole text. */
export interface Speaking {
  readonly piece: number
  readonly most: number
  readonly say: (connection: Asked, text: string, voice: string | null) => Promise<Sound>
}

type EmbeddingModel = ReturnType<OpenAIProvider['embeddingModel']>

export interface Embedding {
  readonly model: Pick<EmbeddingModel, 'doEmbed'>
  /** Options that only this service needs. */
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
  /** Does not access the network. */
  open(settings: Settings, model: string): Promise<ChatModel>
}

/**
 * Each library is loaded when it is first used, so that the daemon starts without them. Omitted members
 * default to OpenAI's protocol.
 */
export interface Adapter {
  /** Does not access the network. */
  chat(settings: Settings, model: string): Promise<ChatModel>
  /** The Responses API, if the service may have one. */
  readonly responses?: ResponsesApi
  /** How its chat carries data that a model requires back. */
  readonly opaque?: OpaqueForm
  /** Does not access the network. Absent if the service has no embeddings. */
  embedding?(settings: Settings, model: string, purpose: Purpose): Promise<Embedding>
  /** Extra headers for its list of models. */
  readonly listHeaders?: Readonly<Record<string, string>>
  /** Returns the query of a page of that list. `after`: the end of the previous page, encoded, or empty. */
  listQuery?(cursor: string): string
  /** Set if a talk with tool calls must include the definitions of these tools. */
  readonly wantsToolsCalled?: true
  /** Adds the fields that the service requires. */
  complete?(chat: Chat): Chat
  /** Sends the requests of one persona to the server that has its prompts in the cache. */
  withCacheKey?(key: string): Pick<ChatCall, 'providerOptions' | 'headers'>
  hear?(connection: Asked, listening: Listening): ReturnType<Ear['hear']>
  readonly speaking?: Speaking
  /** Returns undefined if the model declined. */
  draw?(connection: Asked, description: string): Promise<Drawn | undefined>
}

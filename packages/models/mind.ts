/**
 * The interface of a model: it receives a prompt, and streams words and tool calls. Implemented by all
 * providers and by the embedded minds.
 */
import type { Call, Sha256, Usage } from '../../facts/fact-values.ts'
import type { PromptData } from './prompt-data.ts'

/** A tool as described to the model. `parameters` is a JSON Schema. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * A file attached to a prompt. Its bytes are read when the prompt is sent, so a prompt as JSON contains only
 * its description.
 */
export interface Shown {
  /** The user's name for it. */
  readonly name: string
  /** Detected from its bytes, without parameters. */
  readonly mime: string
  readonly sha256: Sha256
  readonly bytes: () => Promise<Uint8Array>
}

/**
 * Data that a model requires back with its answer in the next step of a turn, unmodified. `for` identifies
 * the model; the data is sent to no other one.
 */
export interface Opaque {
  readonly for: string
  readonly data: unknown
}

/** `opaque` is a function, so that it is not part of a prompt as JSON. */
export type Message =
  | { readonly role: 'user'; readonly content: string; readonly files?: readonly Shown[] }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly calls: readonly Call[]
      readonly opaque?: () => Opaque
    }
  | { readonly role: 'tool'; readonly call: string; readonly name: string; readonly content: string }

/**
 * `name`: letters, digits, `_` and `-`. `schema`: JSON Schema. All its properties are required. Without a
 * schema, any JSON object.
 */
export interface AnswerForm {
  readonly name: string
  readonly schema?: Readonly<Record<string, unknown>>
}

/** `system` comes before the messages. The newest message is last. */
export interface Prompt {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /** Demands the call of a tool, if the server supports it. */
  readonly toolChoice?: 'required'
  /** Requests one JSON object of this form, if the server supports it. */
  readonly form?: AnswerForm
  /** Max tokens of the answer. Default: the model's limit. */
  readonly maxTokens?: number
  /**
   * The same as data, for a mind that does not read text. It is a function, so that it is never sent,
   * recorded or hashed.
   */
  readonly data: () => PromptData
}

export type Tokens = Pick<Usage, 'input' | 'output'> & Partial<Pick<Usage, 'cached' | 'written'>>

/**
 * `end` comes exactly once, as the last part. A stream without it throws a `MindError`, or the signal's
 * reason if aborted. `again` discards the text so far: the answer starts again. `pulse`: a sign of activity
 * without text, such as thinking. `calls`: number of requests to the provider, if more than one. `cut`: the
 * answer was truncated at the model's limit. `opaque`: data that the model requires back with this answer.
 */
export type Part =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'again' }
  | { readonly type: 'pulse' }
  | { readonly type: 'call'; readonly call: Call }
  | {
      readonly type: 'end'
      readonly usage: Tokens
      readonly calls?: number
      readonly cut?: boolean
      readonly opaque?: Opaque
    }

export interface Mind {
  /**
   * Throws a `MindError` for files that the model does not accept. If a stream breaks off, requests the whole
   * answer once more if `most` allows another call.
   */
  think(prompt: Prompt, signal: AbortSignal, maxTokens?: number): AsyncIterable<Part>
}

/** The part of an organ's settings, or of the provider, that caused an error. */
export const faults = [
  'key_missing',
  'key_refused',
  /** A key with a character that no key has. */
  'key_malformed',
  'no_credit',
  'address_wrong',
  'model_unknown',
  /** The server does not list its models. */
  'no_list',
  'unreachable',
  'busy',
  'failed',
] as const
export type Fault = (typeof faults)[number]

export interface MindErrorOptions {
  readonly retryAfter?: number | undefined
  readonly calls?: number
  readonly fault?: Fault | null
}

/**
 * `unreachable`: a retry may help. `barred`: permanent, such as a wrong key or an unknown model. `refused`:
 * caused by this prompt. `retryAfter` is in ms. The message can be shown to a user and contains no key.
 */
export class MindError extends Error {
  override readonly name = 'MindError'
  readonly kind: 'unreachable' | 'barred' | 'refused'
  readonly retryAfter: number | undefined
  /** Number of requests to the provider before this error. */
  readonly calls: number
  /** Null if it is unknown, or the settings are not the cause. */
  readonly fault: Fault | null
  constructor(
    kind: 'unreachable' | 'barred' | 'refused',
    message: string,
    { retryAfter, calls = 1, fault = null }: MindErrorOptions = {},
  ) {
    super(message)
    this.kind = kind
    this.retryAfter = retryAfter
    this.calls = calls
    this.fault = fault
  }
}

/**
 * A mind as a turn sees it: it is told something, it answers in a stream of words and calls. Every provider
 * and the embedded minds look like this.
 */
import type { Call, Sha256, Usage } from '../../journal/facts/fact-values.ts'
import type { PromptData } from './prompt-data.ts'

/** A tool as a model is told of it; `parameters` is a JSON Schema. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * A file that a model is shown beside words. Its bytes are read when it is sent: as JSON, a prompt holds what
 * it is and not what is in it.
 */
export interface Shown {
  /** As the person named it. */
  readonly name: string
  /** Without parameters, by its bytes. */
  readonly mime: string
  readonly sha256: Sha256
  readonly bytes: () => Promise<Uint8Array>
}

/**
 * What a model wants back with its answer in the next step of a turn, unread. `for` tags the model that it
 * came from: no other is sent it.
 */
export interface Opaque {
  readonly for: string
  readonly data: unknown
}

/** `opaque` is a function so that a prompt as JSON never has it. */
export type Message =
  | { readonly role: 'user'; readonly content: string; readonly files?: readonly Shown[] }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly calls: readonly Call[]
      readonly opaque?: () => Opaque
    }
  | { readonly role: 'tool'; readonly call: string; readonly name: string; readonly content: string }

/** `system` stands before the messages; the newest message is last. */
export interface Prompt {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /** What the answer is to be, where a runtime can see to it: one JSON object. */
  readonly form?: 'json'
  /**
   * The same as data, for a mind that reads no text. As JSON, a prompt has none of it: it is never sent,
   * recorded or hashed.
   */
  readonly data: () => PromptData
}

export type Tokens = Pick<Usage, 'input' | 'output'> & Partial<Pick<Usage, 'cached'>>

/**
 * `end` comes exactly once and last; a stream that cannot give it throws a `MindError` instead, or the
 * signal's reason when it was cut. `again` makes void what this answer has said so far: its words begin anew.
 * `pulse`: something came that is not said, such as thinking: it is at work. `calls`: how often the provider
 * was called for it, where more than once. `cut`: the answer ended at the model's limit, and not where it was
 * meant to. `opaque`: what the model wants back with this answer.
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
   * Files it does not take are refused with a `MindError` that says so. A stream that breaks off is asked for
   * once more, whole, where `most` calls allow it.
   */
  think(prompt: Prompt, signal: AbortSignal, most?: number): AsyncIterable<Part>
}

/**
 * `unreachable` may be tried again; `barred` (a wrong key, an unknown model) will not get better by itself,
 * whatever is said; `refused` is about these words. `retryAfter` in milliseconds. The message is fit for a
 * person and holds no key.
 */
export class MindError extends Error {
  override readonly name = 'MindError'
  readonly kind: 'unreachable' | 'barred' | 'refused'
  readonly retryAfter: number | undefined
  /** How often the provider was called before this was said. */
  readonly calls: number
  constructor(kind: 'unreachable' | 'barred' | 'refused', message: string, retryAfter?: number, calls = 1) {
    super(message)
    this.kind = kind
    this.retryAfter = retryAfter
    this.calls = calls
  }
}

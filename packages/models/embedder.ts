/** What turns texts into vectors: those of texts that mean about the same point about the same way. */
import type { Provider } from '../../journal/facts/fact-values.ts'

/** `provider` null: a local model. */
export interface EmbeddingChoice {
  readonly provider: Provider | null
  readonly model: string
}

/** Some models are told whether a text is to be found, or what is looked for. */
export type Purpose = 'found' | 'asked'

export interface Embedded {
  /** One for each text, all of one length, of finite numbers. */
  readonly vectors: readonly (readonly number[])[]
  /** Null where nobody tells. */
  readonly tokens: number | null
}

export interface Embedder {
  /** `<provider>/<model>`. */
  readonly name: string
  /** Throws `MindError`, or the signal's reason. */
  embed(texts: readonly string[], purpose: Purpose, signal: AbortSignal): Promise<Embedded>
  close(): Promise<void>
}

/** What its makers want to stand before a text. */
const marks: readonly (readonly [model: RegExp, marks: Readonly<Record<Purpose, string>>])[] = [
  [/nomic-embed-text/, { found: 'search_document: ', asked: 'search_query: ' }],
  [/(?:^|[/-])e5-/, { found: 'passage: ', asked: 'query: ' }],
]

export const markFor = (model: string, purpose: Purpose): string =>
  marks.find(([name]) => name.test(model))?.[1][purpose] ?? ''

/** Converts texts to vectors. Texts of similar meaning get similar vectors. */
import type { Provider } from '../../facts/fact-values.ts'

/** `provider` null: a local model. */
export interface EmbeddingChoice {
  readonly provider: Provider | null
  readonly model: string
}

/** Some models need to know if a text is a document (`found`) or a query (`asked`). */
export type Purpose = 'found' | 'asked'

export interface Embedded {
  /** One vector per text, all of the same length, with finite numbers. */
  readonly vectors: readonly (readonly number[])[]
  /** Null if unknown. */
  readonly tokens: number | null
}

export interface Embedder {
  /** `<provider>/<model>`. */
  readonly name: string
  /** Throws `MindError`, or the signal's reason. */
  embed(texts: readonly string[], purpose: Purpose, signal: AbortSignal): Promise<Embedded>
  close(): Promise<void>
}

/** The prefixes that the models' documentation requires. */
const marks: readonly (readonly [model: RegExp, marks: Readonly<Record<Purpose, string>>])[] = [
  [/nomic-embed-text/, { found: 'search_document: ', asked: 'search_query: ' }],
  [/^embeddinggemma-300m$/, { found: 'title: none | text: ', asked: 'task: search result | query: ' }],
  [/(?:^|[/-])e5-/, { found: 'passage: ', asked: 'query: ' }],
]

export const markFor = (model: string, purpose: Purpose): string =>
  marks.find(([name]) => name.test(model))?.[1][purpose] ?? ''

/** Embeds texts in batches, without those that the provider refuses. */
import type { Seq } from '../../facts/fact-values.ts'
import type { Embedder } from '../../packages/models/embedder.ts'
import { MindError } from '../../packages/models/mind.ts'
import type { Vector } from './vector-store.ts'

interface Part {
  readonly seq: Seq
  readonly text: string
}

/** Texts per call. All providers accept that many. */
const ofCall = 64

/** Throws like the embedder, also if it refuses all texts. */
export const embedAll = async (
  embedder: Embedder,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<{ readonly vectors: readonly Vector[]; readonly tokens: number }> => {
  let tokens = 0
  let refusal: MindError | undefined
  const embedParts = async (batch: readonly Part[]): Promise<readonly Vector[]> => {
    try {
      const result = await embedder.embed(
        batch.map(({ text }) => text),
        'found',
        signal,
      )
      tokens += result.tokens ?? 0
      return batch.map(({ seq }, n) => ({ seq, numbers: result.vectors[n] ?? [] }))
    } catch (error) {
      if (!(error instanceof MindError) || error.kind !== 'refused') throw error
      refusal = error
      // Halves the batch until the refused texts are alone.
      const middleIndex = Math.ceil(batch.length / 2)
      if (batch.length < 2) return []
      return [
        ...(await embedParts(batch.slice(0, middleIndex))),
        ...(await embedParts(batch.slice(middleIndex))),
      ]
    }
  }
  const vectors: Vector[] = []
  for (let from = 0; from < parts.length; from += ofCall)
    vectors.push(...(await embedParts(parts.slice(from, from + ofCall))))
  if (refusal && vectors.length === 0) throw refusal
  return { vectors, tokens }
}

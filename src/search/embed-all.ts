/** Many texts as vectors, so many in a call, without those that are refused for what they are. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Embedder } from '../models/embedder.ts'
import { MindError } from '../models/mind.ts'
import type { Vector } from './vector-store.ts'

interface Part {
  readonly seq: Seq
  readonly text: string
}

/** Texts of a call: no provider takes fewer. */
const ofCall = 64

/** Throws as the embedder does, also where it refuses all of them. */
export const embedAll = async (
  embedder: Embedder,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<{ readonly vectors: readonly Vector[]; readonly tokens: number }> => {
  let tokens = 0
  let refusal: MindError | undefined
  const some = async (few: readonly Part[]): Promise<readonly Vector[]> => {
    try {
      const told = await embedder.embed(
        few.map(({ text }) => text),
        'found',
        signal,
      )
      tokens += told.tokens ?? 0
      return few.map(({ seq }, n) => ({ seq, numbers: told.vectors[n] ?? [] }))
    } catch (error) {
      if (!(error instanceof MindError) || error.kind !== 'refused') throw error
      refusal = error
      // One that is too long, or would not pass a filter, keeps the others waiting for nothing.
      const half = Math.ceil(few.length / 2)
      if (few.length < 2) return []
      return [...(await some(few.slice(0, half))), ...(await some(few.slice(half)))]
    }
  }
  const vectors: Vector[] = []
  for (let from = 0; from < parts.length; from += ofCall)
    vectors.push(...(await some(parts.slice(from, from + ofCall))))
  if (refusal && vectors.length === 0) throw refusal
  return { vectors, tokens }
}

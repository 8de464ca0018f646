/** Embeddings of a local model, over Ollama's own protocol. */
import * as z from 'zod'
import type { Fetch } from '../../kit/network/network.ts'
import type { Embedded } from '../embedder.ts'
import type { Runtime } from './runtime.ts'

const EmbedResponse = z.object({
  embeddings: z.array(z.array(z.number())),
  prompt_eval_count: z.int().min(0).nullish(),
})

interface At {
  readonly runtime: Runtime
  readonly fetch: Fetch
  readonly model: string
}

/** Returns undefined if the response is invalid. Throws `RuntimeError`, or the signal's reason. */
export const embedAtOllama = async (
  target: At,
  input: readonly string[],
  signal: AbortSignal,
): Promise<Embedded | undefined> => {
  const { runtime, fetch, model } = target
  const [line] = await runtime.all({ path: '/api/embed', body: { model, input }, fetch, model, signal })
  const { data } = EmbedResponse.safeParse(line)
  return data && { vectors: data.embeddings, tokens: data.prompt_eval_count ?? null }
}

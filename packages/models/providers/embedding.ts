/** Embeddings of a provider's model, or of a server that speaks OpenAI's protocol. */
import type { Embedded, Purpose } from '../embedder.ts'
import { MindError } from '../mind.ts'
import { ask, toUsage } from './asking.ts'
import { getAdapter } from './provider-table.ts'
import type { At } from './read-address.ts'

/** Throws `MindError`, or the signal's reason. */
export const requestEmbedding = (
  target: At,
  texts: readonly string[],
  purpose: Purpose,
  signal: AbortSignal,
): Promise<Embedded> =>
  ask(target, signal, async ({ address, settings }) => {
    const { embedding } = await getAdapter(address.service)
    if (!embedding) throw new MindError('barred', `${address.title} makes no vectors of texts.`)
    const { model, options } = await embedding(settings, target.model, purpose)
    const { embeddings, usage } = await model.doEmbed({
      values: [...texts],
      abortSignal: signal,
      ...(options && { providerOptions: options }),
    })
    return { vectors: embeddings, tokens: toUsage({ input: usage?.tokens }).input }
  })

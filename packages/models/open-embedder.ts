/** Opens the configured embedder, local or of a provider. Does not access the network. */

import { createNetwork, type Network } from '../kit/network/network.ts'
import { trimUrl } from './base-url.ts'
import { type Embedded, type Embedder, type EmbeddingChoice, markFor, type Purpose } from './embedder.ts'
import { MindError } from './mind.ts'
import { embedAtOllama } from './ollama/ollama-embedding.ts'
import { openRuntime } from './ollama/runtime.ts'
import { requestEmbedding } from './providers/embedding.ts'
import { keyFor } from './providers/environment-keys.ts'
import type { ProviderKeys, ProviderUrls } from './providers/provider-table.ts'

interface Deps {
  readonly urls: ProviderUrls
  readonly keys: ProviderKeys
  readonly now: () => number
  readonly network?: Network
}

export const openEmbedder = ({ provider, model }: EmbeddingChoice, deps: Deps): Embedder => {
  const { urls, keys, now, network = createNetwork({ env: process.env }) } = deps
  const name = `${provider ?? 'local'}/${model}`

  const request = (texts: readonly string[], purpose: Purpose, signal: AbortSignal) => {
    if (provider === null) {
      const runtime = openRuntime({ url: trimUrl(urls.local), key: null, now })
      return embedAtOllama({ runtime, fetch: network.local, model }, texts, signal)
    }
    const apiKey = keyFor({ provider, url: null, apiKey: null }, keys, urls)
    const target = { provider, model, url: trimUrl(urls[provider]), apiKey, network, now }
    return requestEmbedding(target, texts, purpose, signal)
  }

  return {
    name,
    embed: async (texts, purpose, signal) => {
      const mark = markFor(model, purpose)
      const response = await request(
        texts.map((text) => `${mark}${text}`),
        purpose,
        signal,
      )
      if (response && isSound(response, texts.length)) return response
      throw new MindError('unreachable', `"${name}" did not answer with one vector for each text.`)
    },
    close: () => network.close(),
  }
}

/** Max dimensions of a vector. */
const maxNumbers = 16_384

const isSound = ({ vectors }: Embedded, count: number): boolean => {
  const numbers = vectors[0]?.length ?? 0
  if (vectors.length !== count || numbers < 1 || numbers > maxNumbers) return false
  return vectors.every((vector) => vector.length === numbers && vector.every(Number.isFinite))
}

/** Finds model servers of other programs on their default ports on this machine. */
import * as z from 'zod'
import type { Network } from '../kit/network/network.ts'

export interface KnownServer {
  readonly id: string
  readonly title: string
  /** The address for an organ of the provider `openai`. */
  readonly url: string
}

const knownServers: readonly KnownServer[] = [
  { id: 'lm-studio', title: 'LM Studio', url: 'http://127.0.0.1:1234' },
  { id: 'llama-cpp', title: 'llama.cpp', url: 'http://127.0.0.1:8080' },
  { id: 'vllm', title: 'vLLM', url: 'http://127.0.0.1:8000' },
  { id: 'jan', title: 'Jan', url: 'http://127.0.0.1:1337' },
]

export interface FoundServer extends KnownServer {
  readonly models: readonly string[]
}

/** The list of OpenAI's protocol. `owned_by` names the program of some servers. */
const ModelList = z.object({
  object: z.literal('list'),
  data: z.array(z.object({ id: z.string().min(1).max(200), owned_by: z.string().optional() })).max(500),
})

const owners: Readonly<Record<string, string>> = { llamacpp: 'llama.cpp', vllm: 'vLLM' }

/** In ms. A local server answers this at once, unless it is busy. */
const probeTimeout = 1000

/** Returns the servers that answer with a list of models. Never rejects. */
export const findServers = async (
  network: Network,
  servers: readonly KnownServer[] = knownServers,
): Promise<readonly FoundServer[]> =>
  (await Promise.all(servers.map((server) => findServer(network, server)))).flatMap((match) => match ?? [])

const findServer = async (network: Network, server: KnownServer): Promise<FoundServer | null> => {
  try {
    const signal = AbortSignal.timeout(probeTimeout)
    const response = await network.local(`${server.url}/v1/models`, { signal })
    if (!response.ok) {
      await response.body?.cancel()
      return null
    }
    const { data } = ModelList.parse(await response.json())
    const title = owners[data[0]?.owned_by ?? ''] ?? server.title
    return { ...server, title, models: data.map(({ id }) => id) }
  } catch {
    return null
  }
}

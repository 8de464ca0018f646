/**
 * The models of providers and of compatible servers. Each implementation is loaded on the first use.
 */
import type { Slot } from '../../../journal/facts/fact-values.ts'
import type { Network } from '../../kit/network/network.ts'
import type { Mind } from '../mind.ts'
import type { Progress } from '../models.ts'
import { takesNothing } from '../prompt-files.ts'
import type { Ear, Imagination, Mouth, Takes } from '../sense-models.ts'
import type { KeptChats } from './open-chat-model.ts'
import { serviceTable } from './provider-table.ts'
import { type At, readAddress } from './read-address.ts'
import type { RefusedTools } from './refused-tools.ts'
import type { ServerMemory } from './server-memory.ts'

export interface CloudDeps {
  readonly network: Network
  readonly now: () => number
  /** Timeout of a probe in ms. */
  readonly probeTimeout: number
  readonly memory: ServerMemory
}

/** An organ with its address and key resolved. */
export type Asked = Omit<At, 'network' | 'now' | 'refused' | 'found' | 'way'>

/** Like `Models`, but all methods throw `MindError`. */
export interface Cloud {
  names(asked: Asked): Promise<readonly string[]>
  prepare(slot: Slot, asked: Asked, progress: (p: Progress) => void, signal?: AbortSignal): Promise<void>
  probe(asked: Asked, signal?: AbortSignal): Promise<void>
  mind(asked: Asked): Mind
  ear(asked: Asked): Ear
  mouth(asked: Asked): Mouth
  imagination(asked: Asked): Imagination
  takes(asked: Asked): Takes
  holds(asked: Asked): number | null
  refusals(asked: Omit<Asked, 'apiKey'>): readonly string[]
}

export const createCloud = ({ network, now, probeTimeout, memory }: CloudDeps): Cloud => {
  const at = (asked: Asked): At => ({
    ...asked,
    network,
    now,
    refused: memory.refused(asked),
    found: memory.bases(asked),
    way: memory.way(asked),
  })
  const openEndpoint = async () => (await import('./endpoint.ts')).createEndpoint(probeTimeout)
  const chats: KeptChats = new Map()
  // Models that have refused a picture.
  const blind = new Set<string>()
  const refusing = new Map<string, RefusedTools>()
  const key = ({ url, model }: Omit<Asked, 'apiKey'>) => `${url} ${model}`

  const takes = (asked: Asked): Takes => {
    const supported = getTakes(at(asked))
    return blind.has(key(asked)) ? { ...supported, images: false } : supported
  }
  return {
    names: async (asked) => (await openEndpoint()).names(at(asked)),
    prepare: async (slot, asked, progress, signal) => {
      blind.delete(key(asked))
      refusing.delete(key(asked))
      memory.refused(asked).clear()
      memory.bases(asked).clear()
      memory.way(asked).current = undefined
      await (await openEndpoint()).prepare(slot, at(asked), progress, signal)
    },
    probe: async (asked, signal) => (await openEndpoint()).probe(at(asked), signal),
    mind: (asked) => ({
      async *think(prompt, signal, maxCalls) {
        const { createCloudMind } = await import('./provider-mind.ts')
        const { createRefusedTools } = await import('./refused-tools.ts')
        const onBlind = () => void blind.add(key(asked))
        const tools = refusing.get(key(asked)) ?? createRefusedTools()
        refusing.set(key(asked), tools)
        const deps = { at: at(asked), takes: getTakes(at(asked)), chats, tools, onBlind }
        yield* createCloudMind(deps).think(prompt, signal, maxCalls)
      },
    }),
    ear: (asked) => ({
      hear: async (clip, signal) => (await import('./ear.ts')).createEar(at(asked)).hear(clip, signal),
    }),
    mouth: (asked) => ({
      speak: async (text, signal) => (await import('./mouth.ts')).createMouth(at(asked)).speak(text, signal),
    }),
    imagination: (asked) => ({
      draw: async (wish, signal) =>
        (await import('./imagination.ts')).createImagination(at(asked)).draw(wish, signal),
    }),
    takes,
    holds: (asked) => getContext(at(asked)),
    refusals: (asked) =>
      memory
        .refused(asked)
        .current()
        .map(({ name }) => name),
  }
}

/** Context windows of older models, which are smaller. */
const smallContexts = [
  [/^gpt-4(?:-\d{4})?$/, 8192],
  [/^gpt-3\.5/, 16_384],
] as const

const getContext = (at: At): number | null => {
  try {
    const [, known = null] = smallContexts.find(([name]) => name.test(at.model)) ?? []
    if (known !== null) return known
    return serviceTable[readAddress(at).service].holds
  } catch {
    return null
  }
}

const getTakes = (at: At): Takes => {
  try {
    return serviceTable[readAddress(at).service].takes
  } catch {
    return takesNothing
  }
}

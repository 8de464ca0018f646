/**
 * The models of providers and of compatible servers. Each implementation is loaded on the first use.
 */
import type { Slot } from '../../../facts/fact-values.ts'
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
  names(organAsk: Asked): Promise<readonly string[]>
  prepare(slot: Slot, organAsk: Asked, progress: (p: Progress) => void, signal?: AbortSignal): Promise<void>
  probe(organAsk: Asked, signal?: AbortSignal): Promise<void>
  mind(organAsk: Asked): Mind
  ear(organAsk: Asked): Ear
  mouth(organAsk: Asked): Mouth
  imagination(organAsk: Asked): Imagination
  takes(organAsk: Asked): Takes
  holds(organAsk: Asked): number | null
  refusals(organAsk: Omit<Asked, 'apiKey'>): readonly string[]
}

export const createCloud = ({ network, now, probeTimeout, memory }: CloudDeps): Cloud => {
  const toTarget = (organAsk: Asked): At => ({
    ...organAsk,
    network,
    now,
    refused: memory.refused(organAsk),
    found: memory.bases(organAsk),
    way: memory.way(organAsk),
  })
  const openEndpoint = async () => (await import('./endpoint.ts')).createEndpoint(probeTimeout)
  const chats: KeptChats = new Map()
  // Models that have refused a picture.
  const blind = new Set<string>()
  const refusing = new Map<string, RefusedTools>()
  const key = ({ url, model }: Omit<Asked, 'apiKey'>) => `${url} ${model}`

  const takes = (organAsk: Asked): Takes => {
    const supportedFiles = getTakes(toTarget(organAsk))
    return blind.has(key(organAsk)) ? { ...supportedFiles, images: false } : supportedFiles
  }
  return {
    names: async (organAsk) => (await openEndpoint()).names(toTarget(organAsk)),
    prepare: async (slot, organAsk, progress, signal) => {
      blind.delete(key(organAsk))
      refusing.delete(key(organAsk))
      memory.refused(organAsk).clear()
      memory.bases(organAsk).clear()
      memory.way(organAsk).current = undefined
      await (await openEndpoint()).prepare(slot, toTarget(organAsk), progress, signal)
    },
    probe: async (organAsk, signal) => (await openEndpoint()).probe(toTarget(organAsk), signal),
    mind: (organAsk) => ({
      async *think(prompt, signal, maxCalls) {
        const { createCloudMind } = await import('./provider-mind.ts')
        const { createRefusedTools } = await import('./refused-tools.ts')
        const onBlind = () => void blind.add(key(organAsk))
        const tools = refusing.get(key(organAsk)) ?? createRefusedTools()
        refusing.set(key(organAsk), tools)
        const deps = { at: toTarget(organAsk), takes: getTakes(toTarget(organAsk)), chats, tools, onBlind }
        yield* createCloudMind(deps).think(prompt, signal, maxCalls)
      },
    }),
    ear: (organAsk) => ({
      hear: async (clip, signal) =>
        (await import('./ear.ts')).createEar(toTarget(organAsk)).hear(clip, signal),
    }),
    mouth: (organAsk) => ({
      speak: async (text, signal) =>
        (await import('./mouth.ts')).createMouth(toTarget(organAsk)).speak(text, signal),
    }),
    imagination: (organAsk) => ({
      draw: async (wish, signal) =>
        (await import('./imagination.ts')).createImagination(toTarget(organAsk)).draw(wish, signal),
    }),
    takes,
    holds: (organAsk) => getContext(toTarget(organAsk)),
    refusals: (organAsk) =>
      memory
        .refused(organAsk)
        .current()
        .map(({ name }) => name),
  }
}

/** Context windows of older models, which are smaller. */
const smallContexts = [
  [/^gpt-4(?:-\d{4})?$/, 8192],
  [/^gpt-3\.5/, 16_384],
] as const

const getContext = (target: At): number | null => {
  try {
    const [, knownContext = null] = smallContexts.find(([name]) => name.test(target.model)) ?? []
    if (knownContext !== null) return knownContext
    return serviceTable[readAddress(target).service].holds
  } catch {
    return null
  }
}

const getTakes = (target: At): Takes => {
  try {
    return serviceTable[readAddress(target).service].takes
  } catch {
    return takesNothing
  }
}

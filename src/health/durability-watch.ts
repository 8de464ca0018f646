/** What is told of how lasting the cluster is: asked now and then, and as it was last told in between. */
import type { Durability } from '../cluster/jetstream/durability.ts'

export interface DurabilityTold extends Durability {
  /** Seconds since the servers told it. */
  readonly age: number
}

export interface DurabilityWatch {
  /** As it was told last; asks for it behind that. Null before the first answer. */
  last(): DurabilityTold | null
  /** As it is now, or as it was last where the servers take longer than a second. Never rejects. */
  now(): Promise<DurabilityTold | null>
}

/** Milliseconds: for which an answer is taken for new; for which one is waited for. */
const [fresh, patience] = [5000, 1000]

export const createDurabilityWatch = (
  ask: () => Promise<Durability>,
  wait: (ms: number) => Promise<void>,
): DurabilityWatch => {
  let told: { readonly durability: Durability; readonly at: number } | null = null
  let asking: Promise<void> | null = null

  const begin = async (): Promise<void> => {
    try {
      const durability = await ask()
      told = { durability, at: performance.now() }
    } catch {
      // Whoever is silent is told of by the age of what it said.
    } finally {
      asking = null
    }
  }
  const refresh = (): Promise<void> => {
    if (told && performance.now() - told.at < fresh) return Promise.resolve()
    asking ??= begin()
    return asking
  }
  const last = (): DurabilityTold | null =>
    told && { ...told.durability, age: Math.round((performance.now() - told.at) / 100) / 10 }

  return {
    last: () => {
      void refresh()
      return last()
    },
    now: async () => {
      await Promise.race([refresh(), wait(patience)])
      return last()
    },
  }
}

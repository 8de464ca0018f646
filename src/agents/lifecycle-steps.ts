/**
 * Starts, stops and restarts: one step at a time for each persona, and how its last one went, for whoever
 * waits for it.
 */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'

export interface LifecycleSteps {
  /** Never rejects: resolves with why it failed, or null. */
  take(id: PersonaId, step: () => Promise<void>): Promise<string | null>
  /** Why the last of the steps asked so far or meanwhile failed, or null. */
  outcome(id: PersonaId): Promise<string | null>
  forget(id: PersonaId): void
  /** Resolves when no step goes on. */
  idle(): Promise<void>
}

/** `failed` says why, before the next step begins. Must not reject. */
export const createLifecycleSteps = (
  failed: (id: PersonaId, error: unknown) => Promise<string>,
): LifecycleSteps => {
  const steps = createKeyedMutex<PersonaId>()
  const outcomes = new Map<PersonaId, Promise<string | null>>()
  return {
    take: (id, step) => {
      const outcome = steps.run(id, () =>
        step().then(
          () => null,
          (error: unknown) => failed(id, error),
        ),
      )
      outcomes.set(id, outcome)
      return outcome
    },
    outcome: async (id) => {
      for (;;) {
        const outcome = outcomes.get(id)
        const reason = (await outcome) ?? null
        if (outcome === outcomes.get(id)) return reason
      }
    },
    forget: (id) => void outcomes.delete(id),
    idle: steps.idle,
  }
}

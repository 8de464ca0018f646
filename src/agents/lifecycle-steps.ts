/** Runs starts, stops and restarts one at a time per persona, and stores the outcome of the last one. */

import type { Wish } from '../../facts/fact.ts'
import type { PersonaId } from '../../facts/fact-values.ts'
import { getWish, type PersonaEvent } from '../../facts/facts.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'

export interface LifecycleSteps {
  /** Resolves with the reason of the failure, or null. Never rejects. */
  take(id: PersonaId, step: () => Promise<void>): Promise<string | null>
  /** Waits for all steps, also those added while waiting. Returns why the last one failed, or null. */
  outcome(id: PersonaId): Promise<string | null>
  forget(id: PersonaId): void
  /** Resolves when no step is running. */
  idle(): Promise<void>
}

/** `failed` returns the reason, before the next step begins. Must not reject. */
export const createLifecycleSteps = (
  onFailure: (id: PersonaId, error: unknown) => Promise<string>,
): LifecycleSteps => {
  const steps = createKeyedMutex<PersonaId>()
  const outcomes = new Map<PersonaId, Promise<string | null>>()
  return {
    take: (id, step) => {
      const outcome = steps.run(id, () =>
        step().then(
          () => null,
          (error: unknown) => onFailure(id, error),
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

// Maps a commit to the step that it requests of an agent, by the contract's table of transitions.

export type Step = 'start' | 'stop' | 'restart' | 'leave'

const steps: Readonly<Record<Wish, Readonly<Record<'running' | 'stopped', Step>>>> = {
  run: { running: 'leave', stopped: 'start' },
  'run anew': { running: 'restart', stopped: 'start' },
  'pick up': { running: 'restart', stopped: 'leave' },
  rest: { running: 'stop', stopped: 'leave' },
  stay: { running: 'leave', stopped: 'leave' },
  none: { running: 'leave', stopped: 'leave' },
}

/** The last fact of the commit decides: a status is always written after the organs in the same commit. */
export const planStep = (events: readonly PersonaEvent[], isRunning: boolean): Step => {
  const last = events.at(-1)
  return last ? steps[getWish(last)][isRunning ? 'running' : 'stopped'] : 'leave'
}

/**
 * Returns true if the commit requests a step. Messages and edits do not, so they do not replace the outcome
 * of a failed step that a caller waits for.
 */
export const requestsStep = (events: readonly PersonaEvent[]): boolean =>
  events.some((event) => getWish(event) !== 'none')

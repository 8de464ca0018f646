/** Maps a commit to the step that it requests of an agent, by the contract's table of transitions. */
import type { Wish } from '../../journal/facts/fact.ts'
import { type PersonaEvent, wishOf } from '../../journal/facts/facts.ts'

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
export const planStep = (events: readonly PersonaEvent[], running: boolean): Step => {
  const last = events.at(-1)
  return last ? steps[wishOf(last)][running ? 'running' : 'stopped'] : 'leave'
}

/**
 * Returns true if the commit requests a step. Messages and edits do not, so they do not replace the outcome
 * of a failed step that a caller waits for.
 */
export const requestsStep = (events: readonly PersonaEvent[]): boolean =>
  events.some((event) => wishOf(event) !== 'none')

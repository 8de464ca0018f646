/** What a commit asks of an agent: the contract's table of transitions, as a function. */
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

/** The last fact speaks for the commit: a status is always written after the organs that came with it. */
export const plan = (events: readonly PersonaEvent[], running: boolean): Step => {
  const last = events.at(-1)
  return last ? steps[wishOf(last)][running ? 'running' : 'stopped'] : 'leave'
}

/**
 * What is said and what is changed by hand asks nothing, and hides no step that failed from whoever waits for
 * it.
 */
export const asks = (events: readonly PersonaEvent[]): boolean =>
  events.some((event) => wishOf(event) !== 'none')

/** What a commit asks of an agent: the contract's table of transitions, as a function. */
import type { PersonaEvent } from '../../journal/facts/facts.ts'

export type Step = 'start' | 'stop' | 'restart' | 'leave'
type Wish = 'run' | 'run anew' | 'pick up' | 'rest' | 'nothing'

const steps: Readonly<Record<Wish, Readonly<Record<'running' | 'stopped', Step>>>> = {
  run: { running: 'leave', stopped: 'start' },
  'run anew': { running: 'restart', stopped: 'start' },
  'pick up': { running: 'restart', stopped: 'leave' },
  rest: { running: 'stop', stopped: 'leave' },
  nothing: { running: 'leave', stopped: 'leave' },
}

/** The last fact speaks for the commit: a status is always written after the organs that came with it. */
export const plan = (events: readonly PersonaEvent[], running: boolean): Step => {
  const last = events.at(-1)
  return last ? steps[wish(last)][running ? 'running' : 'stopped'] : 'leave'
}

const wish = (event: PersonaEvent): Wish => {
  switch (event.type) {
    case 'StartAsked':
      return 'run'
    case 'RestartAsked':
      return 'run anew'
    case 'StatusSet':
      return event.status === 'active' ? 'run anew' : 'rest'
    case 'OrganReplaced':
    case 'OrganRemoved':
    case 'ChannelAdded':
    case 'ChannelRemoved':
      return 'pick up'
    case 'StopAsked':
    case 'PersonaDeleted':
      return 'rest'
    default:
      return 'nothing'
  }
}

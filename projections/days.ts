/** Her days: what was gone over and what she carries of it, what belongs to a day that is over, and whether she sleeps. */
import type { EventType, Seq } from '../journal/events.ts'
import type { Fact } from './persona.ts'

interface Moment {
  readonly seq: Seq
  /** Epoch milliseconds. */
  readonly at: number
}

/** What she holds in mind of all that was said before, and the fact it stands in. */
export interface Carried {
  readonly seq: Seq
  readonly text: string
}

export interface Days {
  /** What was said up to here has been gone over. */
  readonly consolidated: Seq | 0
  readonly carried: Carried | null
  /** What has happened since the last day was closed, in her words; empty where she gave none. */
  readonly summary: string
  /** What was said up to here belongs to a day that is over. */
  readonly closed: Seq | 0
  /** The last words since then, whoever said them; null while nothing was said. */
  readonly last: Moment | null
  /** The first thing that happened since she last slept. */
  readonly stirred: Moment | null
  /** A sleep that has not ended. */
  readonly sleeping: Seq | null
  /** When she last tried to sleep, and whether that ended well. Epoch milliseconds. */
  readonly slept: { readonly at: number; readonly well: boolean } | null
}

export const dayless: Days = {
  ...{ consolidated: 0, carried: null, summary: '', closed: 0, last: null, stirred: null, sleeping: null, slept: null },
}

export const evolveDays = (days: Days, fact: Fact): Days => {
  const { seq, at, event } = fact
  switch (event.type) {
    case 'MessageHeard':
    case 'MessageSpoken': {
      const moment = { seq, at }
      return { ...days, last: moment, stirred: days.stirred ?? moment }
    }
    case 'ContextCarried': {
      const { upTo, carry, summary } = event
      return { ...days, consolidated: upTo, carried: carry ? { seq, text: carry } : null, summary }
    }
    case 'SleepBegan':
      return { ...days, sleeping: seq }
    case 'DayClosed':
      return { ...days, closed: event.upTo, summary: '', last: days.last && days.last.seq > event.upTo ? days.last : null }
    case 'SleepEnded': {
      const well = event.outcome === 'slept'
      // What came while she slept is of the next day.
      const rest = days.sleeping !== null && days.last && days.last.seq > days.sleeping ? days.last : null
      return { ...days, sleeping: null, slept: { at, well }, stirred: well ? rest : days.stirred }
    }
    default:
      return days.stirred || housekeeping.has(event.type) ? days : { ...days, stirred: { seq, at } }
  }
}

/** What happens by itself: a day of nothing else is no day. */
const housekeeping: ReadonlySet<EventType> = new Set<EventType>([
  ...(['StartAsked', 'StopAsked', 'RestartAsked', 'Woke', 'Stopped', 'WakingFailed', 'StatusSet'] as const),
  ...(['OrganFailed', 'OrganRecovered', 'ModelAnswered', 'ModelFailed', 'TurnBegan', 'TurnEnded'] as const),
])

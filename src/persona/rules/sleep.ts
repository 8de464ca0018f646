/** The rules of sleep: what was said gone over, by day and by night, and how the days are closed. */
import type { Seq } from '../../../journal/facts/fact-values.ts'
import type { EventOf } from '../../../journal/facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { callFacts, type OfLife, type OrganCall } from './life.ts'
import { type Lesson, learn } from './memory.ts'

/** What was said with `after < seq <= upTo` has been gone over. */
export interface Consolidate extends OfLife {
  readonly type: 'Consolidate'
  readonly after: Seq | 0
  readonly upTo: Seq
  readonly lessons: readonly Lesson[]
  /** Null leaves what is carried, and what of the day is told, as it is. */
  readonly carry: string | null
  readonly summary: string | null
  /** Words of others in both that the user did not say. */
  readonly borrowed: readonly string[]
  readonly calls: readonly OrganCall[]
}

interface BeginSleep extends OfLife {
  readonly type: 'BeginSleep'
  readonly by: 'person' | 'clock'
}

interface CloseDays extends OfLife {
  readonly type: 'CloseDays'
  /** Oldest first, each beginning where the one before it ends. */
  readonly days: readonly Omit<EventOf<'DayClosed'>, 'type' | 'after'>[]
}

interface EndSleep extends OfLife {
  readonly type: 'EndSleep'
  readonly outcome: EventOf<'SleepEnded'>['outcome']
  readonly reason: string | null
}

export type SleepCommand = Consolidate | BeginSleep | CloseDays | EndSleep

/** What the calls taught, what is carried on, and how far: in one commit, or a crash would teach it twice. */
const consolidate = (persona: Persona, command: Consolidate): Decision => {
  const { after, upTo, lessons, calls } = command
  const { days } = persona
  if (days.consolidated !== after) return refuse({ code: 'recorded_already' })
  const carry = command.carry ?? days.carried?.text ?? ''
  const summary = command.summary ?? days.summary?.text ?? ''
  const isLeft = (command.carry === null || command.summary === null) && carry + summary !== ''
  const borrowed = [...new Set([...command.borrowed, ...(isLeft ? days.borrowed : [])])]
  const asked = callFacts(persona, calls, { turn: null, step: null, cause: 'consolidation' })
  return accept(...asked, ...learn(persona, lessons), {
    type: 'ContextCarried',
    after,
    upTo,
    carry,
    summary,
    borrowed,
  })
}

const beginSleep = ({ days, talk, life }: Persona, { by }: BeginSleep): Decision => {
  if (talk.turn) return refuse({ code: 'turn_over' })
  // One that an earlier life left open is run again.
  if (days.sleeping !== null && days.sleeping > life.woke) return refuse({ code: 'asleep' })
  return accept({ type: 'SleepBegan', life: life.life, by })
}

const closeDays = ({ days: { closed } }: Persona, { days }: CloseDays): Decision => {
  if (days.some(({ upTo }, n) => upTo <= (days[n - 1]?.upTo ?? closed)))
    return refuse({ code: 'recorded_already' })
  return accept(
    ...days.map((day, n) => ({ type: 'DayClosed', after: days[n - 1]?.upTo ?? closed, ...day }) as const),
  )
}

const endSleep = ({ days, life }: Persona, { outcome, reason }: EndSleep): Decision =>
  days.sleeping === null
    ? refuse({ code: 'recorded_already' })
    : accept({ type: 'SleepEnded', life: life.life, outcome, reason })

export const sleepRules: Rules<SleepCommand> = {
  Consolidate: consolidate,
  BeginSleep: beginSleep,
  CloseDays: closeDays,
  EndSleep: endSleep,
}

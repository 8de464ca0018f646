/** Rules of sleep: messages are consolidated and days are closed. */
import type { Seq } from '../../../facts/fact-values.ts'
import type { EventOf } from '../../../facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { type InitiativeChange, planInitiatives } from './initiative.ts'
import type { OfLife } from './lifecycle.ts'
import { type Lesson, learn } from './memory.ts'
import { callFacts, type OrganCall } from './organ-health.ts'

/** The messages with `after < seq <= upTo` are consolidated. */
export interface Consolidate extends OfLife {
  readonly type: 'Consolidate'
  readonly after: Seq | 0
  readonly upTo: Seq
  readonly lessons: readonly Lesson[]
  /** Null keeps the current text. */
  readonly carry: string | null
  readonly summary: string | null
  /** Words of others in both texts that the user did not say. */
  readonly borrowed: readonly string[]
  /** Reasons to write by itself. */
  readonly initiatives?: readonly InitiativeChange[]
  readonly calls: readonly OrganCall[]
}

interface BeginSleep extends OfLife {
  readonly type: 'BeginSleep'
  readonly by: 'person' | 'clock'
}

interface CloseDays extends OfLife {
  readonly type: 'CloseDays'
  /** Oldest first, without gaps. */
  readonly days: readonly Omit<EventOf<'DayClosed'>, 'type' | 'after'>[]
}

interface EndSleep extends OfLife {
  readonly type: 'EndSleep'
  readonly outcome: EventOf<'SleepEnded'>['outcome']
  readonly reason: string | null
}

export type SleepCommand = Consolidate | BeginSleep | CloseDays | EndSleep

/** Everything in one commit, so that a crash does not repeat the lessons. */
const consolidate = (persona: Persona, command: Consolidate): Decision => {
  const { after, upTo, lessons, initiatives = [], calls } = command
  const { days } = persona
  if (days.consolidated !== after) return refuse({ code: 'recorded_already' })
  const carry = command.carry ?? days.carried?.text ?? ''
  const summary = command.summary ?? days.summary?.text ?? ''
  const keepsText = (command.carry === null || command.summary === null) && carry + summary !== ''
  const allBorrowed = [...new Set([...command.borrowed, ...(keepsText ? days.borrowed : [])])]
  const callEvents = callFacts(persona, calls, { turn: null, step: null, cause: 'consolidation' })
  return accept(...callEvents, ...learn(persona, lessons), ...planInitiatives(persona, initiatives), {
    type: 'ContextCarried',
    after,
    upTo,
    carry,
    summary,
    borrowed: allBorrowed,
  })
}

const beginSleep = ({ days, talk, life }: Persona, { by }: BeginSleep): Decision => {
  if (talk.turn) return refuse({ code: 'turn_over' })
  // A sleep that an earlier life did not finish begins again.
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

/** Rules of a life: start, stop and restart, health of organs, and the cost of their calls. */
import type { Failed, Seq, Slot, Used } from '../../../journal/facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../journal/facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'

/** A command of an agent: refused when its life is over. */
export interface OfLife {
  readonly life: number
}

/** A command of a turn: refused when its life is over or the turn has ended. */
export interface OfTurn extends OfLife {
  readonly turn: Seq
}

/** A call of an organ, successful or failed. */
export type OrganCall = { readonly used: Used } | { readonly failed: Failed }

/** Failed calls cost too. */
interface RecordCalls extends OfLife {
  readonly type: 'RecordCalls'
  readonly cause: 'consolidation' | 'history'
  readonly calls: readonly OrganCall[]
}

/** The model need not be the Mind yet. */
interface RecordMindTest extends Omit<EventOf<'MindTested'>, 'type'> {
  readonly type: 'RecordMindTest'
}

export type LifeCommand =
  | { readonly type: 'AskStart' }
  | { readonly type: 'AskStop' }
  | { readonly type: 'AskRestart' }
  | { readonly type: 'Wake' }
  | { readonly type: 'FailWaking'; readonly reason: string }
  | ({ readonly type: 'EndLife' } & OfLife)
  /** Another daemon of the cluster hosts the persona. */
  | { readonly type: 'Host'; readonly epoch: number; readonly daemon: string }
  | { readonly type: 'RecoverOrgan'; readonly slot: Slot }
  /** The Mind was unreachable for too long. */
  | { readonly type: 'FallSick'; readonly reason: string }
  | RecordMindTest
  | RecordCalls

/**
 * A start only lists the models. This does not prove that a Mind that failed in use works again; an answer
 * does.
 */
const wake = (persona: Persona): Decision => {
  if (!persona.self.wanted) return refuse({ code: 'not_active' })
  const recovery = persona.life.failed.thinking ? [] : createRecoveredEvents(persona, 'thinking')
  return accept(...recovery, { type: 'Woke', life: persona.life.life + 1 })
}

export const lifeRules: Rules<LifeCommand> = {
  AskStart: () => accept({ type: 'StartAsked' }),
  AskStop: () => accept({ type: 'StopAsked' }),
  AskRestart: () => accept({ type: 'RestartAsked' }),
  Wake: wake,
  FailWaking: (_, { reason }) => accept({ type: 'WakingFailed', reason }),
  EndLife: (_, { life }) => accept({ type: 'Stopped', life }),
  Host: (_, { epoch, daemon }) => accept({ type: 'Hosted', epoch, daemon }),
  RecoverOrgan: (persona, { slot }) => accept(...createRecoveredEvents(persona, slot)),
  // The Mind may have recovered in the meantime.
  FallSick: (persona, { reason }) =>
    accept(...(persona.life.awake && !persona.life.failed.thinking ? [] : createSickEvents(persona, reason))),
  RecordMindTest: (_, { type: _type, ...test }) => accept({ type: 'MindTested', ...test }),
  RecordCalls: (persona, { calls, cause }) =>
    accept(...callFacts(persona, calls, { turn: null, step: null, cause })),
}

/** Returns the facts of organ calls, for usage and health. */
export const callFacts = (
  persona: Persona,
  calls: readonly OrganCall[],
  context: Pick<EventOf<'ModelAnswered'>, 'turn' | 'step' | 'cause'>,
): readonly PersonaEvent[] => [
  ...calls.map((call): PersonaEvent => {
    if ('used' in call) return { type: 'ModelAnswered', ...context, ...call.used, answer: null }
    return { type: 'ModelFailed', ...context, ...call.failed }
  }),
  ...organMarkFacts(persona, calls),
]

/**
 * Marks organs that failed and recovers those that answer. A call refused for its content marks nothing. A
 * Mind that needs a user's action makes the persona sick at once.
 */
export const organMarkFacts = (persona: Persona, calls: readonly OrganCall[]): readonly PersonaEvent[] => {
  const marks = new Map<Slot, readonly PersonaEvent[]>()
  for (const call of calls) {
    if ('used' in call) marks.set(call.used.organ, createRecoveredEvents(persona, call.used.organ))
    else if (call.failed.kind !== 'refused')
      marks.set(call.failed.organ, createFailureEvents(persona, call.failed))
  }
  return [...marks.values()].flat()
}

/** When the Mind recovers, so does the persona, unless the user set it to sick. */
const createRecoveredEvents = ({ life, self }: Persona, slot: Slot): readonly PersonaEvent[] => [
  ...(life.failed[slot] ? [{ type: 'OrganRecovered', slot } as const] : []),
  ...(slot === 'thinking' && self.status === 'sick' && self.reason !== null
    ? [{ type: 'StatusSet', status: 'active', reason: 'My mind answers again.' } as const]
    : []),
]

/** A status set by the user stays: only an active persona can fall sick. */
const createSickEvents = ({ self }: Persona, reason: string): readonly PersonaEvent[] =>
  self.status === 'active' ? [{ type: 'StatusSet', status: 'sick', reason }] : []

const createFailureEvents = (
  persona: Persona,
  { organ: slot, kind, reason }: Failed,
): readonly PersonaEvent[] => {
  if (!persona.self.organs[slot]) return []
  return [
    ...(persona.life.failed[slot] ? [] : [{ type: 'OrganFailed', slot, reason } as const]),
    ...(slot === 'thinking' && kind === 'barred' ? createSickEvents(persona, reason) : []),
  ]
}

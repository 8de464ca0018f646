/**
 * The rules of a life: asked for, begun, ended; what its organs cost, when one is marked, and when the
 * persona is sick and well again.
 */
import type { Failed, Seq, Slot, Used } from '../../../journal/facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../journal/facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'

/** Of an agent: refused once the life it was made in is over. */
export interface OfLife {
  readonly life: number
}

/** Of a turn: refused once the turn has ended too. */
export interface OfTurn extends OfLife {
  readonly turn: Seq
}

/** A call of an organ: it answered, or it failed. */
export type OrganCall = { readonly used: Used } | { readonly failed: Failed }

/** Calls cost, whatever came of them. */
interface RecordCalls extends OfLife {
  readonly type: 'RecordCalls'
  readonly cause: 'consolidation' | 'history'
  readonly calls: readonly OrganCall[]
}

export type LifeCommand =
  | { readonly type: 'AskStart' }
  | { readonly type: 'AskStop' }
  | { readonly type: 'AskRestart' }
  | { readonly type: 'Wake' }
  | { readonly type: 'FailWaking'; readonly reason: string }
  | ({ readonly type: 'EndLife' } & OfLife)
  /** A daemon of the cluster has taken it over. */
  | { readonly type: 'Host'; readonly epoch: number; readonly daemon: string }
  | { readonly type: 'RecoverOrgan'; readonly slot: Slot }
  /** The Mind has been away for too long. */
  | { readonly type: 'FallSick'; readonly reason: string }
  | RecordCalls

/**
 * Its models were listed before. That makes nobody well whose Mind has failed in use: its answer does, which
 * is asked for at once.
 */
const wake = (persona: Persona): Decision => {
  if (!persona.self.wanted) return refuse({ code: 'not_active' })
  const well = persona.life.failed.thinking ? [] : recovered(persona, 'thinking')
  return accept(...well, { type: 'Woke', life: persona.life.life + 1 })
}

export const lifeRules: Rules<LifeCommand> = {
  AskStart: () => accept({ type: 'StartAsked' }),
  AskStop: () => accept({ type: 'StopAsked' }),
  AskRestart: () => accept({ type: 'RestartAsked' }),
  Wake: wake,
  FailWaking: (_, { reason }) => accept({ type: 'WakingFailed', reason }),
  EndLife: (_, { life }) => accept({ type: 'Stopped', life }),
  Host: (_, { epoch, daemon }) => accept({ type: 'Hosted', epoch, daemon }),
  RecoverOrgan: (persona, { slot }) => accept(...recovered(persona, slot)),
  // It may have recovered in this very moment.
  FallSick: (persona, { reason }) =>
    accept(...(persona.life.awake && !persona.life.failed.thinking ? [] : sickened(persona, reason))),
  RecordCalls: (persona, { calls, cause }) =>
    accept(...callFacts(persona, calls, { turn: null, step: null, cause })),
}

/** What organs were asked, as the ledger and the health have it. */
export const callFacts = (
  persona: Persona,
  calls: readonly OrganCall[],
  of: Pick<EventOf<'ModelAnswered'>, 'turn' | 'step' | 'cause'>,
): readonly PersonaEvent[] => [
  ...calls.map((call): PersonaEvent => {
    if ('used' in call) return { type: 'ModelAnswered', ...of, ...call.used, answer: null }
    return { type: 'ModelFailed', ...of, ...call.failed }
  }),
  ...marksOf(persona, calls),
]

/**
 * An organ that failed is marked, and one that answers again is well; what was refused for its words marks
 * nobody. A Mind that will not get better by itself makes the persona sick at once.
 */
export const marksOf = (persona: Persona, calls: readonly OrganCall[]): readonly PersonaEvent[] => {
  const marks = new Map<Slot, readonly PersonaEvent[]>()
  for (const call of calls) {
    if ('used' in call) marks.set(call.used.organ, recovered(persona, call.used.organ))
    else if (call.failed.kind !== 'refused') marks.set(call.failed.organ, failing(persona, call.failed))
  }
  return [...marks.values()].flat()
}

/**
 * An organ answers again. With its Mind a persona is well again, unless it was a person who called it sick.
 */
const recovered = ({ life, self }: Persona, slot: Slot): readonly PersonaEvent[] => [
  ...(life.failed[slot] ? [{ type: 'OrganRecovered', slot } as const] : []),
  ...(slot === 'thinking' && self.status === 'sick' && self.reason !== null
    ? [{ type: 'StatusSet', status: 'active', reason: 'My mind answers again.' } as const]
    : []),
]

/** What a person has decided stays: only one who is active falls sick. */
const sickened = ({ self }: Persona, reason: string): readonly PersonaEvent[] =>
  self.status === 'active' ? [{ type: 'StatusSet', status: 'sick', reason }] : []

const failing = (persona: Persona, { organ: slot, kind, reason }: Failed): readonly PersonaEvent[] => {
  if (!persona.self.organs[slot]) return []
  return [
    ...(persona.life.failed[slot] ? [] : [{ type: 'OrganFailed', slot, reason } as const]),
    ...(slot === 'thinking' && kind === 'barred' ? sickened(persona, reason) : []),
  ]
}

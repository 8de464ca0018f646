/** Rules that record the calls of organs with their cost, and mark organs as failed or recovered. */
import type { Failed, Slot, Used } from '../../../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Rules } from './decision.ts'

/** A call of an organ, successful or failed. */
export type OrganCall = { readonly used: Used } | { readonly failed: Failed }

/** Failed calls cost too. */
interface RecordCalls {
  readonly type: 'RecordCalls'
  readonly life: number
  readonly cause: 'consolidation' | 'history' | 'initiative' | 'mail'
  readonly calls: readonly OrganCall[]
}

/** Calls of models that were compared. They change nothing but the usage, not even the health of the Mind. */
interface RecordAudition {
  readonly type: 'RecordAudition'
  readonly calls: readonly OrganCall[]
}

/** The model need not be the Mind yet. */
interface RecordMindTest extends Omit<EventOf<'MindTested'>, 'type'> {
  readonly type: 'RecordMindTest'
}

export type OrganHealthCommand =
  | { readonly type: 'RecoverOrgan'; readonly slot: Slot }
  /** The Mind was unreachable for too long. */
  | { readonly type: 'FallSick'; readonly reason: string }
  | RecordMindTest
  | RecordAudition
  | RecordCalls

export const organHealthRules: Rules<OrganHealthCommand> = {
  RecoverOrgan: (persona, { slot }) => accept(...createRecoveredEvents(persona, slot)),
  // The Mind may have recovered in the meantime.
  FallSick: (persona, { reason }) =>
    accept(...(persona.life.awake && !persona.life.failed.thinking ? [] : createSickEvents(persona, reason))),
  RecordMindTest: (_, { type: _type, ...test }) => accept({ type: 'MindTested', ...test }),
  RecordAudition: (persona, { calls }) =>
    accept(...toCallFacts(persona, calls, { turn: null, step: null, cause: 'api' })),
  RecordCalls: (persona, { calls, cause }) =>
    accept(...callFacts(persona, calls, { turn: null, step: null, cause })),
}

/** Returns the facts of organ calls, for usage and health. */
export const callFacts = (
  persona: Persona,
  calls: readonly OrganCall[],
  context: CallContext,
): readonly PersonaEvent[] => [...toCallFacts(persona, calls, context), ...organMarkFacts(persona, calls)]

type CallContext = Pick<EventOf<'ModelAnswered'>, 'turn' | 'step' | 'cause'>

/** The same for models that are no organ of the persona: the health of its organs stays the same. */
export const toCallFacts = (
  _: Persona,
  calls: readonly OrganCall[],
  context: CallContext,
): readonly PersonaEvent[] =>
  calls.map((call): PersonaEvent => {
    if ('used' in call) return { type: 'ModelAnswered', ...context, ...call.used, answer: null }
    return { type: 'ModelFailed', ...context, ...call.failed }
  })

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
export const createRecoveredEvents = ({ life, self }: Persona, slot: Slot): readonly PersonaEvent[] => [
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

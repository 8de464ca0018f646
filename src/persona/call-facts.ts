/** Calls of organs as facts: what they cost, and how the organs are. */
import type { EventOf, PersonaEvent } from '../../journal/facts/facts.ts'
import type { Persona } from '../../projections/persona.ts'
import type { OrganCall } from './commands.ts'
import { marksOf } from './organ-health.ts'

/** What organs were asked, as the ledger and her health have it. */
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

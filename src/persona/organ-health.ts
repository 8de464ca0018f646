/** The rules of being well: when an organ is marked, when her Mind makes her sick, and when she is well again. */

import type { Slot } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Persona } from '../../projections/persona.ts'
import type { OrganCall } from './commands.ts'

/** An organ answers again. With her Mind she is well again, unless it was a person who called her sick. */
export const recovered = ({ life, self }: Persona, slot: Slot): readonly PersonaEvent[] => [
  ...(life.failed[slot] ? [{ type: 'OrganRecovered', slot } as const] : []),
  ...(slot === 'thinking' && self.status === 'sick' && self.reason !== null
    ? [{ type: 'StatusSet', status: 'active', reason: 'My mind answers again.' } as const]
    : []),
]

/** What a person has decided stays: only one who is active falls sick. */
export const sickened = ({ self }: Persona, reason: string): readonly PersonaEvent[] =>
  self.status === 'active' ? [{ type: 'StatusSet', status: 'sick', reason }] : []

/** An organ that failed is marked, and one that answers again is well; what was refused for its words marks nobody. A Mind that will not get better by itself makes her sick at once. */
export const marksOf = (persona: Persona, calls: readonly OrganCall[]): readonly PersonaEvent[] => {
  const marks = new Map<Slot, readonly PersonaEvent[]>()
  for (const call of calls) {
    if ('used' in call) marks.set(call.used.organ, recovered(persona, call.used.organ))
    else if (call.failed.kind !== 'refused') marks.set(call.failed.organ, failing(persona, call.failed))
  }
  return [...marks.values()].flat()
}

const failing = (
  persona: Persona,
  { organ: slot, kind, reason }: Extract<OrganCall, { failed: unknown }>['failed'],
): readonly PersonaEvent[] => {
  if (!persona.self.organs[slot]) return []
  return [
    ...(persona.life.failed[slot] ? [] : [{ type: 'OrganFailed', slot, reason } as const]),
    ...(slot === 'thinking' && kind === 'barred' ? sickened(persona, reason) : []),
  ]
}

/** The result of a rule: facts or a refusal. */
import type { PersonaEvent } from '../../../facts/facts.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Refusal } from '../refusals.ts'

export type Decision = { readonly events: readonly PersonaEvent[] } | { readonly refused: Refusal }

/** One rule per command. */
export type Rules<C extends { readonly type: string }> = {
  readonly [T in C['type']]: (persona: Persona, command: Extract<C, { readonly type: T }>) => Decision
}

export const accept = (...events: readonly PersonaEvent[]): Decision => ({ events })
export const refuse = (refusal: Refusal): Decision => ({ refused: refusal })

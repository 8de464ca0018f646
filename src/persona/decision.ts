/** What a rule answers: facts, or why not. */
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Decision } from './commands.ts'
import type { Refusal } from './refusals.ts'

export const accept = (...events: readonly PersonaEvent[]): Decision => ({ events })
export const refuse = (refusal: Refusal): Decision => ({ refused: refusal })

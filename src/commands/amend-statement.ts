/** Corrects, forgets or restores a statement by hand. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Knowledge } from '../../projections/knowledge.ts'
import type { AmendMemory } from '../persona/rules/memory.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

/**
 * Returns all knowledge. Throws Refused: persona_unknown, statement_unknown, statement_empty,
 * statement_forgotten, too_long.
 */
export const amendStatement = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  persona: PersonaId,
  change: Omit<AmendMemory, 'type'>,
): Promise<Knowledge> => {
  known(personas, persona)
  return (await personas.execute(persona, { type: 'AmendMemory', ...change }, 'person')).persona.knowledge
}

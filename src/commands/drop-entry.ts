/** Cancels an entry with all later occurrences. Also works for due entries without a reminder yet. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

/** Throws Refused: persona_unknown, plan_unknown. */
export const dropEntry = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  persona: PersonaId,
  id: string,
): Promise<void> => {
  known(personas, persona)
  await personas.execute(persona, { type: 'CancelEntry', id }, 'person')
}

/** Cancel an entry, all its later occurrences with it; also one that has fallen due and waits to be told. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

/** Refused: persona_unknown, plan_unknown. */
export const dropEntry = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  persona: PersonaId,
  id: string,
): Promise<void> => {
  known(personas, persona)
  await personas.execute(persona, { type: 'CancelEntry', id }, 'person')
}

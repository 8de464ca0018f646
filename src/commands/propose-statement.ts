/** Proposes a statement for the person to accept. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { type ProposeMemory, waitingAs } from '../persona/rules/proposals.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

/**
 * Returns whether it waits for the person; false if it is known. Throws Refused: persona_unknown,
 * statement_empty, too_long, proposals_full.
 */
export const proposeStatement = async (
  { personas, newId }: Pick<CommandDeps, 'personas' | 'newId'>,
  persona: PersonaId,
  proposal: Pick<ProposeMemory, 'document' | 'text' | 'by'>,
): Promise<{ readonly waits: boolean }> => {
  known(personas, persona)
  const id = `m${newId().replaceAll('-', '').slice(0, 12)}`
  const { proposals } = (
    await personas.execute(persona, { type: 'ProposeMemory', id, ...proposal }, 'person')
  ).persona
  return { waits: waitingAs(proposals, proposal) !== undefined }
}

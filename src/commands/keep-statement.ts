/** Writes a statement by hand. */
import type { Document, PersonaId } from '../../journal/facts/fact-values.ts'
import { type Knowledge, written } from '../../projections/knowledge.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

/**
 * Returns all knowledge and the id of the statement, which may have existed before. Throws Refused:
 * persona_unknown, statement_empty, too_long.
 */
export const keepStatement = async (
  { personas, newId }: Pick<CommandDeps, 'personas' | 'newId'>,
  persona: PersonaId,
  { document, text }: { readonly document: Document; readonly text: string },
): Promise<{ readonly knowledge: Knowledge; readonly id: string }> => {
  known(personas, persona)
  // Short, since it is part of the prompt.
  const id = `m${newId().replaceAll('-', '').slice(0, 12)}`
  const command = { type: 'KeepMemory', id, document, text, sources: [], origin: 'person' } as const
  const { knowledge } = (await personas.execute(persona, command, 'person')).persona
  return { knowledge, id: written(knowledge, document, text)?.id ?? id }
}

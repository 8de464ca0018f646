/** Adds, corrects, dates, pins, forgets, restores and proposes statements by hand. */
import type { Document, PersonaId } from '../../facts/fact-values.ts'
import { findWritten, type Knowledge, type Statement } from '../../projections/knowledge.ts'
import { valueAt } from '../../projections/persistent-map.ts'
import type { AmendMemory } from '../persona/rules/memory.ts'
import { type ProposeMemory, waitingAs } from '../persona/rules/proposals.ts'
import { knownAs } from '../persona/rules/statements.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'

/**
 * Returns all knowledge and the id of the statement, which may have existed before. Throws Refused:
 * persona_unknown, statement_empty, too_long.
 */
export const keepStatement = async (
  { personas, newId }: Pick<CommandDeps, 'personas' | 'newId'>,
  persona: PersonaId,
  { document, text }: { readonly document: Document; readonly text: string },
): Promise<{ readonly knowledge: Knowledge; readonly id: string }> => {
  requireListed(personas, persona)
  // Short, since it is part of the prompt.
  const id = `m${newId().replaceAll('-', '').slice(0, 12)}`
  const command = { type: 'KeepMemory', id, document, text, sources: [], origin: 'person' } as const
  const { knowledge } = (await personas.execute(persona, command, 'person')).persona
  return { knowledge, id: findWritten(knowledge, document, text)?.id ?? id }
}

/**
 * Returns all knowledge. Throws Refused: persona_unknown, statement_unknown, statement_empty,
 * statement_forgotten, too_long, pins_full, period_reversed.
 */
export const amendStatement = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  persona: PersonaId,
  change: Omit<AmendMemory, 'type'>,
): Promise<Knowledge> => {
  requireListed(personas, persona)
  return (await personas.execute(persona, { type: 'AmendMemory', ...change }, 'person')).persona.knowledge
}

/**
 * Returns whether it waits for the user; false if it is known. Throws Refused: persona_unknown,
 * statement_empty, too_long, proposals_full.
 */
export const proposeStatement = async (
  { personas, newId }: Pick<CommandDeps, 'personas' | 'newId'>,
  persona: PersonaId,
  proposal: Pick<ProposeMemory, 'document' | 'text' | 'by'>,
): Promise<{ readonly waits: boolean }> => {
  requireListed(personas, persona)
  const id = `m${newId().replaceAll('-', '').slice(0, 12)}`
  const { proposals } = (
    await personas.execute(persona, { type: 'ProposeMemory', id, ...proposal }, 'person')
  ).persona
  return { waits: waitingAs(proposals, proposal) !== undefined }
}

/**
 * Returns the new or equal existing statement; null if declined. Throws Refused: persona_unknown,
 * statement_unknown.
 */
export const settleProposal = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  persona: PersonaId,
  { id, accepted }: { readonly id: string; readonly accepted: boolean },
): Promise<Statement | null> => {
  requireListed(personas, persona)
  const proposal = await personas.read(persona, async (reading) => valueAt(reading.persona.proposals, id))
  const command = { type: 'SettleProposal', id, accepted } as const
  const { knowledge } = (await personas.execute(persona, command, 'person')).persona
  if (!accepted) return null
  const statement = valueAt(knowledge.statements, id)
  return statement ?? (proposal && knownAs(knowledge, { ...proposal, origin: 'person' })) ?? null
}

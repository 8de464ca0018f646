/** Accepts or declines a proposal. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Statement } from '../../projections/knowledge.ts'
import { valueAt } from '../../projections/persistent-map.ts'
import { knownAs } from '../persona/rules/memory.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

/**
 * Returns the new or equal existing statement; null if declined. Throws Refused: persona_unknown,
 * statement_unknown.
 */
export const settleProposal = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  persona: PersonaId,
  { id, accepted }: { readonly id: string; readonly accepted: boolean },
): Promise<Statement | null> => {
  known(personas, persona)
  const proposal = await personas.read(persona, async (reading) => valueAt(reading.persona.proposals, id))
  const command = { type: 'SettleProposal', id, accepted } as const
  const { knowledge } = (await personas.execute(persona, command, 'person')).persona
  if (!accepted) return null
  const kept = valueAt(knowledge.statements, id)
  return kept ?? (proposal && knownAs(knowledge, { ...proposal, origin: 'person' })) ?? null
}

/** Cancels the turn in progress. Its messages so far stay. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Agents } from '../agents/agents.ts'
import type { Personas } from '../persona/personas.ts'
import { known } from './known.ts'

interface Deps {
  readonly agents: Pick<Agents, 'saying'>
  readonly personas: Pick<Personas, 'listed' | 'execute'>
}

/** Returns whether there was a turn. Throws Refused: persona_unknown. */
export const hushTurn = async ({ agents, personas }: Deps, id: PersonaId): Promise<boolean> => {
  known(personas, id)
  const { entries } = await personas.execute(id, { type: 'Hush', said: agents.saying(id) }, 'person')
  return entries.length > 0
}

/** Whether an agent serves a persona now, for what only a live one can do. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Agents } from '../agents/agents.ts'
import { Refused } from '../persona/refusals.ts'

/** In the moment of a restart it only seems to be away. */
export const isServed = async (
  agents: Pick<Agents, 'running' | 'settled'>,
  id: PersonaId,
): Promise<boolean> => {
  if (!agents.running(id)) await agents.settled(id)
  return agents.running(id)
}

/** Refused: not_active. */
export const served = async (agents: Pick<Agents, 'running' | 'settled'>, id: PersonaId): Promise<void> => {
  if (!(await isServed(agents, id))) throw new Refused({ code: 'not_active' })
}

/** Whether an agent serves a persona, for commands that only a live one can carry out. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Agents } from '../agents/agents.ts'
import { Refused } from '../persona/refusals.ts'

/** Waits while the persona is only away for a moment. Refused: not_active. */
export const served = async (agents: Pick<Agents, 'awake'>, id: PersonaId): Promise<void> => {
  if (!(await agents.awake(id))) throw new Refused({ code: 'not_active' })
}

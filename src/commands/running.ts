/** For commands that need a running agent. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Agents } from '../agents/agents.ts'
import { Refused } from '../persona/refusals.ts'

/** Waits if the persona is only briefly away. Throws Refused: not_active. */
export const served = async (agents: Pick<Agents, 'awake'>, id: PersonaId): Promise<void> => {
  if (!(await agents.awake(id))) throw new Refused({ code: 'not_active' })
}

/** Stop: the agent ends; files and status stay as they are. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'

/** Refused: not_running. */
export const stopPersona = (
  { agents, inTurn, personas }: Pick<CommandDeps, 'agents' | 'inTurn' | 'personas'>,
  id: PersonaId,
): Promise<void> =>
  inTurn(id, async () => {
    const { running } = await agents.settled(id)
    const listed = personas.listed(id)
    // One who does not run yet is tried again until it does, or is told to rest.
    const tried = listed?.self.wanted === true && listed.trouble === null
    if (running || tried) await personas.execute(id, { type: 'AskStop' }, 'person')
    await agents.settled(id)
    if (!running) throw new Refused({ code: 'not_running' })
  })

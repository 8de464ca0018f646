/** Stops the agent. Files and status stay. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'

/** Throws Refused: not_running. */
export const stopPersona = (
  { agents, inTurn, personas }: Pick<CommandDeps, 'agents' | 'inTurn' | 'personas'>,
  id: PersonaId,
): Promise<void> =>
  inTurn(id, async () => {
    const { running } = await agents.settled(id)
    const listed = personas.listed(id)
    // A persona that does not wake is retried until it is stopped.
    const isRetried = listed?.self.wanted === true && listed.trouble === null
    if (running || isRetried) await personas.execute(id, { type: 'AskStop' }, 'person')
    await agents.settled(id)
    if (!running) throw new Refused({ code: 'not_running' })
  })

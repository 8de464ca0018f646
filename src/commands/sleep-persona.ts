/** Sleep, asked for by a person. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'

/** Refused: not_active, sleep_failed. */
export const sleepPersona = async (
  { agents, log }: Pick<CommandDeps, 'agents' | 'log'>,
  id: PersonaId,
): Promise<void> => {
  try {
    await agents.sleep(id)
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'not_active') throw error
    // Whatever cut it: stop, restart, delete, the end of the daemon.
    log.warn({ id, err: error }, 'a night was asked for and failed')
    throw new Refused({ code: 'sleep_failed' })
  }
}

/** Sleeps on request of a person. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'

/** Throws Refused: not_active, sleep_failed. */
export const sleepPersona = async (
  { agents, log }: Pick<CommandDeps, 'agents' | 'log'>,
  id: PersonaId,
): Promise<void> => {
  try {
    await agents.sleep(id)
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'not_active') throw error
    // Also after a stop, restart or deletion, or when the daemon stops.
    log.warn({ id, err: error }, 'failed to sleep on request')
    throw new Refused({ code: 'sleep_failed' })
  }
}

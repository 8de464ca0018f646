/** Waking: her Mind's door first, then the fact, then the agent. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Deps } from './route.ts'
import { HttpRefused } from './schema/refused.ts'

/** Nothing is asked of her before the door has answered: an agent that runs stays when her Mind cannot be reached. */
export const waking = async ({ agents, personas }: Pick<Deps, 'agents' | 'personas'>, id: PersonaId, type: 'AskStart' | 'AskRestart') => {
  // What kept a journal closed may have passed, and reading shows it; where it has not, asking for the Mind tells it.
  if (personas.listed(id)?.trouble) await personas.read(id, async () => {}).catch(() => undefined)
  await agents.knock(id)
  await personas.execute(id, { type }, 'person')
  const { failed } = await agents.settled(id)
  if (failed !== null) throw new HttpRefused({ code: 'not_started', reason: failed })
}

/** After something failed for which she was stopped. Never rejects: why it failed is what the caller needs to know. */
export const wakeAgain = async ({ agents, log, personas }: Pick<Deps, 'agents' | 'log' | 'personas'>, id: PersonaId): Promise<void> => {
  try {
    await personas.execute(id, { type: 'AskStart' }, 'person')
    await agents.settled(id)
  } catch (err) {
    log.warn({ id, err }, 'she could not be woken again')
  }
}

/** Waking: the Mind is asked first, then the fact, then the agent. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Agents } from '../agents/agents.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'

type Deps = Pick<CommandDeps, 'personas'> & { readonly agents: Pick<Agents, 'probeMind' | 'settled'> }

/**
 * Nothing is asked of a persona before its Mind has answered: an agent that runs stays when it cannot be
 * reached. Refused: not_started. ModelError.
 */
export const wake = async (
  { agents, personas }: Deps,
  id: PersonaId,
  type: 'AskStart' | 'AskRestart',
): Promise<void> => {
  // What kept a journal closed may have passed, and reading shows it; where it has not, asking for the Mind
  // tells it.
  if (personas.listed(id)?.trouble) await personas.read(id, async () => {}).catch(() => undefined)
  await agents.probeMind(id)
  await personas.execute(id, { type }, 'person')
  const { failed } = await agents.settled(id)
  if (failed !== null) throw new Refused({ code: 'not_started', reason: failed })
}

/** Wakes a persona: checks the Mind, then writes the fact, then starts the agent. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Agents } from '../agents/agents.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'

type Deps = Pick<CommandDeps, 'personas'> & { readonly agents: Pick<Agents, 'probeMind' | 'settled'> }

/**
 * The Mind must answer first, so that a running agent stays if it is unreachable. Throws Refused
 * (not_started) or ModelError.
 */
export const wake = async (
  { agents, personas }: Deps,
  id: PersonaId,
  type: 'AskStart' | 'AskRestart',
): Promise<void> => {
  // A read finds out whether a damaged or locked journal works again. If not, probeMind reports it.
  if (personas.listed(id)?.trouble) await personas.read(id, async () => {}).catch(() => undefined)
  await agents.probeMind(id)
  await personas.execute(id, { type }, 'person')
  const { failed } = await agents.settled(id)
  if (failed !== null) throw new Refused({ code: 'not_started', reason: failed })
}

/** Restarts the agent, or starts it if none is running. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Agents } from '../agents/agents.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { wake } from './waking.ts'

type Deps = Pick<CommandDeps, 'inTurn' | 'personas'> & {
  readonly agents: Pick<Agents, 'probeMind' | 'settled'>
}

/** Throws Refused (persona_unknown, not_started) or ModelError. */
export const restartPersona = ({ agents, inTurn, personas }: Deps, id: PersonaId): Promise<void> =>
  inTurn(id, async () => {
    known(personas, id)
    await wake({ agents, personas }, id, 'AskRestart')
  })

/** Restart: the agent is built anew from what is on disk, or started where none runs. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Agents } from '../agents/agents.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { wake } from './waking.ts'

type Deps = Pick<CommandDeps, 'inTurn' | 'personas'> & {
  readonly agents: Pick<Agents, 'probeMind' | 'settled'>
}

/** Refused: persona_unknown, not_started. ModelError. */
export const restartPersona = ({ agents, inTurn, personas }: Deps, id: PersonaId): Promise<void> =>
  inTurn(id, async () => {
    known(personas, id)
    await wake({ agents, personas }, id, 'AskRestart')
  })

/** Starts a persona, unless it is running. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { wake } from './waking.ts'

type Deps = Pick<CommandDeps, 'agents' | 'inTurn' | 'personas'>

/** Returns false if it was running. Throws Refused (persona_unknown, not_started) or ModelError. */
export const startPersona = ({ agents, inTurn, personas }: Deps, id: PersonaId): Promise<boolean> =>
  inTurn(id, async () => {
    known(personas, id)
    if (agents.running(id)) return false
    await wake({ agents, personas }, id, 'AskStart')
    return true
  })

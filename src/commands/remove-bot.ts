/** Removes all channels of a name. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

type Deps = Pick<CommandDeps, 'agents' | 'inTurn' | 'personas'>

/** Throws Refused: persona_unknown, removed_not_restarted. */
export const removeBot = ({ agents, inTurn, personas }: Deps, id: PersonaId, name: string): Promise<void> =>
  inTurn(id, async () => {
    known(personas, id)
    const { entries } = await personas.execute(id, { type: 'RemoveChannels', name }, 'person')
    const { failed } = await agents.settled(id)
    // Without a removal, the failure belongs to an earlier command.
    if (failed !== null && entries.length > 0)
      throw new Refused({ code: 'removed_not_restarted', reason: failed })
  })

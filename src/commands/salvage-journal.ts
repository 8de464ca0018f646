/** Salvages a damaged journal: the persona continues with its valid records. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Salvaged } from '../../journal/log/journal.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

type Deps = Pick<CommandDeps, 'agents' | 'diaries' | 'inTurn' | 'personas'>

/** Throws Refused (persona_unknown, not_damaged), or JournalDamaged if nothing is left. */
export const salvageJournal = (
  { agents, diaries, inTurn, personas }: Deps,
  id: PersonaId,
): Promise<Salvaged & { readonly running: boolean }> =>
  inTurn(id, async () => {
    const { trouble } = known(personas, id)
    // Before closing anything: readers of an intact journal must not be interrupted.
    if (trouble === null && (await personas.verify(id)).intact) throw new Refused({ code: 'not_damaged' })
    await diaries.cut(id)
    const salvaged = await personas.salvage(id)
    await agents.wakeIfWanted(id)
    return { ...salvaged, running: agents.running(id) }
  })

/** Update: status, name or organs are changed; an agent that runs follows. */
import { type PersonaId, Slot, type Status } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import type { DeclaredOrgans, UpdatePersona } from '../persona/rules/self.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { wantedOf } from './organ-keys.ts'
import { keylessOf, readOrgan, type Wishes } from './organ-wishes.ts'
import { prepareOrgans, saveOrgans } from './save-organs.ts'

/** What was not sent is not there; what was sent may be of whatever type. A null organ is an omitted one. */
export interface Update extends Omit<UpdatePersona, 'type' | 'organs'> {
  readonly organs: Readonly<Partial<Record<Slot, unknown>>>
}

/**
 * Refused: persona_unknown, as `readOrgan`, what the rules refuse, cut_short, updated_not_settled.
 * ModelError.
 */
export const updatePersona = async (
  deps: CommandDeps,
  id: PersonaId,
  update: Update,
  gone: AbortSignal,
): Promise<{ readonly status: Status; readonly running: boolean }> => {
  const { agents, config, inTurn, personas } = deps
  const { self } = known(personas, id)
  const wishes = readOrgans(update)
  const command = (organs: DeclaredOrgans): UpdatePersona => ({ ...update, type: 'UpdatePersona', organs })
  const judge = () => personas.would(id, command(keylessOf(wishes)))
  const save = (organs: DeclaredOrgans) => personas.execute(id, command(organs), 'person')
  await judge()

  const asked = await wantedOf(personas, self, wishes, config.urls)
  if (asked.length > 0) await prepareOrgans(deps, asked, gone)
  const { persona, entries, running, failed } = await inTurn(id, async () => {
    // While they were prepared, it may have changed or gone.
    const { self } = known(personas, id)
    await judge()
    const wanted = await wantedOf(personas, self, wishes, config.urls)
    const executed = wanted.length > 0 ? await saveOrgans(deps, self, wanted, gone, save) : await save({})
    return { ...executed, ...(await agents.settled(id)) }
  })
  // Where nothing was written, what failed is what was asked before.
  if (failed !== null && entries.length > 0)
    throw new Refused({ code: 'updated_not_settled', reason: failed })
  // A Mind that answers again makes it well in waking.
  return { status: (personas.listed(id)?.self ?? persona.self).status, running }
}

const readOrgans = ({ organs, clear }: Update): Wishes =>
  Object.fromEntries(
    Slot.options.flatMap((slot) => {
      const value = organs[slot]
      // A clear flag wins over an organ for the same slot, however broken that is.
      return value === undefined || value === null || clear.includes(slot)
        ? []
        : [[slot, readOrgan(slot, value)] as const]
    }),
  )

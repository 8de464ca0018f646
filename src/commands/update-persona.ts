/** Updates status, name or organs. A running agent follows. */
import { type PersonaId, Slot, type Status } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import type { DeclaredOrgans, UpdatePersona } from '../persona/rules/self.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { wantedOf } from './organ-keys.ts'
import { keylessOf, readOrgan, type Wishes } from './organ-wishes.ts'
import { prepareOrgans, saveOrgans } from './save-organs.ts'

/** Values may have any type. A null organ counts as missing. */
export interface Update extends Omit<UpdatePersona, 'type' | 'organs'> {
  readonly organs: Readonly<Partial<Record<Slot, unknown>>>
}

/**
 * Throws Refused (persona_unknown, as `readOrgan`, as the rules, cut_short, updated_not_settled) or
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
  const dryRun = () => personas.would(id, command(keylessOf(wishes)))
  const save = (organs: DeclaredOrgans) => personas.execute(id, command(organs), 'person')
  await dryRun()

  const requested = await wantedOf(personas, self, wishes, config.urls)
  if (requested.length > 0) await prepareOrgans(deps, requested, gone)
  const { persona, entries, running, failed } = await inTurn(id, async () => {
    // The persona may have changed meanwhile.
    const { self } = known(personas, id)
    await dryRun()
    const wanted = await wantedOf(personas, self, wishes, config.urls)
    const executed = wanted.length > 0 ? await saveOrgans(deps, self, wanted, gone, save) : await save({})
    return { ...executed, ...(await agents.settled(id)) }
  })
  // Without new facts, the failure belongs to an earlier command.
  if (failed !== null && entries.length > 0)
    throw new Refused({ code: 'updated_not_settled', reason: failed })
  // Waking may have changed the status.
  return { status: (personas.listed(id)?.self ?? persona.self).status, running }
}

const readOrgans = ({ organs, clear }: Update): Wishes =>
  Object.fromEntries(
    Slot.options.flatMap((slot) => {
      const value = organs[slot]
      // `clear` wins over an organ for the same slot, even an invalid one.
      return value === undefined || value === null || clear.includes(slot)
        ? []
        : [[slot, readOrgan(slot, value)] as const]
    }),
  )

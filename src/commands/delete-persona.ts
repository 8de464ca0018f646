/** Deletes a persona and all its files permanently. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Self } from '../../projections/self.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { askOf } from './organ-keys.ts'
import { wrappedMind } from './save-organs.ts'

type Deps = Pick<CommandDeps, 'agents' | 'diaries' | 'inTurn' | 'log' | 'models' | 'personas'>

/**
 * `force`: also if the runtime of a local model is unreachable or the journal is damaged. `purge`: also
 * deletes the diaries; otherwise the last one stays for 30 days. Throws Refused (persona_unknown,
 * damaged_unforced, not_deleted) or ModelError.
 */
export const deletePersona = (
  deps: Deps,
  id: PersonaId,
  { force, purge }: { readonly force: boolean; readonly purge: boolean },
): Promise<void> =>
  deps.inTurn(id, async () => {
    const { agents, diaries, personas } = deps
    const { self, trouble } = known(personas, id)
    if (trouble !== null && !force) throw new Refused({ code: 'damaged_unforced', trouble })
    // A damaged journal takes no facts. The damage may be found only by the write.
    const unwritable = () => force && personas.listed(id)?.trouble != null
    const writeDeletion = async () => {
      if (unwritable()) return
      await personas.execute(id, { type: 'DeletePersona', purge }, 'person').catch((error: unknown) => {
        if (!unwritable()) throw error
      })
    }
    await agents.rest(
      id,
      async () => {
        if (!purge && trouble === null) await writeLastDiary(deps, id)
        await unregister(deps, self, force)
        await writeDeletion().catch(async (error: unknown) => {
          await registerAgain(deps, self)
          throw new Refused({ code: 'not_deleted', error })
        })
      },
      'on failure',
    )
    await agents.settled(id)
    await diaries.cut(id)
    await personas.remove(id, purge)
  })

/**
 * For facts that no diary contains yet. Failures are ignored: a full disk may be the reason for the deletion.
 */
const writeLastDiary = async (
  { diaries, log, personas }: Pick<CommandDeps, 'diaries' | 'log' | 'personas'>,
  id: PersonaId,
): Promise<void> => {
  try {
    if (await personas.read(id, async ({ persona }) => persona.days.untold)) await diaries.write(id)
  } catch (err) {
    log.warn({ id, err }, 'failed to write the last diary')
  }
}

const unregister = async (
  { log, models, personas }: Pick<CommandDeps, 'log' | 'models' | 'personas'>,
  self: Self,
  force: boolean,
): Promise<void> => {
  const registered = wrappedMind(self)
  if (!registered) return
  try {
    await models.unwrap(await askOf(personas, self.id, registered.mind), registered.wrapper)
  } catch (error) {
    if (!force) throw error
    log.warn({ id: self.id, err: error }, 'failed to unregister a local model: its runtime is unreachable')
  }
}

/** Only logs failures: the caller reports why the deletion failed. */
const registerAgain = async (
  { log, models, personas }: Pick<CommandDeps, 'log' | 'models' | 'personas'>,
  self: Self,
): Promise<void> => {
  const registered = wrappedMind(self)
  if (!registered) return
  try {
    await models.wrap(await askOf(personas, self.id, registered.mind), registered.wrapper)
  } catch (err) {
    log.warn({ id: self.id, err }, 'failed to register a local model again')
  }
}

/** Delete: a persona and everything of its own, for good. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Self } from '../../projections/self.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { askOf } from './organ-keys.ts'
import { wrappedMind } from './save-organs.ts'

type Deps = Pick<CommandDeps, 'agents' | 'diaries' | 'inTurn' | 'log' | 'models' | 'personas'>

/**
 * `force`: also where the runtime of a local model cannot be reached, or the journal is damaged. `purge`: the
 * diaries too; else the last one stays for 30 days. Refused: persona_unknown, damaged_unforced, not_deleted.
 * ModelError.
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
    // A damaged journal takes no fact any more; that it is damaged may show only now.
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
        if (!purge && trouble === null) await lastDiary(deps, id)
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

/** What no diary tells yet. It goes all the same: a disk that is full may be why. */
const lastDiary = async (
  { diaries, log, personas }: Pick<CommandDeps, 'diaries' | 'log' | 'personas'>,
  id: PersonaId,
): Promise<void> => {
  try {
    if (await personas.read(id, async ({ persona }) => persona.days.untold)) await diaries.write(id)
  } catch (err) {
    log.warn({ id, err }, 'the last diary could not be written')
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
    log.warn(
      { id: self.id, err: error },
      'a local model stays registered at a runtime that cannot be reached',
    )
  }
}

/** As well as it can: why it could not be deleted is what the caller needs to know. */
const registerAgain = async (
  { log, models, personas }: Pick<CommandDeps, 'log' | 'models' | 'personas'>,
  self: Self,
): Promise<void> => {
  const registered = wrappedMind(self)
  if (!registered) return
  try {
    await models.wrap(await askOf(personas, self.id, registered.mind), registered.wrapper)
  } catch (err) {
    log.warn({ id: self.id, err }, 'a local model could not be registered again')
  }
}

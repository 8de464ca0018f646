/** POST /api/persona/{persona_id}/delete */
import * as z from 'zod'
import type { PersonaId } from '../../../journal/events.ts'
import type { Self } from '../../../projections/self.ts'
import { known } from '../known.ts'
import { askOf, wrappedMind } from '../organs.ts'
import { problemOf } from '../problems.ts'
import { HttpRefused } from '../refused.ts'
import { type Deps, route } from '../route.ts'

export const deletion = route({
  method: 'post',
  path: '/api/persona/{persona_id}/delete',
  summary: 'Delete her and everything of hers, for good',
  query: z.object({
    force: z.boolean().optional().describe('Also when the runtime of her local model cannot be reached, or her journal is damaged.'),
  }),
  reply: z.null(),
  refuses: ['persona_unknown', 'model_failed', 'damaged_unforced', 'not_deleted'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, query: { force = false } }) =>
      deps.inTurn(id, async () => {
        const { agents, personas } = deps
        const { self, trouble } = known(personas, id)
        if (trouble !== null && !force) throw new HttpRefused({ code: 'damaged_unforced', trouble })
        // A damaged journal takes no fact any more; that it is damaged may show only now.
        const write = async (type: 'AskStop' | 'DeletePersona') => {
          const unwritable = () => force && personas.listed(id)?.trouble != null
          if (unwritable()) return
          await personas.execute(id, { type }, 'person').catch((error: unknown) => {
            if (!unwritable()) throw error
          })
        }
        const ran = agents.running(id)
        if (ran) await write('AskStop')
        await agents.settled(id)
        try {
          await unregister(deps, self, force)
          await write('DeletePersona').catch(async (error: unknown) => {
            await registerAgain(deps, self)
            throw notDeleted(error)
          })
        } catch (error) {
          if (ran) await wakeAgain(deps, id)
          throw error
        }
        await agents.settled(id)
        await personas.remove(id)
        return null
      }),
})

const notDeleted = (error: unknown): HttpRefused => {
  const { detail } = problemOf(error)
  return new HttpRefused({ code: 'not_deleted', reason: typeof detail === 'string' ? detail : 'her journal cannot be written.' })
}

const unregister = async ({ log, models, personas }: Deps, self: Self, force: boolean): Promise<void> => {
  const registered = wrappedMind(self)
  if (!registered) return
  try {
    await models.unwrap(await askOf(personas, self.id, registered.mind), registered.wrapper)
  } catch (error) {
    if (!force) throw error
    log.warn({ id: self.id, err: error }, 'her local model stays registered at a runtime that cannot be reached')
  }
}

/** As well as it can: why she could not be deleted is what the caller needs to know. */
const registerAgain = async ({ log, models, personas }: Deps, self: Self): Promise<void> => {
  const registered = wrappedMind(self)
  if (!registered) return
  try {
    await models.wrap(await askOf(personas, self.id, registered.mind), registered.wrapper)
  } catch (err) {
    log.warn({ id: self.id, err }, 'her local model could not be registered again')
  }
}

const wakeAgain = async ({ agents, log, personas }: Deps, id: PersonaId): Promise<void> => {
  try {
    await personas.execute(id, { type: 'AskStart' }, 'person')
    await agents.settled(id)
  } catch (err) {
    log.warn({ id, err }, 'she could not be woken again')
  }
}

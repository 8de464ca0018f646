/** POST /api/persona/{persona_id}/delete */
import { z } from 'zod'
import type { PersonaId } from '../../../journal/events.ts'
import type { Self } from '../../../projections/self.ts'
import { known } from '../known.ts'
import { askOf, wrappedMind } from '../organs.ts'
import { type Deps, route } from '../route.ts'

export const deletion = route({
  method: 'post',
  path: '/api/persona/{persona_id}/delete',
  summary: 'Delete her and everything of hers, for good',
  query: z.object({
    force: z.boolean().optional().describe('Also when the runtime of her local model cannot be reached, or her journal is damaged.'),
  }),
  reply: z.null(),
  refuses: ['persona_unknown', 'model_failed'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, query: { force = false } }) => {
      const { agents, personas } = deps
      const { self, trouble } = known(personas, id)
      const ran = agents.running(id)
      if (ran) await personas.execute(id, { type: 'AskStop' }, 'person')
      await agents.settled(id)
      try {
        await unregister(deps, self, force)
      } catch (error) {
        if (ran) await wakeAgain(deps, id)
        throw error
      }
      // A damaged journal takes no fact any more, not even this one.
      if (trouble === null || !force) await personas.execute(id, { type: 'DeletePersona' }, 'person')
      await agents.settled(id)
      await personas.remove(id)
      return null
    },
})

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

const wakeAgain = async ({ agents, personas }: Deps, id: PersonaId): Promise<void> => {
  await personas.execute(id, { type: 'AskStart' }, 'person')
  await agents.settled(id)
}

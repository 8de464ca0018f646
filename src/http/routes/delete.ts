/** POST /api/persona/{persona_id}/delete */
import * as z from 'zod'
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import type { Self } from '../../../projections/self.ts'
import type { DeletePersona } from '../../persona/rules/self.ts'
import { known } from '../known.ts'
import { type Deps, route } from '../route.ts'
import { askOf, wrappedMind } from '../schema/organ-bodies.ts'
import { problemOf } from '../schema/problems.ts'
import { HttpRefused } from '../schema/refused.ts'
import { wakeAgain } from '../waking.ts'

export const deletion = route({
  method: 'post',
  path: '/api/persona/{persona_id}/delete',
  summary: 'Delete her and everything of hers, for good',
  query: z.object({
    force: z.boolean().optional().describe('Also when the runtime of her local model cannot be reached, or her journal is damaged.'),
    purge: z.boolean().optional().describe('Her diaries too. Else the last one stays for 30 days, which only her recovery phrase opens.'),
  }),
  reply: z.null(),
  refuses: ['persona_unknown', 'model_failed', 'damaged_unforced', 'not_deleted'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, query: { force = false, purge = false } }) =>
      deps.inTurn(id, async () => {
        const { agents, diaries, personas } = deps
        const { self, trouble } = known(personas, id)
        if (trouble !== null && !force) throw new HttpRefused({ code: 'damaged_unforced', trouble })
        // A damaged journal takes no fact any more; that it is damaged may show only now.
        const write = async (command: { readonly type: 'AskStop' } | DeletePersona) => {
          const unwritable = () => force && personas.listed(id)?.trouble != null
          if (unwritable()) return
          await personas.execute(id, command, 'person').catch((error: unknown) => {
            if (!unwritable()) throw error
          })
        }
        const ran = agents.running(id)
        if (ran) await write({ type: 'AskStop' })
        await agents.settled(id)
        if (!purge && trouble === null) await lastDiary(deps, id)
        try {
          await unregister(deps, self, force)
          await write({ type: 'DeletePersona', purge }).catch(async (error: unknown) => {
            await registerAgain(deps, self)
            throw notDeleted(error)
          })
        } catch (error) {
          if (ran) await wakeAgain(deps, id)
          throw error
        }
        await agents.settled(id)
        await diaries.cut(id)
        await personas.remove(id, purge)
        return null
      }),
})

const notDeleted = (error: unknown): HttpRefused => {
  const { detail } = problemOf(error)
  return new HttpRefused({ code: 'not_deleted', reason: typeof detail === 'string' ? detail : 'her journal cannot be written.' })
}

/** What no diary tells yet. She goes all the same: a disk that is full may be why. */
const lastDiary = async ({ diaries, log, personas }: Deps, id: PersonaId): Promise<void> => {
  try {
    if (await personas.read(id, async ({ persona }) => persona.days.untold)) await diaries.write(id)
  } catch (err) {
    log.warn({ id, err }, 'her last diary could not be written')
  }
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

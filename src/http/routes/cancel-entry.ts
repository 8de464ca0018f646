/** DELETE /api/persona/{persona_id}/calendar/{id} */
import * as z from 'zod'
import { known } from '../../commands/known.ts'
import { route } from '../route.ts'

export const cancelEntry = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/calendar/{id}',
  summary: 'Cancel an entry, all its later occurrences with it; also one that has fallen due and waits to be told',
  reply: z.null(),
  refuses: ['persona_unknown', 'plan_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id, id: entry } }) => {
      known(personas, id)
      await personas.execute(id, { type: 'CancelEntry', id: entry }, 'person')
      return null
    },
})

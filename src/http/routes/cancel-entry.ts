/** DELETE /api/persona/{persona_id}/calendar/{id} */
import * as z from 'zod'
import { dropEntry } from '../../commands/calendar.ts'
import { route } from '../route.ts'

export const cancelEntry = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/calendar/{id}',
  summary:
    'Cancel an entry, all its later occurrences with it; also one that has fallen due and waits to be told',
  description: 'The entry stays in the journal and is told no more.',
  tag: 'Calendar',
  reply: z.null(),
  refuses: ['persona_unknown', 'plan_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await dropEntry(deps, persona, id)
      return null
    },
})

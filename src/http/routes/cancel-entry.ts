/** DELETE /api/persona/{persona_id}/calendar/{id} */
import * as z from 'zod'
import { dropEntry } from '../../commands/calendar.ts'
import { route } from '../route.ts'

export const cancelEntryRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/calendar/{id}',
  summary:
    'Cancel an entry with all its later occurrences, or one that has fallen due and was not delivered yet',
  description: 'The entry stays in the journal, but the persona no longer reminds of it.',
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

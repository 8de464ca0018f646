/** GET /api/persona/{persona_id}/conversation */
import * as z from 'zod'
import type { Entry } from '../../../journal/log/journal.ts'
import { messageOf } from '../../../projections/conversation.ts'
import { known } from '../../commands/known.ts'
import { isoWithOffset } from '../../time/clock.ts'
import { route } from '../route.ts'
import { deliveriesOf } from '../schema/delivery-states.ts'
import { Conversation } from '../schema/shapes.ts'

export const conversation = route({
  method: 'get',
  path: '/api/persona/{persona_id}/conversation',
  summary: 'What was said, the oldest first; backwards through its whole life by `before`',
  query: z.object({
    limit: z.int().min(1).max(1000).default(200),
    before: z.int().min(1).optional().describe('Only messages with a smaller id.'),
  }),
  reply: Conversation,
  refuses: ['persona_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id }, query: { limit, before } }) => {
      known(personas, id)
      const upTo = before === undefined ? {} : { upTo: before - 1 }
      // One more than asked for tells whether there are more.
      if (before === 1) return { messages: [], has_more: false }
      return personas.read(id, async (reading) => {
        const entries: Entry[] = []
        for await (const entry of reading.journal.read({ kind: 'talk', last: limit + 1, ...upTo }))
          entries.push(entry)
        const shown = entries.slice(-limit)
        const deliveries = await deliveriesOf(reading, shown)
        const messages = shown.flatMap(
          (entry) =>
            messageOf(id, entry, isoWithOffset(entry.at, entry.offset), deliveries.get(entry.seq)) ?? [],
        )
        return { messages, has_more: entries.length > limit }
      })
    },
})

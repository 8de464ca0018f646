/** GET /api/persona/{persona_id}/conversation */
import * as z from 'zod'
import type { Entry } from '../../../journal/journal.ts'
import { messageOf } from '../../../projections/conversation.ts'
import { isoWithOffset } from '../../clock.ts'
import { known } from '../known.ts'
import { route } from '../route.ts'
import { Conversation } from '../shapes.ts'

export const conversation = route({
  method: 'get',
  path: '/api/persona/{persona_id}/conversation',
  summary: 'What was said, the oldest first; backwards through her whole life by `before`',
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
      const entries: Entry[] = []
      if (before !== 1) {
        await personas.read(id, async ({ journal }) => {
          for await (const entry of journal.read({ kind: 'talk', last: limit + 1, ...upTo })) entries.push(entry)
        })
      }
      const messages = entries.slice(-limit).flatMap((entry) => messageOf(id, entry, isoWithOffset(entry.at, entry.offset)) ?? [])
      return { messages, has_more: entries.length > limit }
    },
})

/** GET /api/persona/{persona_id}/conversation */
import * as z from 'zod'
import { known } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { conversationPage } from '../schema/conversation-page.ts'
import { Conversation } from '../schema/shapes.ts'

export const getConversationRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/conversation',
  summary: 'The conversation, the oldest message first. Use `before` to page back through its whole life',
  description: 'A page of the messages of all channels, with files and delivery states.',
  tag: 'Talk',
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
      if (before === 1) return { messages: [], has_more: false }
      return personas.read(id, (reading) => conversationPage(id, reading, { limit, ...upTo }))
    },
})

/** GET /api/persona/{persona_id}/memories */
import * as z from 'zod'
import { memoriesOf } from '../../../projections/memories.ts'
import { proposedOf } from '../../../projections/proposals.ts'
import { known } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { Memories } from '../schema/shapes.ts'
import { timeIn } from '../schema/statements.ts'

export const memories = route({
  method: 'get',
  path: '/api/persona/{persona_id}/memories',
  summary: 'What the persona knows as single statements with their sources, and what it was to forget',
  description:
    'Each statement with the messages that it comes from, and who made it. Beside them, what programs propose.',
  tag: 'Memory',
  query: z.object({
    source: z.int().min(1).optional().describe('Only those that come from this record of its journal.'),
  }),
  reply: Memories,
  refuses: ['persona_unknown'],
  handle:
    ({ personas, clock }) =>
    async ({ params: { persona_id: id }, query: { source = null } }) => {
      known(personas, id)
      return personas.read(id, async ({ persona: { knowledge, proposals } }) => ({
        memories: memoriesOf(knowledge, source, timeIn(clock)),
        proposed: source === null ? proposedOf(proposals, timeIn(clock)) : [],
      }))
    },
})

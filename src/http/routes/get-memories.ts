/** GET /api/persona/{persona_id}/memories */
import * as z from 'zod'
import { memoriesOf } from '../../../projections/memories.ts'
import { proposedOf } from '../../../projections/proposals.ts'
import { known } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { Memories } from '../schema/shapes.ts'
import { timeIn } from '../schema/statements.ts'

export const getMemoriesRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/memories',
  summary: 'The memory of the persona as single statements with their sources, and the forgotten ones',
  description: 'Each statement with its source messages and its author, and the proposals of programs.',
  tag: 'Memory',
  query: z.object({
    source: z
      .int()
      .min(1)
      .optional()
      .describe('Only statements with this record of the journal as a source.'),
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

/** PATCH /api/persona/{persona_id}/proposals/{id} */
import * as z from 'zod'
import { memoryOf } from '../../../projections/memories.ts'
import { settleProposal } from '../../commands/memory.ts'
import { route } from '../route.ts'
import { Memory } from '../schema/shapes.ts'
import { timeIn } from '../schema/statements.ts'

export const settleProposedRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/proposals/{id}',
  summary: 'Accept the proposal of a program, which makes it a statement, or decline it',
  description: 'The persona does not know a proposal before it is accepted. A declined one is deleted.',
  tag: 'Memory',
  body: z.object({ accepted: z.boolean() }).meta({ id: 'ProposalAnswer' }),
  reply: z
    .object({ memory: Memory.nullable().describe('Null if it was declined.') })
    .meta({ id: 'ProposalSettled' }),
  refuses: ['persona_unknown', 'statement_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body: { accepted } }) => {
      const statement = await settleProposal(deps, persona, { id, accepted })
      return { memory: statement && memoryOf(statement, timeIn(deps.clock)) }
    },
})

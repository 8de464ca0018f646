/** GET /api/persona/{persona_id}/approvals */
import { waitingApprovals } from '../../commands/tools.ts'
import { route } from '../route.ts'
import { timeIn } from '../schema/statements.ts'
import { Approvals } from '../schema/tool-shapes.ts'

export const approvals = route({
  method: 'get',
  path: '/api/persona/{persona_id}/approvals',
  summary: 'The calls of tools that wait for the word of the person',
  description:
    'Oldest first. The turn that asks waits aside, and others are taken meanwhile; after a day without an answer it counts as no.',
  tag: 'Tools',
  reply: Approvals,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      const waiting = await waitingApprovals(deps, id)
      const time = timeIn(deps.clock)
      return { approvals: waiting.map(({ asked, ...one }) => ({ ...one, asked_at: time(asked) })) }
    },
})

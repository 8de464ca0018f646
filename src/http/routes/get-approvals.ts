/** GET /api/persona/{persona_id}/approvals */
import { waitingApprovals } from '../../commands/tools.ts'
import { route } from '../route.ts'
import { timeIn } from '../schema/statements.ts'
import { Approvals } from '../schema/tool-shapes.ts'

export const getApprovalsRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/approvals',
  summary: 'The tool calls that wait for a decision of the user',
  description:
    'The oldest first. The turn of such a call is suspended, and other turns run meanwhile. Without a decision within a day the call is denied.',
  tag: 'Tools',
  reply: Approvals,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      const waiting = await waitingApprovals(deps, id)
      const time = timeIn(deps.clock)
      return {
        approvals: waiting.map(({ asked: askedAt, ...approval }) => ({
          ...approval,
          asked_at: time(askedAt),
        })),
      }
    },
})

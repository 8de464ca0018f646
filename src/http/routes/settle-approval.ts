/** POST /api/persona/{persona_id}/approvals/{id} */
import * as z from 'zod'
import { known } from '../../commands/lifecycle.ts'
import { settleApproval } from '../../commands/tools.ts'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'

export const settleApprovalRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/approvals/{id}',
  summary: 'Decide whether a tool may be used: for this call, always, or not',
  description:
    '`always` applies to that tool of that server with its current definition. The turn continues immediately if the persona is running, otherwise when it is started.',
  tag: 'Tools',
  body: z.object({ decision: z.enum(['once', 'always', 'no']) }).meta({ id: 'ApprovalRequest' }),
  reply: z.object({ status: z.literal('settled') }).meta({ id: 'ApprovalSettled' }),
  refuses: ['persona_unknown', 'approval_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body: { decision } }) => {
      known(deps.personas, persona)
      if (!/^[1-9]\d{0,15}$/.test(id)) throw new Refused({ code: 'approval_unknown' })
      await settleApproval(deps, persona, { approval: Number(id), decision })
      return { status: 'settled' } as const
    },
})

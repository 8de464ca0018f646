/** POST /api/persona/{persona_id}/approvals/{id} */
import * as z from 'zod'
import { known } from '../../commands/lifecycle.ts'
import { settleApproval } from '../../commands/tools.ts'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'

export const approval = route({
  method: 'post',
  path: '/api/persona/{persona_id}/approvals/{id}',
  summary: 'Answer whether a tool may be used: for this call, always, or not',
  description:
    '`always` is for that tool of that server as it is described now. The turn goes on at once where the persona runs, else when it runs again.',
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

/** DELETE /api/persona/{persona_id}/memories/{id} */
import * as z from 'zod'
import { amendStatement } from '../../commands/memory.ts'
import { route } from '../route.ts'

export const forgetMemoryRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/memories/{id}',
  summary:
    'Forget a statement. The persona does not learn it again from earlier messages. It can be restored',
  description: 'A PATCH with `forgotten: false` restores it.',
  tag: 'Memory',
  reply: z.null(),
  refuses: ['persona_unknown', 'statement_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await amendStatement(deps, persona, { id, text: null, forgotten: true })
      return null
    },
})

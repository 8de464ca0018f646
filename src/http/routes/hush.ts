/** POST /api/persona/{persona_id}/hush */
import * as z from 'zod'
import { hushTurn } from '../../commands/talk.ts'
import { route } from '../route.ts'

export const hushRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/hush',
  summary: 'Stop the turn in progress. The text so far stays',
  description: 'Returns a status and does nothing if no turn is in progress.',
  tag: 'Talk',
  reply: z.object({ status: z.enum(['hushed', 'quiet']) }).meta({ id: 'Hushed' }),
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => ({
      status: (await hushTurn(deps, id)) ? ('hushed' as const) : ('quiet' as const),
    }),
})

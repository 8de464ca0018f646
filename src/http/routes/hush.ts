/** POST /api/persona/{persona_id}/hush */
import * as z from 'zod'
import { hushTurn } from '../../commands/talk.ts'
import { route } from '../route.ts'

export const hush = route({
  method: 'post',
  path: '/api/persona/{persona_id}/hush',
  summary: 'End the turn in progress; what it had said stays',
  description: 'Where no turn is in progress it says so and does nothing.',
  tag: 'Talk',
  reply: z.object({ status: z.enum(['hushed', 'quiet']) }).meta({ id: 'Hushed' }),
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => ({
      status: (await hushTurn(deps, id)) ? ('hushed' as const) : ('quiet' as const),
    }),
})

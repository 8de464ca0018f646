/** POST /api/persona/{persona_id}/hush */
import * as z from 'zod'
import { known } from '../known.ts'
import { route } from '../route.ts'

export const hush = route({
  method: 'post',
  path: '/api/persona/{persona_id}/hush',
  summary: 'End the turn in progress; what she had said stays',
  reply: z.object({ status: z.enum(['hushed', 'quiet']) }).meta({ id: 'Hushed' }),
  refuses: ['persona_unknown'],
  handle:
    ({ agents, personas }) =>
    async ({ params: { persona_id: id } }) => {
      known(personas, id)
      const { entries } = await personas.execute(id, { type: 'Hush', said: agents.saying(id) }, 'person')
      return { status: entries.length > 0 ? ('hushed' as const) : ('quiet' as const) }
    },
})

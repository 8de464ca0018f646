/** DELETE /api/persona/{persona_id}/memories/{id} */
import * as z from 'zod'
import { known } from '../../commands/known.ts'
import { route } from '../route.ts'

export const forgetMemory = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/memories/{id}',
  summary: 'Forget a statement; it is not learned again from what was said before, and can be brought back',
  reply: z.null(),
  refuses: ['persona_unknown', 'statement_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: persona, id } }) => {
      known(personas, persona)
      await personas.execute(persona, { type: 'AmendMemory', id, text: null, forgotten: true }, 'person')
      return null
    },
})

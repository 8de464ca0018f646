/** PATCH /api/persona/{persona_id}/memories/{id} */
import * as z from 'zod'
import { known } from '../../commands/known.ts'
import { route } from '../route.ts'
import { Memory } from '../schema/shapes.ts'
import { memoryIn } from '../schema/statements.ts'

export const amendMemory = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/memories/{id}',
  summary: 'Put a statement right, forget it, or bring it back',
  body: z.object({ text: z.string().nullish(), forgotten: z.boolean().nullish() }).meta({ id: 'MemoryChange' }),
  reply: Memory,
  refuses: ['persona_unknown', 'statement_unknown', 'statement_empty', 'statement_forgotten', 'too_long'],
  handle:
    ({ personas, clock }) =>
    async ({ params: { persona_id: persona, id }, body: { text = null, forgotten = null } }) => {
      known(personas, persona)
      const executed = await personas.execute(persona, { type: 'AmendMemory', id, text, forgotten }, 'person')
      return memoryIn(executed.persona.knowledge, id, clock)
    },
})

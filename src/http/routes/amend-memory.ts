/** PATCH /api/persona/{persona_id}/memories/{id} */
import * as z from 'zod'
import { amendStatement } from '../../commands/memory.ts'
import { route } from '../route.ts'
import { Memory } from '../schema/shapes.ts'
import { findMemory } from '../schema/statements.ts'

export const amendMemoryRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/memories/{id}',
  summary: 'Correct a statement, forget it, or restore it',
  description:
    'Fields that are not sent stay. A corrected statement keeps its sources, and its history has the earlier text.',
  tag: 'Memory',
  body: z
    .object({ text: z.string().nullish(), forgotten: z.boolean().nullish() })
    .meta({ id: 'MemoryChange' }),
  reply: Memory,
  refuses: ['persona_unknown', 'statement_unknown', 'statement_empty', 'statement_forgotten', 'too_long'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body: { text = null, forgotten = null } }) =>
      findMemory(await amendStatement(deps, persona, { id, text, forgotten }), id, deps.clock),
})

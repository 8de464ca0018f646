/** POST /api/persona/{persona_id}/memories */
import * as z from 'zod'
import { Document } from '../../../journal/facts/fact-values.ts'
import { keepStatement } from '../../commands/memory.ts'
import { route } from '../route.ts'
import { Memory } from '../schema/shapes.ts'
import { findMemory } from '../schema/statements.ts'

export const writeMemoryRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/memories',
  summary: 'Add a statement to the memory of the persona. The same text is not added twice',
  description: 'Its author is the user.',
  tag: 'Memory',
  body: z.object({ document: Document, text: z.string() }).meta({ id: 'MemoryRequest' }),
  reply: Memory,
  refuses: ['persona_unknown', 'statement_empty', 'too_long'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona }, body }) => {
      const { knowledge, id } = await keepStatement(deps, persona, body)
      return findMemory(knowledge, id, deps.clock)
    },
})

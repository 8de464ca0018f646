/** GET /api/persona/{persona_id}/knowledge */
import * as z from 'zod'
import { Document } from '../../../journal/facts/fact-values.ts'
import { documentsOf } from '../../../projections/knowledge.ts'
import { known } from '../../commands/known.ts'
import { instructionsOf } from '../../mind/prompt/instructions.ts'
import { route } from '../route.ts'

const Knowledge = z
  .object({
    memory: z
      .partialRecord(Document, z.string())
      .describe('Markdown; a document without a statement is left out.'),
    instruction: z
      .array(z.object({ intention: z.string(), body: z.string(), source: z.enum(['builtin', 'custom']) }))
      .readonly(),
  })
  .meta({ id: 'Knowledge' })

export const knowledge = route({
  method: 'get',
  path: '/api/persona/{persona_id}/knowledge',
  summary: 'What the persona knows, and how it handles kinds of moments',
  reply: Knowledge,
  refuses: ['persona_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id } }) => {
      known(personas, id)
      return personas.read(id, async ({ persona: { knowledge } }) => ({
        memory: documentsOf(knowledge),
        instruction: instructionsOf(knowledge),
      }))
    },
})

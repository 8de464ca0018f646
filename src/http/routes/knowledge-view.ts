/** Shows the memory of a persona by documents, and its instructions. */
import * as z from 'zod'
import { Document } from '../../../journal/facts/fact-values.ts'
import { type Knowledge as Known, toDocuments } from '../../../projections/knowledge.ts'
import { listInstructions } from '../../mind/prompt/instructions.ts'

export const Knowledge = z
  .object({
    memory: z
      .partialRecord(Document, z.string())
      .describe('Markdown; a document without a statement is left out.'),
    instruction: z
      .array(z.object({ intention: z.string(), body: z.string(), source: z.enum(['builtin', 'custom']) }))
      .readonly(),
  })
  .meta({ id: 'Knowledge' })

export const knowledgeView = (knowledge: Known) => ({
  memory: toDocuments(knowledge),
  instruction: listInstructions(knowledge),
})

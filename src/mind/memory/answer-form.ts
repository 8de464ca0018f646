/** Converts the form of an answer, such as that of a consolidation, for the model. */
import * as z from 'zod'
import type { AnswerForm } from '../../../packages/models/mind.ts'

/**
 * Uses only keywords that all providers accept: every property is required, and numbers have no range.
 * Source: developers.openai.com/api/docs/guides/structured-outputs
 */
export const toAnswerForm = (answer: z.ZodObject, name = 'consolidation'): AnswerForm => {
  const { $schema: _, ...schema } = z.toJSONSchema(answer, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.minimum
      delete jsonSchema.maximum
    },
  })
  return { name, schema }
}

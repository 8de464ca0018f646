/** The answer of a consolidation: the form that providers get, and the parser. */
import * as z from 'zod'
import { Document } from '../../../journal/facts/fact-values.ts'
import { isPartialDate } from '../../../packages/kit/time/partial-date.ts'
import { cutTo } from '../prompt/marked-data.ts'
import { toAnswerForm } from './answer-form.ts'

export const maxOperations = 40
/** UTF-16 units of `carry`, and of `summary`. */
const maxCarryLength = 4000

const Sources = z.array(z.int())
const Ids = z.array(z.string())
const Text = z.string()

/** The form that the model is asked for. An answer in another form is still read if possible. */
export const answerForm = toAnswerForm(
  z.strictObject({
    carry: Text,
    summary: Text,
    operations: z.array(
      z.union([
        z.strictObject({
          op: z.literal('keep'),
          document: Document,
          text: Text,
          sources: Sources,
          from: Text,
          until: Text,
          pin: z.boolean(),
        }),
        z.strictObject({
          op: z.literal('revise'),
          id: Text,
          text: Text,
          sources: Sources,
          from: Text,
          until: Text,
        }),
        z.strictObject({ op: z.literal('forget'), id: Text, why: Text }),
        z.strictObject({
          op: z.literal('merge'),
          ids: Ids,
          text: Text,
          sources: Sources,
          from: Text,
          until: Text,
        }),
        z.strictObject({ op: z.enum(['pin', 'unpin']), ids: Ids }),
      ]),
    ),
  }),
)

/** A date that cannot be read is left out. */
const DateField = z
  .string()
  .refine((text) => isPartialDate(text))
  .nullable()
  .catch(null)
const PeriodFields = { from: DateField.default(null), until: DateField.default(null) }
export const KeepFields = {
  op: z.literal('keep'),
  text: z.string(),
  sources: Sources,
  ...PeriodFields,
  pin: z.boolean().catch(false),
}

export const Operation = z.discriminatedUnion('op', [
  z.object({ ...KeepFields, document: Document }),
  z.object({
    op: z.literal('revise'),
    id: z.string(),
    text: z.string(),
    sources: Sources,
    ...PeriodFields,
  }),
  z.object({ op: z.literal('forget'), id: z.string(), why: z.string().catch('') }),
  z.object({
    op: z.literal('merge'),
    ids: Ids,
    text: z.string(),
    sources: Sources.catch([]),
    ...PeriodFields,
  }),
  z.object({ op: z.enum(['pin', 'unpin']), ids: Ids }),
])
export type Operation = z.infer<typeof Operation>
const Answer = z.object({
  operations: z.array(z.unknown()),
  carry: z.string().nullable().catch(null),
  summary: z.string().nullable().catch(null),
})

/** Returns null if the answer has the wrong form. Cuts lists and texts to their limits. */
export const readAnswer = (text: string): z.infer<typeof Answer> | null => {
  const answer = Answer.safeParse(objectIn(text))
  if (!answer.success) return null
  const { operations, carry, summary } = answer.data
  const cutCarry = (words: string | null) => words && cutTo(words.trim(), maxCarryLength)
  return {
    operations: operations.slice(0, maxOperations),
    carry: cutCarry(carry),
    summary: cutCarry(summary),
  }
}

/**
 * Finds the first complete JSON object with operations. Models often wrap it in other text or reason before
 * it.
 */
const objectIn = (text: string): unknown => {
  const begins = findAll(text, '{').slice(0, maxOpenings)
  const ends = findAll(text, '}').slice(-maxOpenings).reverse()
  for (const begin of begins) {
    for (const end of ends) {
      const value = end > begin ? parseJson(text.slice(begin, end + 1)) : undefined
      if (Answer.safeParse(value).success) return value
    }
  }
  return undefined
}

const maxOpenings = 8

const findAll = (text: string, sign: string): readonly number[] =>
  // Linear: one sign.
  [...text.matchAll(new RegExp(`\\${sign}`, 'g'))].map(({ index }) => index)

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

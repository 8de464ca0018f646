/** The answer of a consolidation: the form that the model is asked for, and its lenient reading. */
import * as z from 'zod'
import { Document, InitiativeKind } from '../../../facts/fact-values.ts'
import { isObject } from '../../../packages/kit/is-object.ts'
import { isPartialDate } from '../../../packages/kit/time/partial-date.ts'
import { coerceInput, type InputSchema } from '../prompt/coerce-input.ts'
import { parseLenientJson } from '../prompt/lenient-json.ts'
import { cutTo } from '../prompt/marked-data.ts'
import { toAnswerForm } from './answer-form.ts'

export const maxOperations = 40
/** UTF-16 units of `carry`, and of `summary`. */
const maxCarryLength = 4000

const Text = z.string()
const Ids = z.array(z.string())
const Sources = z.array(z.int())
const period = { from: Text, until: Text }

const forms = [
  z.strictObject({
    op: z.literal('keep'),
    document: Document,
    text: Text,
    sources: Sources,
    ...period,
    pin: z.boolean(),
  }),
  z.strictObject({ op: z.literal('revise'), id: Text, text: Text, sources: Sources, ...period }),
  z.strictObject({ op: z.literal('forget'), id: Text, why: Text }),
  z.strictObject({ op: z.literal('merge'), ids: Ids, text: Text, sources: Sources, ...period }),
  z.strictObject({ op: z.enum(['pin', 'unpin']), ids: Ids }),
] as const
const initiativeForm = z.strictObject({
  op: z.literal('initiative'),
  id: Text,
  kind: InitiativeKind,
  at: Text,
  text: Text,
  sources: Sources,
  yearly: z.boolean(),
})
const createForm = (operation: z.ZodType) =>
  toAnswerForm(z.strictObject({ carry: Text, summary: Text, operations: z.array(operation) }))

/** An answer in another form is still read if possible. */
export const consolidationForm = createForm(z.union(forms))
/** For a persona that may write by itself. */
export const initiativeConsolidationForm = createForm(z.union([...forms, initiativeForm]))

/** A time after a date is dropped. A date that cannot be read is left out. */
const DateField = z
  .string()
  .transform((text) => text.trim().replace(/^(\d[\d-]*)[T ]\d{1,2}:.*$/, '$1'))
  .refine((text) => isPartialDate(text))
  .nullable()
  .catch(null)
  .default(null)
const PeriodFields = { from: DateField, until: DateField }
export const KeepFields = {
  op: z.literal('keep'),
  text: z.string(),
  sources: Sources,
  ...PeriodFields,
  pin: z.boolean().catch(false),
}

const Operation = z.discriminatedUnion('op', [
  z.object({ ...KeepFields, document: Document }),
  z.object({ op: z.literal('revise'), id: z.string(), text: z.string(), sources: Sources, ...PeriodFields }),
  z.object({ op: z.literal('forget'), id: z.string(), why: z.string().catch('') }),
  z.object({
    op: z.literal('merge'),
    ids: Ids,
    text: z.string(),
    sources: Sources.catch([]),
    ...PeriodFields,
  }),
  z.object({ op: z.enum(['pin', 'unpin']), ids: Ids }),
  z.object({
    op: z.literal('initiative'),
    id: z.string().catch(''),
    kind: InitiativeKind,
    at: z.string(),
    text: z.string(),
    sources: Sources,
    yearly: z.boolean().catch(false),
  }),
])
export type Operation = z.infer<typeof Operation>

/** The fields of all operations. Models confuse which of them has which. */
const fields = z.toJSONSchema(
  z
    .object({
      op: z.enum(['keep', 'revise', 'forget', 'merge', 'pin', 'unpin', 'initiative']),
      kind: InitiativeKind,
      at: Text,
      yearly: z.boolean(),
      document: Document,
      text: Text,
      id: Text,
      why: Text,
      ...period,
      pin: z.boolean(),
    })
    .partial(),
) as InputSchema

/** Corrects types and spellings, such as "Person" or one number for a list. Each schema then validates it. */
export const coerceOperation = (value: unknown): unknown => {
  const fieldValues = coerceInput(fields, value)
  if (!isObject(value) || !isObject(fieldValues)) return fieldValues
  const ids = toWords(value.ids ?? fieldValues.id)
  return {
    id: ids.length === 1 ? ids[0] : undefined,
    ...fieldValues,
    ids,
    sources: toWords(value.sources).map(Number).filter(Number.isSafeInteger),
  }
}

/** Splits "m1, [m2]" and lists with such elements. */
const toWords = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((element) =>
    typeof element === 'string' || typeof element === 'number'
      ? (String(element).match(/[^\s,;[\]"']+/g) ?? [])
      : [],
  )

/** Returns undefined for an operation that cannot be read. */
export const readOperation = (value: unknown): Operation | undefined =>
  Operation.safeParse(coerceOperation(value)).data

const toList = (value: unknown): unknown => {
  const parsedValue = typeof value === 'string' ? parseLenientJson(value) : value
  return isObject(parsedValue) ? [parsedValue] : parsedValue
}

const Answer = z.object({
  operations: z.preprocess(toList, z.array(z.unknown())),
  carry: z.string().nullable().catch(null),
  summary: z.string().nullable().catch(null),
})

/** Returns null if the answer has the wrong form. Cuts lists and texts to their limits. */
export const readAnswer = (text: string): z.infer<typeof Answer> | null => {
  const answer = findAnswer(text)
  if (!answer) return null
  const { operations, carry, summary } = answer
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
const findAnswer = (text: string): z.infer<typeof Answer> | undefined => {
  const begins = findAll(text, '{').slice(0, maxOpenings)
  const ends = findAll(text, '}').slice(-maxOpenings).reverse()
  for (const begin of begins) {
    for (const end of ends) {
      const value = end > begin ? parseJson(text.slice(begin, end + 1)) : undefined
      const { data } = Answer.safeParse(value)
      if (data) return data
    }
  }
  // A cut-off answer is not repaired: its last statement may be half a sentence.
  const isComplete = /\}[\s`\]]*$/.test(text.slice(-100))
  return isComplete ? Answer.safeParse(parseLenientJson(text)).data : undefined
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

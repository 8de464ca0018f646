/** Describes the input of a tool to the model: its schema, and what is wrong with a value. */
import type * as z from 'zod'
import type { InputSchema } from '../prompt/coerce-input.ts'

/** Keeps the parts that a model needs. Limits are enforced by `coerceInput` and by validation. */
export const toParameters = ({
  type,
  enum: options,
  description,
  properties,
  required = [],
  items,
  anyOf,
}: InputSchema): Readonly<Record<string, unknown>> => ({
  ...(type && { type }),
  ...(options && { enum: options }),
  ...(description && { description }),
  ...(properties && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, toParameters(property)]),
    ),
  }),
  ...(required.length > 0 && { required }),
  ...(items && { items: toParameters(items) }),
  ...(anyOf && { anyOf: anyOf.map(toParameters) }),
})

/**
 * Returns one sentence about the first wrong field, with an example, except for a choice: a weak model would
 * copy it.
 */
export const describeInputError = (error: z.ZodError, schema: InputSchema, input: unknown): string => {
  const [issue] = error.issues
  const path = issue?.path ?? []
  const [name] = path
  if (typeof name !== 'string') return `The input must be a JSON object, such as ${exampleObject(schema)}.`
  const property = schema.properties?.[name] ?? {}
  const value = (input as Readonly<Record<string, unknown>>)[name]
  const example = `such as {"${name}": ${JSON.stringify(toExample(name, property))}}`
  if (value === undefined) return `${name} is missing, ${example}.`
  if (property.enum) return `${name} must be one of these: ${property.enum.join(', ')}.`
  const { maxLength } = property
  if (maxLength !== undefined && typeof value === 'string' && value.length > maxLength)
    return `${name} is longer than ${maxLength} characters, ${example}.`
  return `${name} does not fit, ${example}.`
}

const exampleObject = ({ properties = {}, required = [] }: InputSchema): string => {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return JSON.stringify(
    Object.fromEntries(names.map((name) => [name, toExample(name, properties[name] ?? {})])),
  )
}

const toExample = (name: string, schema: InputSchema): unknown => {
  const [option] = schema.enum ?? []
  if (option !== undefined) return option
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (schema.type === 'boolean') return true
  return schema.type === 'array' ? [] : (textExamples[name] ?? 'some text')
}

const textExamples: Readonly<Record<string, string>> = {
  content: 'call mum',
  file: '3f9a.pdf',
  id: 'm1a2',
  intention: 'comforting a friend',
  query: 'holidays in May',
  question: 'How do I comfort them?',
  text: 'They live in Porto.',
  url: 'https://example.org/page',
  wish: 'a fox in the snow',
}

/**
 * Checks values against their schema. Formats validation errors of zod like Pydantic v2, because clients of
 * this API expect that. Secrets are not echoed.
 */
import * as z from 'zod'
import { isSecret } from '../../../packages/kit/redact.ts'
import type { Item } from '../refused.ts'

export type Place = 'body' | 'query' | 'path'

type Issue = z.core.$ZodIssue

/** Only the first errors are returned. */
const mostItems = 100

const unechoedSchemas = new WeakSet<z.ZodType>()

/**
 * Leaves all input out of the validation errors of a schema, because secrets may be in it under any name.
 * Returns the schema.
 */
export const withoutEcho = <T extends z.ZodType>(schema: T): T => {
  unechoedSchemas.add(schema)
  return schema
}

/** Returns the parsed value, or validation errors. The errors echo `sent`, the values before conversion. */
export const validate = <T extends z.ZodType>(
  schema: T,
  value: unknown,
  place: Place,
  sentValue = value,
): { value: z.output<T> } | { items: readonly Item[] } => {
  const parsedValue = schema.safeParse(value)
  const items = parsedValue.success
    ? brokenText(parsedValue.data, [place])
    : toValidationItems(schema, parsedValue.error.issues, place, value, sentValue)
  if (parsedValue.success && items.length === 0) return { value: parsedValue.data }
  return { items: unechoedSchemas.has(schema) ? items.map(withoutInput) : items }
}

/** A missing value is shown, as in all errors. */
const withoutInput = ({ input, ...item }: Item): Item => (input === null ? { ...item, input } : item)

/** `value` is the value that the schema refused, `sent` are the values that are echoed. */
const toValidationItems = (
  schema: z.ZodType,
  issues: readonly Issue[],
  place: Place,
  value: unknown,
  sentValue: unknown,
): readonly Item[] =>
  issues
    .flatMap(toItemIssues)
    .slice(0, mostItems)
    .map((issue) => toItem(schema, issue, place, value, sentValue))

/** If a list was sent for a union of a list and other types, returns the issues of its items. */
const toItemIssues = (issue: Issue): readonly Issue[] => {
  if (issue.code !== 'invalid_union') return [issue]
  const itemIssues = issue.errors.find(
    (branch) => branch.length > 0 && branch.every(({ path: [key] }) => typeof key === 'number'),
  )
  return (
    itemIssues?.map((itemIssue) => ({ ...itemIssue, path: [...issue.path, ...itemIssue.path] })) ?? [issue]
  )
}

/** A required body is missing, or is not JSON. In the second case `hint` is the reason. */
export const missingBody = (hint?: string): Item => ({
  type: 'missing',
  loc: ['body'],
  msg: 'Field required',
  input: null,
  ...(hint === undefined ? {} : { ctx: { error: hint } }),
})

/** `at` is the position in the text, if known. */
export const brokenJson = (error: string, position?: number): Item => ({
  type: 'json_invalid',
  loc: position === undefined ? ['body'] : ['body', position],
  msg: 'JSON decode error',
  input: {},
  ctx: { error },
})

export const brokenForm = (error: string): Item => ({
  type: 'value_error',
  loc: ['body'],
  msg: 'Value error, There was an error parsing the body',
  input: null,
  ctx: { error },
})

export const tooManyFields = (max: number): Item => ({
  type: 'value_error',
  loc: ['body'],
  msg: `Value error, Too many fields. Maximum number of fields is ${max}.`,
  input: null,
})

/**
 * Finds lone surrogates. They have no UTF-8, so no journal could store them. `value` has passed its schema.
 */
const brokenText = (value: unknown, loc: Item['loc']): readonly Item[] => {
  if (typeof value === 'string') {
    if (!/\p{Surrogate}/u.test(value)) return []
    return [
      item(
        'string_unicode',
        loc,
        'Input should be a valid string, unable to parse raw data as a unicode string',
        value,
      ),
    ]
  }
  if (typeof value !== 'object' || value === null || loc.length > maxDepth) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    brokenText(inner, [...loc, Array.isArray(value) ? Number(key) : key]),
  )
}

const toItem = (schema: z.ZodType, issue: Issue, place: Place, value: unknown, sentValue: unknown): Item => {
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)))
  const loc = [place, ...path]
  const input = getByPath(value, path)
  if (path.length === 0 && (input === undefined || input === null)) return missingBody()
  if (input === undefined)
    return item('missing', loc, 'Field required', getByPath(sentValue, path.slice(0, -1)))
  const [type, msg, ctx] = describeIssue(issue, input, isInteger(schema, issue.path))
  // A text in place of a file may be the content of that file.
  const isSecretText = issue.code === 'custom' && typeof input === 'string' && isSecret(input)
  return item(type, loc, msg, isSecretText ? null : getByPath(sentValue, path), ctx)
}

type Words = readonly [type: string, msg: string, ctx?: Item['ctx']]

const describeIssue = (issue: Issue, input: unknown, integer: boolean): Words => {
  if (issue.code === 'too_small' && Array.isArray(input)) {
    const min = Number(issue.minimum)
    const ctx = { field_type: 'List', min_length: min, actual_length: input.length }
    return [
      'too_short',
      `List should have at least ${min} item${min === 1 ? '' : 's'} after validation, not ${input.length}`,
      ctx,
    ]
  }
  if (issue.code === 'too_small' && issue.origin === 'string') {
    const min = Number(issue.minimum)
    return [
      'string_too_short',
      `String should have at least ${min} character${min === 1 ? '' : 's'}`,
      { min_length: min },
    ]
  }
  if (issue.code === 'too_big' && issue.origin === 'string') {
    const max = Number(issue.maximum)
    return [
      'string_too_long',
      `String should have at most ${max} character${max === 1 ? '' : 's'}`,
      { max_length: max },
    ]
  }
  if (issue.code === 'invalid_type')
    return typeWords(integer ? 'int' : issue.expected, input, issue.path.length === 0)
  if (issue.code === 'too_small' && issue.inclusive) {
    const min = issue.minimum
    return ['greater_than_equal', `Input should be greater than or equal to ${min}`, { ge: min }]
  }
  if (issue.code === 'too_big' && issue.inclusive) {
    const max = issue.maximum
    return ['less_than_equal', `Input should be less than or equal to ${max}`, { le: max }]
  }
  if (issue.code === 'invalid_value') {
    const expected = orList(issue.values.map((value) => `'${String(value)}'`))
    return ['literal_error', `Input should be ${expected}`, { expected }]
  }
  return ['value_error', `Value error, ${issue.message}`]
}

/** For a value that is not a number, zod expects a number, but Pydantic an integer. */
const isInteger = (schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean => {
  const [key, ...rest] = path
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return isInteger(schema.def.innerType, path)
  if (key === undefined) return schema instanceof z.ZodNumber && schema.isInt
  if (schema instanceof z.ZodArray) return isInteger(schema.element, rest)
  const field = schema instanceof z.ZodObject ? schema.shape[String(key)] : undefined
  return field !== undefined && isInteger(field, rest)
}

const typeWords = (expected: string, input: unknown, root: boolean): Words => {
  const text = typeof input === 'string'
  switch (expected) {
    case 'string':
      return ['string_type', 'Input should be a valid string']
    case 'boolean':
      return text
        ? ['bool_parsing', 'Input should be a valid boolean, unable to interpret input']
        : ['bool_type', 'Input should be a valid boolean']
    case 'int':
      if (text)
        return ['int_parsing', 'Input should be a valid integer, unable to parse string as an integer']
      if (typeof input === 'number')
        return ['int_from_float', 'Input should be a valid integer, got a number with a fractional part']
      return ['int_type', 'Input should be a valid integer']
    case 'number':
      return text
        ? ['float_parsing', 'Input should be a valid number, unable to parse string as a number']
        : ['float_type', 'Input should be a valid number']
    case 'array':
      return ['list_type', 'Input should be a valid list']
    case 'object':
      return root
        ? ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from']
        : ['dict_type', 'Input should be a valid dictionary']
    case 'record':
      return ['dict_type', 'Input should be a valid dictionary']
    default:
      return ['value_error', `Value error, expected ${expected}`]
  }
}

const item = (type: string, loc: Item['loc'], msg: string, input: unknown, ctx?: Item['ctx']): Item => ({
  type,
  loc,
  msg,
  ...(loc.some((name) => isSecret(String(name))) ? {} : { input: withoutSecrets(input) }),
  ...(ctx ? { ctx } : {}),
})

/** Deeper values are not echoed, because the depth of a body is only limited by its length. */
const maxDepth = 16
/** Max UTF-16 units of an echoed text, and max parts of an echoed list or object. */
const longestEcho = 10_000
const mostParts = 100

/** User name and password in a URL. */
const userInfo = /(?<=\/\/)[^/?#\s]*@/g
const toEcho = (text: string): string => text.slice(0, longestEcho).replace(userInfo, '')

/** A JSON body in place of a text. Its field names may be those of secrets. */
const mayHoldSecrets = (text: string): boolean =>
  /^\s*[{["]/.test(text) && (text.match(/\w+/g) ?? []).some(isSecret)

const withoutSecrets = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return mayHoldSecrets(value) ? null : toEcho(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return null
  if (Array.isArray(value)) return value.slice(0, mostParts).map((inner) => withoutSecrets(inner, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, mostParts)
      .filter(([name]) => !isSecret(name))
      .map(([name, inner]) => [name, withoutSecrets(inner, depth + 1)]),
  )
}

const getByPath = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (isContainer(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )

const isContainer = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null

const orList = (values: readonly string[]): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

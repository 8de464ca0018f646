/**
 * The part of JSON Schema that the API description uses. An unknown keyword throws, so that none is ignored.
 */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly not?: Schema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
}

const knownKeywords = new Set(
  `$ref type properties required items anyOf oneOf enum const not additionalProperties propertyNames minimum maximum minLength maxLength minItems maxItems pattern description default id format title version`.split(
    ' ',
  ),
)

export const isValid = (
  schema: Schema,
  value: unknown,
  components: Readonly<Record<string, Schema>>,
): boolean => {
  const unknownField = Object.keys(schema).filter((key) => !knownKeywords.has(key))
  if (unknownField.length > 0) throw new Error(`unknown keywords in the schema: ${unknownField.join(', ')}`)
  const isValidPart = (inner: Schema, part: unknown) => isValid(inner, part, components)
  const { $ref, type, properties, required, items, anyOf, oneOf, not } = schema
  if ($ref) return isValidPart(components[$ref.slice($ref.lastIndexOf('/') + 1)] ?? { not: {} }, value)
  if (not && isValidPart(not, value)) return false
  if (anyOf && !anyOf.some((option) => isValidPart(option, value))) return false
  if (oneOf && oneOf.filter((option) => isValidPart(option, value)).length !== 1) return false
  if (schema.enum && !schema.enum.includes(value)) return false
  if ('const' in schema && schema.const !== value) return false
  if (type && ![type].flat().some((typeName) => isOfType(typeName, value))) return false
  if (typeof value === 'string' && !(hasLength(schema, value.length) && isLike(schema, value))) return false
  if (Array.isArray(value))
    return hasItemCount(schema, value.length) && (!items || value.every((item) => isValidPart(items, item)))
  if (typeof value !== 'object' || value === null) return true
  if (required?.some((name) => !Object.hasOwn(value, name))) return false
  // An undescribed field is an error.
  return (
    !properties ||
    Object.entries(value).every(
      ([name, part]) => properties[name] !== undefined && isValidPart(properties[name], part),
    )
  )
}

const hasItemCount = ({ minItems = 0, maxItems = Infinity }: Schema, length: number): boolean =>
  length >= minItems && length <= maxItems

const hasLength = ({ minLength = 0, maxLength = Infinity }: Schema, length: number): boolean =>
  length >= minLength && length <= maxLength

const isLike = ({ pattern = '' }: Schema, text: string): boolean => new RegExp(pattern).test(text)

const isOfType = (type: string, value: unknown): boolean => {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

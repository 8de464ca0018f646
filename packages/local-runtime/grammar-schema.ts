/**
 * Converts JSON Schema to the keywords that node-llama-cpp can use in a grammar. Source:
 * `dist/utils/gbnfJson/types.d.ts` of node-llama-cpp 3.21.1. All properties are required there, so an
 * optional one may also be null.
 */
import { isObject } from '../kit/is-object.ts'

type Schema = Readonly<Record<string, unknown>>

const simpleTypes = ['string', 'number', 'integer', 'boolean', 'null']
const formats = ['date-time', 'time', 'date']

/** Deeper schemas, and recursive ones, accept any text there. */
const maxDepth = 24
const anyText: Schema = { type: 'string' }
/** Replaces a schema without a type. */
const anyValue: Schema = { type: ['string', 'number', 'boolean', 'null'] }

export const toGrammarSchema = (schema: Schema): Schema => convert(schema, toDefinitions(schema), maxDepth)

const toDefinitions = ({ $defs, definitions }: Schema): Schema => ({
  ...(isObject(definitions) && definitions),
  ...(isObject($defs) && $defs),
})

const convert = (schema: unknown, definitions: Schema, depth: number): Schema => {
  if (!isObject(schema)) return anyValue
  if (depth === 0) return anyText
  const convertAll = (schemas: readonly unknown[]) =>
    schemas.map((item) => convert(item, definitions, depth - 1))
  const description = typeof schema.description === 'string' ? { description: schema.description } : {}
  if (typeof schema.$ref === 'string') {
    const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(schema.$ref)?.[1]
    return {
      ...convert(name === undefined ? undefined : definitions[name], definitions, depth - 1),
      ...description,
    }
  }
  const alternatives = schema.oneOf ?? schema.anyOf
  if (Array.isArray(alternatives)) return { oneOf: convertAll(alternatives), ...description }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema
    return convert(allOf.filter(isObject).reduce(merge, rest), definitions, depth - 1)
  }
  if (schema.const !== undefined) return { const: schema.const, ...description }
  if (Array.isArray(schema.enum)) return { enum: schema.enum, ...description }
  if (Array.isArray(schema.type)) {
    const types = schema.type.map((type) => convert({ ...schema, type }, definitions, depth - 1))
    return { oneOf: types, ...description }
  }
  const type = schema.type ?? (isObject(schema.properties) ? 'object' : schema.items ? 'array' : undefined)
  if (type === 'object') return { ...toObject(schema, definitions, depth), ...description }
  if (type === 'array') {
    const { items, minItems, maxItems } = schema
    return {
      type,
      ...(items !== undefined && { items: convert(items, definitions, depth - 1) }),
      ...(typeof minItems === 'number' && { minItems }),
      ...(typeof maxItems === 'number' && { maxItems }),
      ...description,
    }
  }
  if (typeof type !== 'string' || !simpleTypes.includes(type)) return { ...anyValue, ...description }
  const format = formats.includes(String(schema.format)) ? { format: schema.format } : {}
  return { type, ...format, ...description }
}

const toObject = (schema: Schema, definitions: Schema, depth: number): Schema => {
  const { properties, additionalProperties } = schema
  const required = Array.isArray(schema.required) ? schema.required : []
  const rows = Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
    const value = convert(property, definitions, depth - 1)
    return [name, required.includes(name) ? value : orNull(value)]
  })
  const isOpen = rows.length === 0 && additionalProperties !== false
  const extraSchema = isObject(additionalProperties)
    ? convert(additionalProperties, definitions, depth - 1)
    : true
  return {
    type: 'object',
    properties: Object.fromEntries(rows),
    ...(isOpen && { additionalProperties: extraSchema }),
  }
}

const orNull = (schema: Schema): Schema => {
  const { description, ...value } = schema
  return { oneOf: [value, { type: 'null' }], ...(description !== undefined && { description }) }
}

const merge = (leftSchema: Schema, right: Schema): Schema => ({
  ...leftSchema,
  ...right,
  properties: { ...(leftSchema.properties as object), ...(right.properties as object) },
  required: [...toList(leftSchema.required), ...toList(right.required)],
})

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Removes optional properties with the value null, which the grammar has added. */
export const dropNulls = (value: unknown, schema: unknown, root: Schema = toSchema(schema)): unknown => {
  const resolvedSchema = resolve(schema, root)
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, resolvedSchema.items, root))
  if (!isObject(value)) return value
  const properties = isObject(resolvedSchema.properties) ? resolvedSchema.properties : {}
  const required = toList(resolvedSchema.required)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => item !== null || required.includes(name) || !(name in properties))
      .map(([name, item]) => [name, dropNulls(item, properties[name], root)]),
  )
}

const toSchema = (schema: unknown): Schema => (isObject(schema) ? schema : {})

/** Follows a reference. Of several alternatives, takes the one that is not null. */
const resolve = (schema: unknown, root: Schema, depth = maxDepth): Schema => {
  const sourceSchema = toSchema(schema)
  if (depth === 0) return {}
  if (typeof sourceSchema.$ref === 'string') {
    const name = sourceSchema.$ref.replace(/^#\/(?:\$defs|definitions)\//, '')
    return resolve(toDefinitions(root)[name], root, depth - 1)
  }
  const alternatives = [...toList(sourceSchema.oneOf), ...toList(sourceSchema.anyOf)].map((alternative) =>
    resolve(alternative, root, depth - 1),
  )
  const rest = alternatives.filter(({ type }) => type !== 'null')
  return rest.length === 1 ? toSchema(rest[0]) : sourceSchema
}

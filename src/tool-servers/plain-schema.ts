/**
 * Reduces the input schema of a tool to the subset of JSON Schema that all providers accept, with references
 * resolved. The server itself validates the input.
 */
import { isObject } from '../../packages/kit/is-object.ts'
import { plainLine } from '../../packages/mcp-client/trouble.ts'
import { withoutTokens } from '../mind/prompt/marked-data.ts'

type Schema = Readonly<Record<string, unknown>>

/** Max nesting. Deeper schemas accept anything. */
const maxLevels = 12

/** Max UTF-16 units of a property's description. */
const maxDescriptionLength = 500

const plainFields = ['enum', 'default', 'minimum', 'maximum', 'minLength', 'maxLength'] as const

export const plainSchema = (parameters: unknown): Schema => {
  const root = isObject(parameters) ? parameters : {}
  const plainRoot = plain(root, root, 0)
  // A tool's input is always an object, even if its schema does not say so.
  const objectSchema = {
    ...plainRoot,
    type: 'object',
    properties: isObject(plainRoot.properties) ? plainRoot.properties : {},
  }
  return JSON.parse(withoutTokens(JSON.stringify(objectSchema))) as Schema
}

const plain = (input: unknown, root: Schema, level: number): Schema => {
  const schema = resolve(input, root)
  if (!isObject(schema) || level > maxLevels) return {}
  const schemaOnly = choose(schema, root)
  const type = getType(schemaOnly)
  const plainValues = Object.fromEntries(
    plainFields.flatMap((name) => (name in schemaOnly ? [[name, schemaOnly[name]]] : [])),
  )
  return {
    ...(type && { type }),
    ...(typeof schemaOnly.description === 'string' && {
      description: plainLine(schemaOnly.description, maxDescriptionLength),
    }),
    ...plainValues,
    ...('const' in schemaOnly && { enum: [schemaOnly.const] }),
    ...(isObject(schemaOnly.properties) && toObject(schemaOnly, root, level)),
    ...(type === 'array' && { items: plain(schemaOnly.items ?? {}, root, level + 1) }),
    ...alternatives(schemaOnly, root, level),
  }
}

const toObject = (schema: Schema, root: Schema, level: number): Schema => {
  const properties = Object.entries(schema.properties as Schema).map(([name, property]) => [
    name,
    plain(property, root, level + 1),
  ])
  const names = new Set(properties.map(([name]) => name))
  const requiredNames = Array.isArray(schema.required)
    ? schema.required.filter((name) => names.has(name))
    : []
  return {
    properties: Object.fromEntries(properties),
    ...(requiredNames.length > 0 && { required: requiredNames }),
  }
}

/** Reduces a choice between null and one other schema to that schema. */
const choose = (schema: Schema, root: Schema): Schema => {
  const choices = getChoices(schema).flatMap((choice) => {
    const resolvedChoice = resolve(choice, root)
    return isObject(resolvedChoice) && resolvedChoice.type !== 'null' ? [resolvedChoice] : []
  })
  const [onlyChoice, ...otherChoices] = choices
  return onlyChoice && otherChoices.length === 0 ? { ...onlyChoice, ...withoutChoices(schema) } : schema
}

const alternatives = (schema: Schema, root: Schema, level: number): Schema => {
  const choices = getChoices(schema)
  return choices.length > 0 ? { anyOf: choices.map((choice) => plain(choice, root, level + 1)) } : {}
}

const getChoices = ({ anyOf, oneOf }: Schema): readonly unknown[] =>
  Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : []

const withoutChoices = ({ anyOf: _, oneOf: __, ...rest }: Schema): Schema => rest

const getType = ({ type, properties, items }: Schema): string | undefined => {
  const typeName = Array.isArray(type) ? type.find((name) => name !== 'null') : type
  if (typeof typeName === 'string') return typeName
  return isObject(properties) ? 'object' : items === undefined ? undefined : 'array'
}

/** Resolves references like `#/$defs/Name`. Drops references to other documents. */
const resolve = (schema: unknown, root: Schema): unknown => {
  if (!isObject(schema) || typeof schema.$ref !== 'string') return schema
  const path = schema.$ref.startsWith('#/') ? schema.$ref.slice(2).split('/') : []
  const target = path.reduce<unknown>(
    (node, name) => (isObject(node) ? node[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  )
  const { $ref: _, ...siblings } = schema
  return path.length > 0 && isObject(target) && target !== schema ? { ...target, ...siblings } : siblings
}

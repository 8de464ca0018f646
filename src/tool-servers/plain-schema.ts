/**
 * Reduces the input schema of a tool to the subset of JSON Schema that all providers accept, with references
 * resolved. The server itself validates the input.
 */
import { isObject } from '../../packages/kit/is-object.ts'
import { plainLine } from '../../packages/mcp-client/trouble.ts'
import { withoutTokens } from '../mind/prompt/marked-data.ts'

type Schema = Readonly<Record<string, unknown>>

/** Max nesting. Deeper schemas accept anything. */
const mostLevels = 12

/** Max UTF-16 units of a property's description. */
const mostOfDescription = 500

const plainFields = ['enum', 'default', 'minimum', 'maximum', 'minLength', 'maxLength'] as const

export const plainSchema = (parameters: unknown): Schema => {
  const root = isObject(parameters) ? parameters : {}
  const made = plain(root, root, 0)
  // A tool's input is always an object, even if its schema does not say so.
  const whole = { ...made, type: 'object', properties: isObject(made.properties) ? made.properties : {} }
  return JSON.parse(withoutTokens(JSON.stringify(whole))) as Schema
}

const plain = (given: unknown, root: Schema, level: number): Schema => {
  const schema = resolved(given, root)
  if (!isObject(schema) || level > mostLevels) return {}
  const one = chosen(schema, root)
  const type = typeOf(one)
  const kept = Object.fromEntries(plainFields.flatMap((name) => (name in one ? [[name, one[name]]] : [])))
  return {
    ...(type && { type }),
    ...(typeof one.description === 'string' && {
      description: plainLine(one.description, mostOfDescription),
    }),
    ...kept,
    ...('const' in one && { enum: [one.const] }),
    ...(isObject(one.properties) && objectOf(one, root, level)),
    ...(type === 'array' && { items: plain(one.items ?? {}, root, level + 1) }),
    ...alternatives(one, root, level),
  }
}

const objectOf = (schema: Schema, root: Schema, level: number): Schema => {
  const properties = Object.entries(schema.properties as Schema).map(([name, one]) => [
    name,
    plain(one, root, level + 1),
  ])
  const names = new Set(properties.map(([name]) => name))
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => names.has(name)) : []
  return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}

/** Reduces a choice between null and one other schema to that schema. */
const chosen = (schema: Schema, root: Schema): Schema => {
  const choices = choicesOf(schema).flatMap((choice) => {
    const one = resolved(choice, root)
    return isObject(one) && one.type !== 'null' ? [one] : []
  })
  const [only, ...others] = choices
  return only && others.length === 0 ? { ...only, ...withoutChoices(schema) } : schema
}

const alternatives = (schema: Schema, root: Schema, level: number): Schema => {
  const choices = choicesOf(schema)
  return choices.length > 0 ? { anyOf: choices.map((one) => plain(one, root, level + 1)) } : {}
}

const choicesOf = ({ anyOf, oneOf }: Schema): readonly unknown[] =>
  Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : []

const withoutChoices = ({ anyOf: _, oneOf: __, ...rest }: Schema): Schema => rest

const typeOf = ({ type, properties, items }: Schema): string | undefined => {
  const one = Array.isArray(type) ? type.find((name) => name !== 'null') : type
  if (typeof one === 'string') return one
  return isObject(properties) ? 'object' : items === undefined ? undefined : 'array'
}

/** Resolves references like `#/$defs/Name`. Drops references to other documents. */
const resolved = (given: unknown, root: Schema): unknown => {
  if (!isObject(given) || typeof given.$ref !== 'string') return given
  const path = given.$ref.startsWith('#/') ? given.$ref.slice(2).split('/') : []
  const found = path.reduce<unknown>(
    (at, name) => (isObject(at) ? at[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  )
  const { $ref: _, ...beside } = given
  return path.length > 0 && isObject(found) && found !== given ? { ...found, ...beside } : beside
}

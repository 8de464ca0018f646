/** Makes examples of requests and responses from the schemas. */

import { isObject } from '../../../packages/kit/is-object.ts'

type Json = Readonly<Record<string, unknown>>
type Schemas = ReadonlyMap<string, Json>

/** Examples of texts by field name. Other texts are shown as one word. */
const texts: Readonly<Record<string, string>> = {
  id: '12',
  persona_id: 'ada',
  name: 'Ada',
  filename: 'picture.png',
  channel_name: '123456789',
  message: 'Hello',
  content: 'Hello',
  text: 'They live in Lisbon.',
  caption: 'Look at this.',
  thinking_model: 'embedded/practice',
  model: 'embedded/practice',
  url: 'http://localhost:11434',
  time: '2026-11-24T09:00:00.000+01:00',
  when: '2026-11-24T09:00',
  at: '2026-11-24T09:00:00Z',
  from: '2026-11-01',
  to: '2026-12-01',
  q: 'Lisbon',
  code: '123456',
  version: '0.1.0',
  start: '2026-11-01',
  end: '2026-12-01',
  phrase: 'abandon ability able …',
  source: 'chatgpt',
  kind: 'telegram',
  token: '123456789:AAF…',
  provider: 'openai',
  status: 'active',
  diary: 'ada.diary',
  audio: 'hello.ogg',
  file: 'picture.png',
  history: 'conversations.json',
  language: 'de',
  country: 'DE',
  zone_country: 'DE',
  countries: 'DE',
  endpoint: 'https://push.example/a1b2',
  p256dh: 'BNcRdreALRFX…',
  auth: 'tBHItJI5svbp…',
  zone: 'Europe/Lisbon',
  birthday: '2026-11-23',
  title: 'The trip to Lisbon',
  role: 'user',
  host: 'imap.example.org',
  user: 'ada@example.org',
  folder: 'INBOX',
  before: 'm12',
}

export const exampleText = (name: string): string => texts[name] ?? 'text'

/** Returns undefined if the schema says nothing about the value. */
export const createExample = (schema: Json, schemas: Schemas, name = ''): unknown => {
  const { $ref, anyOf, type, properties, items } = schema
  if (typeof $ref === 'string')
    return createExample(schemas.get($ref.slice($ref.lastIndexOf('/') + 1)) ?? {}, schemas, name)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if ('default' in schema) return schema.default
  if (Array.isArray(anyOf)) return createExample(anyOf[0], schemas, name)
  if (isObject(properties)) return exampleObject(properties, schema.required, schemas)
  if (type === 'array') return isObject(items) ? [createExample(items, schemas, name)].filter(isKnown) : []
  return plain(Array.isArray(type) ? type[0] : type, schema, name)
}

/** Includes the required properties, or the first one if none is required. */
const exampleObject = (properties: Json, requiredNames: unknown, schemas: Schemas): Json => {
  const shownNames = Array.isArray(requiredNames) ? requiredNames : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => shownNames.includes(name))
      // A value of any type is shown as null.
      .map(([name, part]) => [
        name,
        (isObject(part) ? createExample(part, schemas, name) : undefined) ?? null,
      ]),
  )
}

const plain = (type: unknown, { minimum }: Json, name: string): unknown => {
  if (type === 'string') return exampleText(name)
  if (type === 'integer' || type === 'number') return Math.max(1, typeof minimum === 'number' ? minimum : 1)
  if (type === 'boolean') return true
  if (type === 'null') return null
  return type === 'object' ? {} : undefined
}

const isKnown = (value: unknown): boolean => value !== undefined

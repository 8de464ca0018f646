/** Generates values for the fields of a schema: valid and nearly valid ones, and malformed JSON. */
import type { Chance } from '../random.ts'

/** The parts of JSON Schema that the route descriptions use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
}
export type Schemas = Readonly<Record<string, Schema>>

/** Part of every secret that is sent, so that a leak is noticed. */
export const canary = 'canary7f3e'

const words = [
  '',
  'a',
  'Ada',
  'My name is Mia',
  'Remind me every Monday at 9 to water the plants',
  'What did I say about Lisbon?',
  'null',
  '0',
] as const
const oddMessages = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffx',
  '\u202Eevil',
  '💥'.repeat(40),
  'e\u0301'.repeat(90),
  '\ufeff',
  "'; DROP TABLE personas; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  '\r\nX-Injected: yes',
  '%00%0a',
  '\u001b[2J',
  'NaN',
  '1e999',
  ' \t\n ',
] as const

export const pickText = (chance: Chance): string => {
  const kind = chance.pickBetween(1, 100)
  if (kind <= 55) return chance.pick(words)
  if (kind <= 88) return chance.pick(oddMessages)
  if (kind <= 97) return 'lorem ipsum '.repeat(chance.pickBetween(1, 60))
  return 'é'.repeat(chance.pick([4_000, 20_000, 140_000]))
}

const addresses = [
  '',
  'http://127.0.0.1:9',
  'http://127.0.0.1:9/v1',
  'embedded:',
  'http://[::1',
  'file:///etc/passwd',
  'javascript:1',
  '//',
  'x',
] as const
const models = [
  'embedded/practice',
  'embedded/none',
  'embedded/__proto__',
  'embedded/',
  'nothing:latest',
  ' ',
] as const
const providers = ['', 'local', 'openai', 'anthropic', 'gemini', 'xai', 'evil', '__proto__'] as const

/** Chooses a value by the name of a field, if the schema does not restrict it. */
const pickByName = (name: string, chance: Chance): string | undefined => {
  if (/key|token|phrase/i.test(name)) return `sk-${canary}-${chance.pickBetween(1, 1e9)}`
  if (/url$/i.test(name))
    return chance.pickBetween(1, 5) === 1 ? `http://me:${canary}@127.0.0.1:9` : chance.pick(addresses)
  if (/provider$/i.test(name)) return chance.pick(providers)
  if (/model$/i.test(name)) return chance.pick(models)
  if (name === 'status') return chance.pick(['active', 'hibernate', 'sick', 'sleeping'])
  if (name === 'start' || name === 'end')
    return chance.pick(['2026-01-01', '2026-01-01T00:00:00+01:00', '9999-99-99'])
  return undefined
}

/** Fields that an open object accepts although its schema does not list them. */
const slots = ['thinking', 'imagination', 'mouth', 'eye', 'ear', 'teacher', 'researcher'] as const
const organ: Schema = {
  properties: {
    model: { type: 'string' },
    provider: { type: 'string' },
    url: { type: 'string' },
    api_key: { type: 'string' },
  },
  required: ['model'],
}
const extraFields: Readonly<Record<string, Schema>> = {
  status: { type: 'string' },
  name: { type: 'string' },
  idle_timeout: { type: 'integer', minimum: -1, maximum: 1e6 },
  credentials: { properties: { token: { type: 'string' } } },
  ...Object.fromEntries(
    slots.flatMap((slot) => [
      [slot, organ],
      [`clear_${slot}`, { type: 'boolean' }],
    ]),
  ),
}

/** Returns a value that the schema allows, as far as it is supported here. */
export const pickValue = (schema: Schema, schemas: Schemas, chance: Chance, name = ''): unknown => {
  const pickInner = (inner: Schema, key = name) => pickValue(inner, schemas, chance, key)
  if (schema.$ref !== undefined)
    return pickInner(schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {})
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pickOne(schema.enum, chance)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return pickInner(pickOne(choices, chance) ?? {})
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => pickInner(part)))
  if (schema.type === 'null') return null
  if (schema.type === 'boolean') return chance.next() < 0.5
  if (schema.type === 'integer' || schema.type === 'number') return pickNumber(schema, chance)
  if (schema.type === 'string') return pickByName(name, chance) ?? pickText(chance)
  if (schema.type === 'array')
    return Array.from({ length: chance.pickBetween(0, 3) }, () =>
      pickInner(typeof schema.items === 'object' ? schema.items : {}),
    )
  if (schema.type === 'object' || schema.properties) return pickObject(schema, chance, pickInner)
  return pickAnything(chance, name)
}

const pickObject = (
  schema: Schema,
  chance: Chance,
  pickInner: (inner: Schema, key: string) => unknown,
): unknown => {
  const { properties = {}, required = [], additionalProperties } = schema
  const isLarge = Object.keys(properties).length > 8
  const chosenFields = Object.entries(properties).filter(
    ([key]) => required.includes(key) || chance.next() < (isLarge ? 0.05 : 0.5),
  )
  const open = typeof additionalProperties === 'object' || additionalProperties === true
  const extra = open ? Object.entries(extraFields).filter(() => chance.next() < 0.08) : []
  return Object.fromEntries([...chosenFields, ...extra].map(([key, inner]) => [key, pickInner(inner, key)]))
}

const pickNumber = ({ minimum = -10, maximum = 1e6, type }: Schema, chance: Chance): number => {
  const ends = [minimum, maximum, minimum - 1, maximum + 1, 0, 1]
  if (chance.next() < 0.3) return pickOne(ends, chance) ?? 0
  const maxValue = Math.min(maximum, minimum + 50)
  return type === 'integer'
    ? chance.pickBetween(minimum, maxValue)
    : minimum + chance.next() * (maxValue - minimum)
}

/** Returns a random value of any kind. */
export const pickAnything = (chance: Chance, name = ''): unknown => {
  const kind = chance.pickBetween(1, 12)
  if (kind <= 3) return pickByName(name, chance) ?? pickText(chance)
  if (kind === 4) return null
  if (kind === 5) return chance.next() < 0.5
  if (kind === 6) return chance.pick([0, -0, 1.5, -1, 2 ** 31, 2 ** 53, 1e308, -1e-320])
  if (kind === 7) return []
  if (kind === 8) return {}
  if (kind === 9) return Array.from({ length: chance.pickBetween(1, 300) }, () => null)
  if (kind === 10) return { [name || 'a']: { b: [{ api_key: `sk-${canary}` }] } }
  if (kind === 11)
    return JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":0}',
    )
  return nest(chance.pickBetween(2, 40))
}

const nest = (depth: number): unknown =>
  depth === 0 ? {} : depth % 2 === 0 ? [nest(depth - 1)] : { a: nest(depth - 1) }

/** Returns the same value with one part that is wrong, missing or unexpected. */
export const spoil = (value: unknown, chance: Chance): unknown => {
  if (typeof value !== 'object' || value === null || chance.next() < 0.1) return pickAnything(chance)
  if (Array.isArray(value)) return value.map((inner) => (chance.next() < 0.5 ? spoil(inner, chance) : inner))
  const entries = Object.entries(value)
  const [key, inner] = pickOne(entries, chance) ?? ['a', null]
  const otherEntries = entries.filter(([other]) => other !== key)
  const roll = chance.pickBetween(1, 4)
  if (roll === 1) return Object.fromEntries(otherEntries)
  if (roll === 2) return Object.fromEntries([...entries, [chance.pick(oddMessages), pickAnything(chance)]])
  return Object.fromEntries([
    ...otherEntries,
    [key, roll === 3 ? pickAnything(chance, key) : spoil(inner, chance)],
  ])
}

/** Returns a value as JSON bytes, sometimes malformed. */
export const toBytes = (value: unknown, chance: Chance): Buffer => {
  const json = JSON.stringify(value) ?? ''
  const roll = chance.pickBetween(1, 60)
  if (roll > 16) return Buffer.from(json)
  if (roll === 1) return Buffer.from(json.slice(0, chance.pickBetween(0, json.length)))
  if (roll === 2) return Buffer.from(`${json}${chance.pick([' x', ',', '}', '\u0000', '{}'])}`)
  if (roll === 3)
    return Buffer.from(json.replace(/^\{/, '{"name":1,"name":{},"message":null,"api_key":"sk-canary7f3e",'))
  if (roll === 4) return Buffer.from(`\ufeff${json}`)
  if (roll === 5) return Buffer.from(json, 'utf16le')
  if (roll === 6)
    return Buffer.concat([
      Buffer.from(json.slice(0, -2)),
      Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
      Buffer.from(json.slice(-2)),
    ])
  if (roll === 7) return Buffer.from(json.replace(/"[^"]*"/, '"\\ud800"'))
  if (roll === 8)
    return Buffer.from(
      json.replace(
        /:"[^"]*"/,
        chance.pick([
          ':NaN',
          ':Infinity',
          ':undefined',
          ':1e999',
          ':-',
          ':0x10',
          `:${'9'.repeat(400)}`,
          ":'a'",
        ]),
      ),
    )
  if (roll === 9) return Buffer.from(`{"name":${'['.repeat(20_000)}`)
  if (roll === 10)
    return Buffer.from(
      `{"name":${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)},"thinking_model":"x","message":"x"}`,
    )
  if (roll === 11) return Buffer.from(`/* c */ ${json} // c`)
  if (roll === 12) return Buffer.alloc(chance.pickBetween(1, 2000), chance.pickBetween(0, 255))
  if (roll === 13) return Buffer.from(`{"__proto__":{"a":1},${json.slice(1)}`)
  if (roll === 14) return Buffer.alloc(0)
  if (roll === 15 && chance.next() < 0.2) return Buffer.from(`{"message":"${'x'.repeat(1_200_000)}"}`)
  return Buffer.from(`  ${json}\n`)
}

/** Returns undefined for an empty list. */
export const pickOne = <T>(items: readonly T[], chance: Chance): T | undefined =>
  items[chance.pickBetween(0, items.length - 1)]

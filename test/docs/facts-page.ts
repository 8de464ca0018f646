/** The page of all facts, and their JSON Schemas, from the rows in `facts` and their comments. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import * as z from 'zod'
import * as factValues from '../../facts/fact-values.ts'
import { isObject } from '../../packages/kit/is-object.ts'
import {
  describeRow,
  factRows,
  type Json,
  type Row,
  readReleased,
  subjects,
  versionOfRow,
  withoutNoise,
} from '../journal/fact-schemas.ts'
import { root } from './blocks.ts'

// Comments of the source, as the meaning of facts and fields.

const folder = join(root, 'facts')

/** Returns comments by name: of the facts, and of the constants that hold shared fields. */
const readComments = (): { comments: ReadonlyMap<string, string>; shapes: ReadonlyMap<string, string[]> } => {
  const comments = new Map<string, string>()
  const shapes = new Map<string, string[]>()
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.ts'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      const declaration = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node
      if (declaration && (ts.isPropertyAssignment(declaration) || ts.isVariableDeclaration(declaration))) {
        const comment = readComment(text, node)
        if (comment && !comments.has(declaration.name.getText()))
          comments.set(declaration.name.getText(), comment)
        const call = declaration.initializer
        if (call && ts.isCallExpression(call) && call.expression.getText() === 'fact')
          shapes.set(
            declaration.name.getText(),
            (call.arguments[0]?.getText().match(/^\w+$|(?<=\.\.\.)\w+/g) ?? []).map(String),
          )
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return { comments, shapes }
}

const readComment = (text: string, node: ts.Node): string | undefined => {
  const range = ts.getLeadingCommentRanges(text, node.getFullStart())?.at(-1)
  const comment = range && text.slice(range.pos, range.end)
  if (!comment?.startsWith('/**')) return undefined
  return comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Fields with the same meaning in many facts. */
const commonFields: Readonly<Record<string, string>> = {
  life: 'Number of the start of the persona, from 1.',
  turn: 'Position of the `TurnBegan` of the turn.',
  step: 'Number of the model call within the turn, from 0.',
  call: 'Id that the model gave to the tool call.',
  message: 'Position of the message.',
  messages: 'Positions of the messages.',
  slot: 'The organ.',
  reason: 'The reason as text.',
  sources: 'Positions of the facts that it comes from.',
  upTo: 'Last position that it covers.',
  after: 'Position after which it begins.',
  id: 'Its id.',
  name: 'Its name.',
  text: 'Its text.',
  channel: 'The conversation; null for a program.',
  recipient: 'The age X25519 recipient that its diaries are encrypted to.',
  birthday: 'Its first day, ISO date.',
  idleTimeout: 'Seconds without messages after which it may rest.',
  made: 'When the diary was made, epoch ms.',
  bytes: 'Size in bytes.',
  kept: 'Number of facts that were kept.',
  lost: 'Number of facts that were lost.',
  provider: 'The provider; null for a local model.',
  model: 'The model.',
  url: 'Address of the model server; null for the configured one.',
  organ: 'The organ, and its model.',
  epoch: 'Number of the takeover.',
  daemon: 'Id of the daemon.',
  bot: "The platform's id of the bot.",
  target: "The platform's id of the chat.",
  parts: 'Number of accepted parts.',
  recipe: 'The request; null if it was not stored.',
  answer: 'The text and the tool calls, or the hash of their JSON.',
  ms: 'Duration in ms.',
  calls: 'Number of attempts.',
  filename: "The daemon's name of the file.",
  input: 'Input of the tool, in the form of its schema.',
  output: 'Output of the tool.',
  content: 'The text.',
  server: 'Name of the tool server.',
  tool: 'Name of the tool.',
  approval: 'Position of the `ApprovalAsked`.',
  description: 'Its description.',
  why: 'The reason as text.',
  pinned: 'Whether it is pinned.',
  accepted: 'Whether the user accepted it.',
  summary: 'A summary, in the words of the persona.',
  intention: 'The kind of situation.',
  body: 'The text of the lesson.',
  began: 'First moment, epoch ms.',
  ended: 'Last moment, epoch ms.',
  zone: 'IANA time zone.',
  recurrence: 'How often it recurs; null for once.',
  allDay: 'It is for a day, without an hour.',
  host: 'Host of the server.',
  port: 'Port of the server.',
  user: 'User name on the server.',
  mailbox: 'Id of the mailbox.',
  uid: 'Number of the mail on the server.',
  uidValidity: "The server's number for its numbering of mails.",
  subject: 'Subject of the mail.',
  title: 'The title.',
  source: 'Its source.',
  updated: 'When the source changed it, ISO 8601.',
  outcome: 'How it ended.',
  result: 'The result of the test.',
  status: 'The state.',
  kind: 'Its kind.',
  by: 'Who caused it.',
  ok: 'False if it failed.',
  error: 'The error; null if there is none.',
  facts: 'Positions of the erased facts, and the hash of the rest of each.',
  from: 'When it begins to be true; absent if unknown.',
  until: 'When it ends to be true; absent if unknown.',
  quietFrom: 'Local time at which quiet hours begin.',
  quietUntil: 'Local time at which quiet hours end.',
  hash: 'The hash.',
  at: 'When, or at which position.',
}

/** Fields of one fact with another meaning than in most. */
const ownFields: Readonly<Record<string, string>> = {
  'PersonaForked.from': 'Id of the other persona.',
  'MailRead.from': 'Sender of the mail.',
}

interface Meaning {
  readonly description: string
  readonly fields: Readonly<Record<string, string>>
}

/** A sentence that begins with a field in backticks, and those after it, describe this field. */
const splitComment = (comment: string, names: readonly string[]): Meaning => {
  const fields: Record<string, string> = {}
  const own: string[] = []
  let field: string | undefined
  for (const sentence of comment.split(/(?<=\.)\s+/)) {
    const name = /^`(\w+)`/.exec(sentence)?.[1]
    const isLabel = name !== undefined && names.includes(name)
    if (isLabel) field = name
    const text = isLabel
      ? sentence.replace(/^`\w+`: (.)/, (_, first: string) => first.toUpperCase())
      : sentence
    if (field === undefined) own.push(text)
    else fields[field] = [fields[field], text].filter(Boolean).join(' ')
  }
  return { description: own.join(' '), fields }
}

const { comments, shapes } = readComments()

/** Returns the first sentence about the value of a field, if it has a name. */
const getValueMeaning = (schema: unknown): string | undefined => {
  const text = JSON.stringify(schema ?? null)
  const name =
    /^\{"(?:\$ref":"|anyOf":\[\{"\$ref":"|type":"array","items":\{"\$ref":")#\/\$defs\/(\w+)"/.exec(text)?.[1]
  return name && name !== 'Seq' ? comments.get(name)?.split(/(?<=\.)\s/)[0] : undefined
}

const getMeaning = (type: string, row: Row): Meaning => {
  const names = Object.keys(row.shape)
  const own = splitComment(comments.get(type) ?? '', names)
  const sharedFields = (shapes.get(type) ?? []).map(
    (name) => splitComment(comments.get(name) ?? '', names).fields,
  )
  const known = Object.fromEntries(
    names.flatMap((name) => {
      const { properties } = schemasByName[type] as { readonly properties: Json }
      const common = Object.hasOwn(commonFields, name) ? commonFields[name] : undefined
      const own = ownFields[`${type}.${name}`] ?? common
      const text = own ?? getValueMeaning(properties[name])
      return text === undefined ? [] : [[name, text]]
    }),
  )
  return { description: own.description, fields: Object.assign({}, known, ...sharedFields, own.fields) }
}

// Schemas.

/** Returns the schemas of all values and facts by name. They refer to each other. */
const describeAll = (): Readonly<Record<string, Json>> => {
  const registry = z.registry<{ id: string }>()
  const namedSchemas = [
    ...Object.entries(factValues).flatMap(([name, value]) =>
      value instanceof z.ZodType ? [[name, value] as const] : [],
    ),
    ...Object.entries(factRows).map(([type, { shape }]) => [type, z.strictObject(shape)] as const),
  ]
  for (const [id, schema] of namedSchemas) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { unrepresentable: 'any', uri: (id) => `#/$defs/${id}` })
  return Object.fromEntries(
    namedSchemas.map(([name]) => {
      const { $schema, $id, ...schema } = schemas[name] ?? {}
      return [name, withoutNoise(schema)]
    }),
  )
}
const schemasByName = describeAll()
const { schemas: releasedSchemas } = readReleased()

const withMeaning = (type: string, row: Row): Json => {
  const { description, fields } = getMeaning(type, row)
  const { properties, ...schema } = schemasByName[type] ?? {}
  return {
    title: type,
    version: versionOfRow(row),
    ...(description && { description }),
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, part]) => [
        name,
        fields[name] ? { description: fields[name], ...part } : part,
      ]),
    ),
  }
}

const listOlder = (type: string, row: Row): readonly (readonly [version: number, schema: Json])[] =>
  Array.from({ length: versionOfRow(row) - 1 }, (_, index) => index + 1).flatMap((version) => {
    const schema = releasedSchemas[`${type}@${version}`]
    return schema ? [[version, schema] as const] : []
  })

/** Returns the document of `GET /api/facts/schema`: one definition per line. */
export const factSchemas = (): string => {
  const definitions = Object.entries(factRows).flatMap(([type, row]) => [
    [type, withMeaning(type, row)] as const,
    ...listOlder(type, row).map(
      ([version, schema]) => [`${type}@${version}`, { title: type, version, ...schema }] as const,
    ),
  ])
  const values = Object.entries(schemasByName)
    .filter(([name]) => !Object.hasOwn(factRows, name))
    .map(([name, schema]) => {
      const description = comments.get(name)
      return [name, { ...(description && { description }), ...schema }] as const
    })
  const lines = [...definitions, ...values].map(
    ([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
  )
  return `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Facts of a persona's journal",
  "description": "A definition with a version describes the payload of a fact. <fact>@<version> describes an older one, as it is stored. The others are values.",
  "$defs": {
${lines.join(',\n')}
  }
}
`
}

// The page.

export const factsPage = (note: string): string => `# Facts

This page lists every fact that a journal can contain, with its fields. It is ${note} from the rows in \`facts/\` and their comments.

- \`GET /api/facts/schema\` returns the same as one JSON Schema, also for older versions of a fact.
- A daemon writes the version that is named here, and reads all older ones. An older version has the same fields except those that are listed.
- [Erasing](erase.md) clears the fields that are listed as erased. All others stay.
- The [files](files.md) describe the format on disk. [Extend](../how-to/extend.md#a-fact) describes how to add a fact, and how a release records its facts.

${subjects.map(([title, rows]) => `## ${title}\n\n${Object.entries(rows).map(formatFact).join('\n')}`).join('\n')}
## Values

${Object.entries(schemasByName)
  .filter(([name]) => !Object.hasOwn(factRows, name))
  .map(
    ([name, schema]) =>
      `### ${name}\n\n${comments.get(name) ? `${comments.get(name)}\n\n` : ''}${formatType(schema)}\n`,
  )
  .join('\n')}`

const formatFact = ([type, row]: readonly [string, Row]): string => {
  const { description, fields } = getMeaning(type, row)
  const { properties = {}, required = [] } = schemasByName[type] as {
    readonly properties?: Readonly<Record<string, Json>>
    readonly required?: readonly string[]
  }
  const rows = Object.entries(properties).map(
    ([name, schema]) =>
      `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${formatType(schema).replaceAll('|', '\\|')} | ${fields[name] ?? ''} |`,
  )
  const { blank } = row.traits
  const lines = [
    `### ${type}`,
    [description, `Version ${versionOfRow(row)}.`].filter(Boolean).join(' '),
    rows.length > 0 ? ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n') : '',
    formatOlder(type, row).join('\n'),
    blank ? `Erased: ${formatNames(Object.keys(blank))}.` : '',
  ]
  return `${lines.filter(Boolean).join('\n\n')}\n`
}

const formatNames = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** Describes a schema in one line. */
const formatType = (schema: Json): string => {
  const { $ref, anyOf, oneOf, type, items, properties, required, enum: values } = schema
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  const variants = anyOf ?? oneOf
  if (Array.isArray(variants)) return variants.map((part: Json) => formatType(part)).join(' | ')
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'array') {
    const item = isObject(items) ? formatType(items) : 'any'
    return `${/[ |]/.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`
  }
  if (isObject(properties)) {
    const parts = Object.entries(properties).map(
      ([name, part]) =>
        `${name}${Array.isArray(required) && required.includes(name) ? '' : '?'}: ${formatType(part as Json)}`,
    )
    return `{ ${parts.join(', ')} }`
  }
  return `${type ?? 'any'}${typeof schema.minimum === 'number' ? ` ≥ ${schema.minimum}` : ''}`
}

/** Returns one item for each older version that differs from the next one. */
const formatOlder = (type: string, row: Row): readonly string[] => {
  const versions = [...listOlder(type, row).map(([, schema]) => schema), describeRow(row)]
  return versions.slice(0, -1).flatMap((schema, index) => {
    const [older, newer] = [flatten(schema), flatten(versions[index + 1] ?? {})]
    const lacked = [...newer.keys()].filter((path) => !hasPath(older, path))
    const replaced = [...older.keys()].filter((path) => !hasPath(newer, path))
    const changed = [...newer].filter(([path, text]) => older.has(path) && older.get(path) !== text)
    const parts = [
      lacked.length > 0 ? `had no ${formatNames(topmost(lacked))}` : '',
      replaced.length > 0 ? `had ${formatNames(topmost(replaced))}` : '',
      ...changed.map(([path, text]) => formatChange(path, older.get(path) ?? '', text)),
    ].filter(Boolean)
    return parts.length > 0 ? [`- Version ${index + 1} ${parts.join('; ')}.`] : []
  })
}

/** Names the values that a field did not have yet. */
const formatChange = (path: string, older: string, newer: string): string => {
  const [olderValues, newerValues] = [older, newer].map((text) => /"enum":(\[[^\]]*\])/.exec(text)?.[1])
  if (olderValues === undefined || newerValues === undefined) return `had another form of \`${path}\``
  const known = JSON.parse(olderValues) as readonly string[]
  const addedValues = (JSON.parse(newerValues) as readonly string[]).filter((value) => !known.includes(value))
  return `had no ${formatNames(addedValues)} in \`${path}\``
}

const hasPath = (paths: ReadonlyMap<string, string>, path: string): boolean => paths.has(path)

/** Leaves out fields of a field that is in the list itself. */
const topmost = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)))

/** Returns the type of each field by its path. */
const flatten = (schema: Json, path = ''): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const { properties, items, anyOf, oneOf } = schema
  for (const [name, part] of Object.entries(isObject(properties) ? properties : {})) {
    const place = path === '' ? name : `${path}.${name}`
    const { properties: _, items: __, ...own } = part as Json
    found.set(place, `${found.get(place) ?? ''}${own.anyOf || own.oneOf ? '' : JSON.stringify(own)}`)
    for (const [inner, text] of flatten(part as Json, place)) found.set(inner, text)
  }
  const parts = [items, ...(Array.isArray(anyOf) ? anyOf : []), ...(Array.isArray(oneOf) ? oneOf : [])]
  for (const part of parts)
    if (isObject(part)) for (const [inner, text] of flatten(part, path)) found.set(inner, text)
  return found
}

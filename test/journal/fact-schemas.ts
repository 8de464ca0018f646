/**
 * JSON Schemas of the facts, made from the rows in `facts`, and the check that a change keeps every
 * released journal readable. `node --import tsx test/journal/fact-schemas.ts v16` records a release.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { calendarFacts } from '../../facts/calendar.ts'
import { channelFacts } from '../../facts/channels.ts'
import { indexes, SearchKinds, type Traits } from '../../facts/fact.ts'
import { importFacts } from '../../facts/import.ts'
import { initiativeFacts } from '../../facts/initiative.ts'
import { lifecycleFacts } from '../../facts/lifecycle.ts'
import { mailFacts } from '../../facts/mail.ts'
import { memoryFacts } from '../../facts/memory.ts'
import { personaFacts } from '../../facts/persona.ts'
import { responseFacts } from '../../facts/responses.ts'
import { skillFacts } from '../../facts/skills.ts'
import { talkFacts } from '../../facts/talk.ts'
import { toolFacts } from '../../facts/tools.ts'
import type { Payload } from '../../journal/log/vocabulary.ts'

export interface Row {
  readonly shape: z.ZodRawShape
  readonly traits: Traits
}
export type Rows = Readonly<Record<string, Row>>
export type Json = Readonly<Record<string, unknown>>

/** The facts by subject, in the order of the docs. */
export const subjects: readonly (readonly [title: string, rows: Rows])[] = [
  ['Identity and repair', personaFacts],
  ['Lifecycle and organs', lifecycleFacts],
  ['Channels', channelFacts],
  ['Talk and turns', talkFacts],
  ['Tools', toolFacts],
  ['Skills', skillFacts],
  ['Responses of API clients', responseFacts],
  ['Memory and instructions', memoryFacts],
  ['Calendar, days, sleep', calendarFacts],
  ['Mail', mailFacts],
  ['Messages of its own', initiativeFacts],
  ['Imports', importFacts],
]
export const factRows: Rows = Object.assign({}, ...subjects.map(([, rows]) => rows))

export const versionOfRow = ({ traits: { older = [] } }: Row): number => older.length + 1

/** Returns the schema of a fact's payload without references. */
export const describeRow = ({ shape }: Pick<Row, 'shape'>): Json => {
  const { $schema, ...schema } = z.toJSONSchema(z.strictObject(shape), { unrepresentable: 'any' })
  return withoutNoise(schema)
}

/** Removes the bounds that zod adds to each integer, and `readOnly`: they do not describe a fact. */
export const withoutNoise = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (key === 'readOnly' && value === true)
      ? undefined
      : value,
  ) as Json

/** The vocabulary of a release. */
interface Release {
  /** Name of its golden journal. */
  readonly golden: string
  readonly kinds: readonly string[]
  readonly searchKinds: readonly string[]
  /** The version of each fact. */
  readonly facts: Readonly<Record<string, number>>
}
export interface Released {
  readonly releases: readonly Release[]
  /** By `<fact>@<version>`. */
  readonly schemas: Readonly<Record<string, Json>>
}

const releasedFile = join(import.meta.dirname, 'released-facts.json')
export const readReleased = (): Released => JSON.parse(readFileSync(releasedFile, 'utf8')) as Released

/** Writes one line for each release and each schema. */
const writeReleased = ({ releases, schemas }: Released): void => {
  const releaseLines = releases.map((release) => `    ${JSON.stringify(release)}`)
  const schemaLines = Object.entries(schemas)
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`)
  const lines = ['{', '  "releases": [', releaseLines.join(',\n'), '  ],', '  "schemas": {']
  writeFileSync(releasedFile, `${[...lines, schemaLines.join(',\n'), '  }', '}'].join('\n')}\n`)
}

/** A fact as a golden journal stores it. */
export interface StoredFact {
  readonly golden: string
  readonly type: string
  readonly version: number
  readonly payload: Payload
}

export interface Vocabulary {
  readonly rows: Rows
  readonly kinds: readonly string[]
  readonly searchKinds: readonly string[]
}
export const currentVocabulary: Vocabulary = {
  rows: factRows,
  kinds: Object.keys(indexes),
  searchKinds: SearchKinds,
}

/** Returns one sentence for each way in which facts on disk would become unreadable. */
export const findContradictions = (
  vocabulary: Vocabulary,
  released: Released,
  storedFacts: readonly StoredFact[],
): readonly string[] => [
  ...new Set([
    ...released.releases.flatMap((release) => [
      ...findMissing('index kind', release.kinds, vocabulary.kinds),
      ...findMissing('search kind', release.searchKinds, vocabulary.searchKinds),
      ...Object.entries(release.facts).flatMap(([type, version]) =>
        findChange(type, version, vocabulary.rows[type], released.schemas),
      ),
    ]),
    ...storedFacts.flatMap((fact) => findUnreadable(fact, vocabulary.rows[fact.type])),
  ]),
]

const findMissing = (what: string, old: readonly string[], current: readonly string[]): readonly string[] =>
  old.filter((name) => !current.includes(name)).map((name) => `The ${what} ${name} was released and is gone.`)

const findChange = (
  type: string,
  version: number,
  row: Row | undefined,
  schemas: Released['schemas'],
): readonly string[] => {
  if (!row) return [`${type} was released and is gone.`]
  const current = versionOfRow(row)
  if (current < version)
    return [`${type} was released as version ${version}, and now has upcasters to ${current} only.`]
  if (current > version || toText(describeRow(row)) === toText(schemas[`${type}@${version}`])) return []
  return [`The fields of ${type} differ from the released version ${version}. Add an upcaster to \`older\`.`]
}

const findUnreadable = (
  { golden, type, version, payload }: StoredFact,
  row: Row | undefined,
): readonly string[] => {
  if (!row) return [`${type} was released and is gone.`]
  const place = `${type}@${version} of the golden journal ${golden}`
  try {
    const upcasters = (row.traits.older ?? []).slice(version - 1)
    const upcast = upcasters.reduce((oldPayload, step) => step(oldPayload), payload)
    const { error } = z.strictObject(row.shape).safeParse(upcast)
    const field = error?.issues[0]?.path.join('.')
    return error ? [`${place} cannot be read: ${field || 'fields'}: ${error.issues[0]?.message}.`] : []
  } catch (error) {
    return [`${place} cannot be read: its upcaster fails: ${error instanceof Error ? error.message : error}.`]
  }
}

/** The order of fields does not matter. */
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** Adds a release. A released schema never changes. */
export const recordRelease = (
  { rows, kinds, searchKinds }: Vocabulary,
  golden: string,
  released: Released,
): Released => {
  const versions = Object.entries(rows).map(([type, row]) => [type, versionOfRow(row)] as const)
  const schemas = Object.entries(rows).map(([type, row]) => [
    `${type}@${versionOfRow(row)}`,
    describeRow(row),
  ])
  return {
    releases: [
      ...released.releases.filter((release) => release.golden !== golden),
      { golden, kinds, searchKinds, facts: Object.fromEntries(versions) },
    ],
    schemas: { ...Object.fromEntries(schemas), ...released.schemas },
  }
}

const [, script, golden] = process.argv
if (script === fileURLToPath(import.meta.url) && golden !== undefined)
  writeReleased(recordRelease(currentVocabulary, golden, readReleased()))

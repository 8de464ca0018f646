/**
 * Validates and limits the tool definitions of a server, and computes a hash that changes with every change
 * of them.
 */
import { hash } from 'node:crypto'
import * as z from 'zod'
import type { SecretMask } from './secret-mask.ts'
import type { ToolDefinition } from './server-config.ts'
import { plainLine } from './trouble.ts'

export interface Definitions {
  readonly tools: readonly ToolDefinition[]
  /** Sentences about tools that were left out. */
  readonly left: readonly string[]
}

export const maxTools = 500
const maxDefinitionBytes = 64 * 1024
const maxTotalBytes = 4 * 1024 * 1024
const maxDepth = 32
/** Max characters of a name in a message. */
const maxNameLength = 80

const Tool = z.object({
  name: z.string().regex(/^[\x21-\x7e]{1,128}$/),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
})

/**
 * Returns the definitions with secrets masked. A tool whose name contains a secret could not be called, so it
 * is left out.
 */
export const parseDefinitions = (values: readonly unknown[], mask: SecretMask): Definitions => {
  const tools = new Map<string, ToolDefinition>()
  const leftOutTools = {
    malformed: [] as string[],
    large: [] as string[],
    deep: [] as string[],
    telling: [] as string[],
    many: 0,
  }
  let bytes = 0
  for (const raw of values) {
    const rawName = getName(raw)
    const name = plainLine(mask.text(rawName), maxNameLength)
    if (!isShallow(raw)) {
      leftOutTools.deep.push(name)
      continue
    }
    // Limits the work of masking, which searches the whole text for each secret.
    if (tools.size === maxTools || bytes > maxTotalBytes) {
      leftOutTools.many++
      continue
    }
    if (Buffer.byteLength(JSON.stringify(raw)) > 2 * maxDefinitionBytes) {
      leftOutTools.large.push(name)
      continue
    }
    if (mask.text(rawName) !== rawName) {
      leftOutTools.telling.push(name)
      continue
    }
    const read = Tool.safeParse(mask.value(raw))
    if (!read.success || tools.has(read.data.name)) {
      leftOutTools.malformed.push(name)
      continue
    }
    const text = canonical(read.data)
    if (Buffer.byteLength(text) > maxDefinitionBytes) {
      leftOutTools.large.push(name)
      continue
    }
    bytes += text.length
    if (tools.size === maxTools || bytes > maxTotalBytes) {
      leftOutTools.many++
      continue
    }
    const { description = '', title, inputSchema } = read.data
    tools.set(read.data.name, {
      name: read.data.name,
      description: description || (title ?? ''),
      parameters: inputSchema,
      hash: hash('sha256', text),
    })
  }
  return { tools: [...tools.values()], left: describeLeftOut(leftOutTools) }
}

const describeLeftOut = (leftOutTools: {
  readonly telling: readonly string[]
  readonly malformed: readonly string[]
  readonly large: readonly string[]
  readonly deep: readonly string[]
  readonly many: number
}): readonly string[] => [
  ...(leftOutTools.large.length > 0
    ? [`Left out, because its definition is larger than 64 KiB: ${names(leftOutTools.large)}.`]
    : []),
  ...(leftOutTools.deep.length > 0
    ? [`Left out, because it is nested too deeply: ${names(leftOutTools.deep)}.`]
    : []),
  ...(leftOutTools.malformed.length > 0
    ? [`Left out, because its definition is malformed or there twice: ${names(leftOutTools.malformed)}.`]
    : []),
  ...(leftOutTools.telling.length > 0
    ? [`Left out, because its name contains a secret of this server: ${names(leftOutTools.telling)}.`]
    : []),
  ...(leftOutTools.many > 0
    ? [`Left out, because there are too many: ${leftOutTools.many} more tools.`]
    : []),
]

const names = (all: readonly string[]): string =>
  all.length > 5 ? `${all.slice(0, 5).join(', ')} and ${all.length - 5} more` : all.join(', ')

const getName = (raw: unknown): string => {
  const name = typeof raw === 'object' && raw !== null && 'name' in raw ? raw.name : undefined
  return typeof name === 'string' && name.trim() !== '' ? name.slice(0, 1000) : 'one without a name'
}

const isShallow = (value: unknown, depth = 0): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth < maxDepth && Object.values(value).every((inner) => isShallow(inner, depth + 1)))

/** Returns the same text for equal values, regardless of the order of fields. */
const canonical = (value: unknown): string => JSON.stringify(sortFields(value))

const sortFields = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortFields)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  // `fromEntries` keeps a field named `__proto__` as an own field.
  return Object.fromEntries(fields.map(([name, inner]) => [name, sortFields(inner)]))
}

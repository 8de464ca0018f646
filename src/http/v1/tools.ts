/** Schema of the tools of a client, for both formats of the OpenAI-compatible API. */
import * as z from 'zod'
import { isObject } from '../../../packages/kit/is-object.ts'
import { plainLine } from '../../../packages/mcp-client/trouble.ts'
import type { ClientTools } from '../../agents/client-tools.ts'
import { withoutTokens } from '../../mind/prompt/marked-data.ts'
import { plainSchema } from '../../tool-servers/plain-schema.ts'
import { HttpRefused } from '../refused.ts'

const maxTools = 128
/** In UTF-16 units. */
const maxDescription = 4096
/** In UTF-16 units of JSON, of one tool and of all. */
const maxSchema = 32 * 1024
const maxSchemas = 256 * 1024
const maxDepth = 24
/** Max parts of a schema after its references are resolved. */
const maxNodes = 2000

const toolFields = {
  name: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, underscores or dashes')
    .describe('1 to 64 letters, digits, underscores or dashes.'),
  description: z.string().max(maxDescription).nullish(),
  parameters: z
    .record(z.string(), z.unknown())
    .nullish()
    .superRefine((schema, context) => {
      const message = schema && findSchemaError(schema)
      if (message) context.addIssue({ code: 'custom', message })
    })
    .describe('JSON Schema of an object. References only within the schema.'),
  strict: z.boolean().nullish().describe('Ignored: every call is checked against the schema.'),
}
const FunctionTool = z.object(toolFields)
export type FunctionTool = z.infer<typeof FunctionTool>

/** Checked before the tools, of which a body can contain a million. */
const refuseExcess = (tools: unknown, context: z.RefinementCtx): unknown => {
  if (!Array.isArray(tools) || tools.length <= maxTools) return tools
  context.addIssue({ code: 'custom', message: `at most ${maxTools} tools are taken` })
  return z.NEVER
}

const listOf = <T extends z.ZodType>(tool: T, getName: (tool: z.infer<T>) => string) =>
  z.preprocess(
    refuseExcess,
    z.array(tool).superRefine((tools, context) => {
      const names = new Set<string>()
      const repeatedIndex = tools.findIndex((item) => names.size === names.add(getName(item)).size)
      if (repeatedIndex >= 0)
        context.addIssue({ code: 'custom', message: 'another tool has this name', path: [repeatedIndex] })
      if (JSON.stringify(tools).length > maxSchemas)
        context.addIssue({ code: 'custom', message: `at most ${maxSchemas} characters are taken` })
    }),
  )

export const ChatTools = listOf(
  z.object({ type: z.literal('function'), function: FunctionTool }),
  (tool) => tool.function.name,
).describe('Tools of the client. The persona calls them beside its own, and the client runs them.')

export const ChatToolChoice = z.union(
  [
    z.enum(['none', 'auto', 'required']),
    z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
  ],
  { error: 'tool_choice is none, auto, required, or {"type": "function", "function": {"name": "…"}}' },
)

export const ResponseTools = listOf(
  z.object({ type: z.literal('function'), ...toolFields }),
  (tool) => tool.name,
).describe('Tools of the client. The persona calls them beside its own, and the client runs them.')

export const ResponseToolChoice = z.union(
  [z.enum(['none', 'auto', 'required']), z.object({ type: z.literal('function'), name: z.string() })],
  { error: 'tool_choice is none, auto, required, or {"type": "function", "name": "…"}' },
)

interface SentTools {
  readonly tools: readonly FunctionTool[]
  readonly choice: ClientTools['choice']
  readonly parallel: boolean
}

/** Returns undefined if there are no tools. Throws invalid. */
export const toClientTools = ({ tools, choice, parallel }: SentTools): ClientTools | undefined => {
  const isNamed = typeof choice === 'object'
  if (isNamed ? !tools.some(({ name }) => name === choice.name) : choice === 'required' && tools.length === 0)
    throw new HttpRefused({
      code: 'invalid',
      items: [
        {
          type: 'value_error',
          loc: ['body', 'tool_choice'],
          msg: 'Value error, the tool that must be called is not among the tools',
        },
      ],
    })
  if (tools.length === 0) return undefined
  return {
    specs: tools.map(({ name, description, parameters }) => ({
      name,
      description: withoutTokens(plainLine(description ?? '', maxDescription)),
      parameters: plainSchema(parameters ?? {}),
    })),
    choice,
    parallel,
  }
}

/** Returns why a schema is not taken, or null. */
export const findSchemaError = (schema: Readonly<Record<string, unknown>>): string | null => {
  if (schema.type !== undefined && schema.type !== 'object') return 'the schema must be of type object'
  const text = JSON.stringify(schema)
  if (text.length > maxSchema) return `the schema is longer than ${maxSchema} characters`
  let nodes = 0
  const check = (value: unknown, depth: number): string | null => {
    if (typeof value !== 'object' || value === null) return null
    if (++nodes > maxNodes) return `the schema has more than ${maxNodes} parts`
    if (depth > maxDepth) return `the schema is nested deeper than ${maxDepth} levels`
    const { $ref: ref } = value as { readonly $ref?: unknown }
    if (typeof ref === 'string') {
      if (!ref.startsWith('#')) return '$ref must point into the schema itself, such as #/$defs/Name'
      // A schema may contain itself. It is resolved to a limited depth, which the count of its parts limits.
      return depth > maxResolved ? null : check(resolve(ref, schema), depth + 1)
    }
    for (const inner of Object.values(value)) {
      const error = check(inner, depth + 1)
      if (error !== null) return error
    }
    return null
  }
  return check(schema, 0)
}

/** Levels to which references are resolved, as in `plainSchema`. */
const maxResolved = 12

const resolve = (ref: string, root: Readonly<Record<string, unknown>>): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), root)

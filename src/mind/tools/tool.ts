/**
 * Defines the tools that the model may call. The effect of a tool, if any, consists of facts that are written
 * in one commit with its answer.
 */

import * as z from 'zod'
import type { Call, Channel, PersonaId, Seq, Sha256, Slot } from '../../../facts/fact-values.ts'
import type { Journal } from '../../../facts/persona-journal.ts'
import type { Documents } from '../../../packages/documents/documents.ts'
import { unlessAborted } from '../../../packages/kit/flow/abort-signals.ts'
import { isObject } from '../../../packages/kit/is-object.ts'
import type { Log } from '../../../packages/kit/log.ts'
import { inSpan } from '../../../packages/kit/tracing/tracing.ts'
import type { ToolSpec } from '../../../packages/models/mind.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Vitals } from '../../persona/persona-store.ts'
import type { OrganCall } from '../../persona/rules/organ-health.ts'
import type { Effect } from '../../persona/rules/tools.ts'
import type { SearchOfOne } from '../../search/search.ts'
import { isUnasked } from '../memory/authority.ts'
import type { Provenance } from '../memory/provenance.ts'
import { Unanswered } from '../model-retries.ts'
import type { Organs } from '../organ-calls.ts'
import { coerceInput, type InputSchema } from '../prompt/coerce-input.ts'
import type { Files } from '../prompt/heard-files.ts'
import { parseInput } from '../prompt/lenient-json.ts'
import type { OwnTool } from '../prompt/origin.ts'
import { findName, findNearestName, formerTools } from '../prompt/tool-names.ts'
import { describeInputError, toParameters } from './input-schema.ts'

/** The data and services that a tool may use. */
export interface ToolContext {
  readonly persona: Persona
  readonly journal: Journal
  readonly turn: Seq
  readonly channel: Channel | null
  /**
   * The words of the user in this turn, and all other words in the prompt. They decide what a tool may learn.
   */
  readonly provenance: Provenance
  /** Epoch milliseconds. */
  readonly now: number
  readonly zone: string
  /** Returns a short id, unique within the persona. */
  newId(): string
  /** Calls throw `Unanswered`, whose message goes to the model unchanged. */
  readonly organs: Organs
  readonly files: Files
  readonly documents: Pick<Documents, 'sense' | 'read' | 'readText'>
  readonly search: SearchOfOne
  /** Returns the state of the journal and the keys. */
  readonly vitals: () => Promise<Vitals>
  readonly signal: AbortSignal
  /** The server and tool for which the call was permitted. Absent if it needs no permission. */
  readonly permitted?: Pick<Permission, 'server' | 'tool'>
}

export interface ToolResult {
  readonly ok: boolean
  /** JSON for the model. */
  readonly output: unknown
  readonly effect?: readonly Effect[]
  /** The organ calls of this tool call, for the ledger. */
  readonly calls?: readonly OrganCall[]
}

/** Identifies a tool that needs the user's permission. */
export interface Permission {
  readonly server: string
  readonly tool: string
  /** The hash of the tool's current description. */
  readonly definition: Sha256
  /** The error for the model if the user has disabled the tool. */
  readonly refused?: string
  /** The words that the call sends to the web. Some need an approval even if the tool is always allowed. */
  readonly outgoing?: Outgoing
}

/** The address of a page, or the words of a search. */
export type Outgoing = { readonly address: URL } | { readonly query: string }

/** The state on which a permission can depend. */
export interface PermissionContext {
  readonly persona: Persona
  /** Epoch milliseconds. */
  readonly now: number
}

/** The parts of a persona that decide which tools it is offered. */
export interface Abilities {
  readonly persona: Persona
  /** True if it has an Eye or an Ear, or if its Mind accepts pictures. */
  readonly canPerceive: boolean
}

/**
 * `acts`: the effect is outside the journal, so its start is recorded as a fact. `lasting`: changes memories,
 * plans or lessons, which requires words of the user; a function if it depends on the input.
 */
export interface Tool {
  readonly spec: ToolSpec
  readonly acts: boolean
  readonly lasting: boolean | ((input: unknown) => boolean)
  /**
   * Absent for built-in tools that need no permission. A function if it depends on the input; it returns null
   * if the call will be refused anyway.
   */
  readonly permission?: Permission | ((input: unknown, context: PermissionContext) => Permission | null)
  /** If present, the tool is offered only to a persona with this organ. */
  readonly organ?: Slot
  /**
   * If present, the tool is offered only if this returns true. It may depend on organs, channels, servers and
   * skills, but not on the talk: another tool list changes the beginning of every prompt.
   */
  readonly needs?: (abilities: Abilities) => boolean
  /** Returns the call of a server tool that a call of this tool stands for. */
  readonly redirect?: (input: unknown) => Pick<Call, 'name' | 'input'> | null
  /** Converts an input to the types of the schema. Converting twice changes nothing. */
  readonly coerce?: (input: unknown) => unknown
  /** Returns an error result for invalid input; never throws because of it. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>
}

/** Returns the permission that a call needs, or null. */
export const getPermission = (
  tool: Tool | undefined,
  input: unknown,
  context: PermissionContext,
): Permission | null => {
  const { permission = null } = tool ?? {}
  return typeof permission === 'function' ? permission(input, context) : permission
}

export const defineTool = <S extends z.ZodType>(tool: {
  /** A built-in tool has a row in `toolOrigins`. */
  readonly name: OwnTool | `${string}__${string}`
  readonly description: string
  readonly input: S
  readonly acts?: boolean
  readonly lasting?: boolean | ((input: z.infer<S>) => boolean)
  readonly permission?: (input: z.infer<S>, context: PermissionContext) => Permission | null
  readonly organ?: Slot
  readonly needs?: Tool['needs']
  readonly redirect?: (input: z.infer<S>) => Pick<Call, 'name' | 'input'>
  readonly run: (input: z.infer<S>, context: ToolContext) => ToolResult | Promise<ToolResult>
}): Tool => {
  const schema = z.toJSONSchema(tool.input, { io: 'input' }) as InputSchema
  const coerce = (input: unknown) => coerceInput(schema, input)
  const validate = (input: unknown) => tool.input.safeParse(coerce(input))
  const { permission, redirect, lasting = false } = tool
  return {
    spec: { name: tool.name, description: tool.description, parameters: toParameters(schema) },
    acts: tool.acts ?? false,
    lasting:
      typeof lasting === 'boolean'
        ? lasting
        : (input) => {
            const validation = validate(input)
            return validation.success ? lasting(validation.data) : true
          },
    ...(permission && {
      permission: (input: unknown, context: PermissionContext) => {
        const validation = validate(input)
        return validation.success ? permission(validation.data, context) : null
      },
    }),
    ...(tool.organ && { organ: tool.organ }),
    ...(tool.needs && { needs: tool.needs }),
    ...(redirect && {
      redirect: (input: unknown) => {
        const validation = validate(input)
        return validation.success ? redirect(validation.data) : null
      },
    }),
    coerce,
    run: async (input, context) => {
      const validation = validate(input)
      return validation.success
        ? tool.run(validation.data, context)
        : createFailure(describeInputError(validation.error, schema, coerce(input)))
    },
  }
}

/** Returns the tools that a persona with these abilities is offered. */
export const listOffered = (tools: readonly Tool[], abilities: Abilities): readonly Tool[] =>
  tools.filter(
    ({ organ, needs }) =>
      (organ === undefined || abilities.persona.self.organs[organ] !== undefined) &&
      (needs?.(abilities) ?? true),
  )

export const readAbilities = async (persona: Persona, organs: Organs): Promise<Abilities> => ({
  persona,
  canPerceive: organs.has('eye') || organs.has('ear') || (await organs.takes('thinking')).images,
})

interface ResolvedCall {
  /** Undefined if no tool has that name. */
  readonly tool: Tool | undefined
  /** The input that permissions are checked for and that runs. */
  readonly input: unknown
}

/** Finds the tool of a call and converts its input. Returns the same for the same call. */
export const resolveCall = ({ id, name, input: sentInput }: Call, tools: readonly Tool[]): ResolvedCall => {
  const input = parseInput(sentInput)
  const foundTool = findTool(name, tools)
  const target = foundTool?.redirect?.(input)
  if (target) {
    const serverTools = tools.filter(({ spec }) => isServerTool(spec.name))
    const resolvedCall = resolveCall({ id, ...target }, serverTools)
    if (resolvedCall.tool) return resolvedCall
  }
  if (foundTool) return { tool: foundTool, input: foundTool.coerce?.(input) ?? input }
  const formerTool = formerTools[findName(name, Object.keys(formerTools)) ?? '']
  const tool = formerTool && findTool(formerTool.tool, tools)
  if (!formerTool || !tool) return { tool: undefined, input }
  const convertedInput = formerTool.toInput(isObject(input) ? input : {})
  return { tool, input: tool.coerce?.(convertedInput) ?? convertedInput }
}

const findTool = (name: string, tools: readonly Tool[]): Tool | undefined => {
  const knownName = findName(
    name,
    tools.map(({ spec }) => spec.name),
  )
  return tools.find(({ spec }) => spec.name === knownName)
}

export const createFailure = (error: string): ToolResult => ({ ok: false, output: { error } })

/** For an action that the words of this turn do not allow. Weak models report it as done otherwise. */
export const createRefusal = (reason: string): ToolResult =>
  createFailure(`${reason} Do not say that it is done.`)

// Runs one tool call. A tool that throws or hangs still returns an answer for the model.

interface ToolRun {
  readonly id: PersonaId
  /** Absent outside a turn. */
  readonly turn?: Seq
  readonly log: Log
}

/** Max bytes of a tool's input, and of its output. Both are stored in one commit. */
export const maxOutputBytes = 64 * 1024
export const getSize = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? null))

/** Rejects only with the abort reason. */
export const runTool = (
  tool: Tool,
  call: Call,
  context: ToolContext,
  toolRun: ToolRun,
): Promise<ToolResult> => {
  const { name } = tool.spec
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': isServerTool(name) ? 'extension' : 'function',
  } as const
  return inSpan({ name: `execute_tool ${name}`, attributes }, async (span) => {
    const result = await runUntraced(tool, call, context, toolRun)
    if (!result.ok) span.end('tool_failed')
    return result
  })
}

const isServerTool = (name: string): boolean => name.includes('__')

const runUntraced = async (
  tool: Tool,
  { name, input }: Call,
  context: ToolContext,
  { log, ...logFields }: ToolRun,
): Promise<ToolResult> => {
  const { signal } = context
  try {
    const isLasting = typeof tool.lasting === 'function' ? tool.lasting(input) : tool.lasting
    const refusal = isLasting ? isUnasked(context.provenance) : null
    if (refusal !== null) return createRefusal(refusal)
    const result = await unlessAborted(tool.run(input, context), signal)
    return getSize(result.output) > maxOutputBytes
      ? createFailure('The answer was too long to be shown.')
      : result
  } catch (err) {
    signal.throwIfAborted()
    if (err instanceof Unanswered) return { ...createFailure(err.message), calls: [{ failed: err.failed }] }
    log.error({ ...logFields, reason: name, err }, 'a tool failed')
    return createFailure('The tool failed.')
  }
}

export const unknownTool = ({ name }: Pick<Call, 'name'>, tools: readonly Tool[]): ToolResult => {
  const nearest = findNearestName(
    name,
    tools.map(({ spec }) => spec.name),
  )
  return createFailure(`There is no tool named ${name}.${nearest ? ` Did you mean ${nearest}?` : ''}`)
}

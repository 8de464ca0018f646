/**
 * Defines the tools that the model may call. The effect of a tool, if any, consists of facts that are written
 * in one commit with its answer.
 */

import * as z from 'zod'
import type { Call, Channel, PersonaId, Seq, Sha256 } from '../../../journal/facts/fact-values.ts'
import type { Journal } from '../../../journal/log/journal.ts'
import type { Documents } from '../../../packages/documents/documents.ts'
import { unlessAborted } from '../../../packages/kit/flow/abort-signals.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { ToolSpec } from '../../../packages/models/mind.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Vitals } from '../../persona/persona-store.ts'
import type { OrganCall } from '../../persona/rules/life.ts'
import type { Effect } from '../../persona/rules/tools.ts'
import type { SearchOfOne } from '../../search/search.ts'
import { isUnasked } from '../memory/authority.ts'
import type { Provenance } from '../memory/provenance.ts'
import type { Organs } from '../organ-calls.ts'
import type { Files } from '../prompt/heard-files.ts'
import type { OwnTool } from '../prompt/origin.ts'
import { Unanswered } from '../think.ts'

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
  /**
   * An address that needs a question to the user even if its host is always allowed, unless the user or a
   * source outside mentioned the address.
   */
  readonly unseen?: URL
}

/**
 * `acts`: the effect is outside the journal, so its start is recorded as a fact. `lasting`: changes memories,
 * plans or lessons, which requires words of the user.
 */
export interface Tool {
  readonly spec: ToolSpec
  readonly acts: boolean
  readonly lasting: boolean
  /**
   * Absent for built-in tools that need no permission. A function if it depends on the input; it returns null
   * if the call will be refused anyway.
   */
  readonly permission?: Permission | ((input: unknown) => Permission | null)
  /** If present, the tool is offered only to personas for which this returns true. */
  readonly needs?: (persona: Persona) => boolean
  /** Returns an error result for invalid input; never throws because of it. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>
}

/** Returns the permission that a call needs, or null. */
export const getPermission = (tool: Tool | undefined, input: unknown): Permission | null => {
  const { permission = null } = tool ?? {}
  return typeof permission === 'function' ? permission(input) : permission
}

export const defineTool = <S extends z.ZodType>(tool: {
  /** A built-in tool has a row in `toolAnswers`. */
  readonly name: OwnTool | `${string}__${string}`
  readonly description: string
  readonly input: S
  readonly acts?: boolean
  readonly lasting?: boolean
  readonly permission?: (input: z.infer<S>) => Permission | null
  readonly needs?: Tool['needs']
  readonly run: (input: z.infer<S>, context: ToolContext) => ToolResult | Promise<ToolResult>
}): Tool => {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.input, { io: 'input' })
  const { permission } = tool
  return {
    spec: { name: tool.name, description: tool.description, parameters },
    acts: tool.acts ?? false,
    lasting: tool.lasting ?? false,
    ...(permission && {
      permission: (input: unknown) => {
        const validation = tool.input.safeParse(input)
        return validation.success ? permission(validation.data) : null
      },
    }),
    ...(tool.needs && { needs: tool.needs }),
    run: async (input, context) => {
      const validation = tool.input.safeParse(input)
      return validation.success
        ? tool.run(validation.data, context)
        : createFailure(`The input does not fit: ${z.prettifyError(validation.error)}`)
    },
  }
}

/** Returns the tools that the persona can use in its current state. */
export const usableBy = (persona: Persona, tools: readonly Tool[]): readonly Tool[] =>
  tools.filter(({ needs }) => needs?.(persona) ?? true)

export const createFailure = (error: string): ToolResult => ({ ok: false, output: { error } })

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
export const runTool = async (
  tool: Tool,
  { name, input }: Call,
  context: ToolContext,
  { log, ...logFields }: ToolRun,
): Promise<ToolResult> => {
  const { signal } = context
  try {
    const refusal = tool.lasting ? isUnasked(context.provenance) : null
    if (refusal !== null) return createFailure(refusal)
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

export const unknownTool = ({ name }: Call): ToolResult => createFailure(`There is no tool named ${name}.`)

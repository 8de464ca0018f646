/**
 * A tool: what its mind may call. Its effect, where it has one, is facts; they are written with its answer in
 * one commit.
 */
import * as z from 'zod'
import type { Channel, Seq, Sha256 } from '../../../journal/facts/fact-values.ts'
import type { Journal } from '../../../journal/log/journal.ts'
import type { Documents } from '../../../packages/documents/documents.ts'
import type { ToolSpec } from '../../../packages/models/mind.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Vitals } from '../../persona/persona-store.ts'
import type { OrganCall } from '../../persona/rules/life.ts'
import type { Effect } from '../../persona/rules/tools.ts'
import type { SearchOfOne } from '../../search/search.ts'
import type { Provenance } from '../memory/provenance.ts'
import type { Organs } from '../organ-calls.ts'
import type { Files } from '../prompt/heard-files.ts'
import type { OwnTool } from '../prompt/origin.ts'

/** What a tool may look at. */
export interface ToolContext {
  readonly persona: Persona
  readonly journal: Journal
  readonly turn: Seq
  readonly channel: Channel | null
  /** What the person said in the turn, and what else came before it: what is learned in it rests on that. */
  readonly provenance: Provenance
  /** Epoch milliseconds. */
  readonly now: number
  readonly zone: string
  /** A short id no other thing of its own has. */
  newId(): string
  /** Throw `Unanswered`, which is told to its mind as it stands. */
  readonly organs: Organs
  readonly files: Files
  readonly documents: Pick<Documents, 'sense' | 'read' | 'readText'>
  readonly search: SearchOfOne
  /** What is known of its journal and its keys. */
  readonly vitals: () => Promise<Vitals>
  readonly signal: AbortSignal
}

export interface ToolResult {
  readonly ok: boolean
  /** JSON for the model. */
  readonly output: unknown
  readonly effect?: readonly Effect[]
  /** What organs answered it, for the ledger. */
  readonly calls?: readonly OrganCall[]
}

/** Whose tool it is, where the person decides whether it is used. */
export interface Permission {
  readonly server: string
  readonly tool: string
  /** The hash of what it is described as now. */
  readonly definition: Sha256
  /** What its Mind is told where the person has switched it off. */
  readonly refused?: string
  /**
   * An address that is asked about although its host is allowed always, unless it is written in what the user
   * wrote or in what came from outside.
   */
  readonly unseen?: URL
}

/**
 * `acts`: its effect is outside the journal, so that it began is a fact of its own. `lasting`: it changes
 * what is kept, planned or learned, which takes a word of the person.
 */
export interface Tool {
  readonly spec: ToolSpec
  readonly acts: boolean
  readonly lasting: boolean
  /**
   * Absent for one of its own, which needs none. Where it depends on what is asked of the tool: null for what
   * will only be refused.
   */
  readonly permission?: Permission | ((input: unknown) => Permission | null)
  /** Where it is there: only of somebody of whom this holds is its Mind told of it. */
  readonly needs?: (persona: Persona) => boolean
  /** Bad input is an answer to the model, never a throw. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>
}

/** What a call needs the person's word for. */
export const permissionOf = (tool: Tool | undefined, input: unknown): Permission | null => {
  const { permission = null } = tool ?? {}
  return typeof permission === 'function' ? permission(input) : permission
}

export const defineTool = <S extends z.ZodType>(tool: {
  /** One of its own has a row that says whose words its answers are. */
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
        const parsed = tool.input.safeParse(input)
        return parsed.success ? permission(parsed.data) : null
      },
    }),
    ...(tool.needs && { needs: tool.needs }),
    run: async (input, context) => {
      const parsed = tool.input.safeParse(input)
      return parsed.success
        ? tool.run(parsed.data, context)
        : failed(`The input does not fit: ${z.prettifyError(parsed.error)}`)
    },
  }
}

/** Those that it can use as it is. */
export const usableBy = (persona: Persona, tools: readonly Tool[]): readonly Tool[] =>
  tools.filter(({ needs }) => needs?.(persona) ?? true)

export const failed = (error: string): ToolResult => ({ ok: false, output: { error } })

/** Runs one tool call. A tool that throws or hangs still returns an answer for the model. */
import type { Call, PersonaId, Seq } from '../../../journal/facts/fact-values.ts'
import { unlessAborted } from '../../../packages/kit/flow/unless-aborted.ts'
import type { Log } from '../../../packages/kit/log.ts'
import { unasked } from '../memory/authority.ts'
import { Unanswered } from '../think.ts'
import { failed, type Tool, type ToolContext, type ToolResult } from './tool.ts'

interface ToolRun {
  readonly id: PersonaId
  /** Absent outside a turn. */
  readonly turn?: Seq
  readonly log: Log
}

/** Max bytes of a tool's input, and of its output. Both are stored in one commit. */
export const mostOfTool = 64 * 1024
export const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? null))

/** Rejects only with the abort reason. */
export const runTool = async (
  tool: Tool,
  { name, input }: Call,
  context: ToolContext,
  { log, ...logFields }: ToolRun,
): Promise<ToolResult> => {
  const { signal } = context
  try {
    const refusal = tool.lasting ? unasked(context.provenance) : null
    if (refusal !== null) return failed(refusal)
    const result = await unlessAborted(tool.run(input, context), signal)
    return sizeOf(result.output) > mostOfTool ? failed('The answer was too long to be shown.') : result
  } catch (err) {
    signal.throwIfAborted()
    if (err instanceof Unanswered) return { ...failed(err.message), calls: [{ failed: err.failed }] }
    log.error({ ...logFields, reason: name, err }, 'a tool failed')
    return failed('The tool failed.')
  }
}

export const unknownTool = ({ name }: Call): ToolResult => failed(`There is no tool named ${name}.`)

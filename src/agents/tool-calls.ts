/**
 * What its Mind asked of a tool: done, and in a turn written down, so that nothing is done twice and nothing
 * that began is taken for undone.
 */
import type { Call, Channel, Seq } from '../../journal/facts/fact-values.ts'
import type { Turn } from '../../projections/talk.ts'
import type { Provenance } from '../mind/memory/own-words.ts'
import { mostOfTool, runTool, sizeOf, unknownTool } from '../mind/tools/run.ts'
import type { Tool, ToolResult } from '../mind/tools/tool.ts'
import { Refused } from '../persona/refusals.ts'
import { untilKept } from './recording.ts'
import type { TurnDeps } from './turn-deps.ts'
import type { AgentLife } from './wiring.ts'

interface Asked {
  readonly call: Call
  readonly tools: readonly Tool[]
  /** None in an exchange with a program. */
  readonly turn: Seq | null
  readonly channel: Channel | null
  readonly provenance: Provenance
  /** `unkept`: no word of it goes to the disk. */
  readonly words?: 'unkept'
}

/** Rejects only with what cut it. */
export const callTool = async (
  { call, tools, turn, channel, provenance, words }: Asked,
  {
    id,
    log,
    read,
    organs,
    clock,
    newId,
    files,
    documents,
    search,
    vitals,
    signal,
  }: AgentLife & { readonly signal: AbortSignal },
): Promise<ToolResult> => {
  const tool = tools.find(({ spec }) => spec.name === call.name)
  if (!tool) return unknownTool(call)
  return read(({ persona, journal }) => {
    const place = {
      persona,
      journal,
      turn: turn ?? journal.head.seq,
      channel,
      provenance,
      now: clock.now(),
      zone: clock.zone,
    }
    const means = { organs: organs(persona, signal, words), files, documents, search, vitals, newId, signal }
    return runTool(tool, call, { ...place, ...means }, { id, ...(turn !== null && { turn }), log })
  })
}

interface AskedInTurn {
  readonly turn: Turn
  readonly step: number
  readonly call: Call
  /** It began in a life that ended over it. */
  readonly began: boolean
  readonly provenance: Provenance
}

/** What it gave back is recorded with its effect. */
export const callToolInTurn = async (
  { turn, step, call: asked, began, provenance }: AskedInTurn,
  deps: TurnDeps,
): Promise<void> => {
  const { life, tools } = deps
  // The whole of it stands in the recorded answer.
  const call = sizeOf(asked.input) <= mostOfTool ? asked : { ...asked, input: null }
  const answer = { type: 'RecordToolAnswer', life, turn: turn.id, step, call } as const
  if (began) {
    const output = { error: 'The service was stopped while this ran: it is unknown whether it happened.' }
    await untilKept(deps, () => deps.execute({ ...answer, began, effect: [], calls: [], ok: false, output }))
    return
  }
  const acts = tools.find(({ spec }) => spec.name === call.name)?.acts ?? false
  // Not tried again: an act whose beginning is in doubt has not begun.
  if (acts) await deps.execute({ type: 'RecordCall', life, turn: turn.id, step, call })
  const {
    ok,
    output,
    effect = [],
    calls = [],
  } = await callTool({ call, tools, turn: turn.id, channel: turn.channel, provenance }, deps)
  const record = { ...answer, began: acts, calls }
  try {
    deps.signal.throwIfAborted()
    await untilKept(deps, () => deps.execute({ ...record, effect, ok, output }))
  } catch (error) {
    // No fact names what it made.
    for (const change of effect)
      if (change.type === 'Say' && change.media) await deps.files.drop(change.media.filename)
    if (!(error instanceof Refused) || !('id' in error.refusal)) throw error
    const gone = { error: `There is nothing with the id ${error.refusal.id} any more.` }
    await untilKept(deps, () => deps.execute({ ...record, effect: [], ok: false, output: gone }))
  }
}

/**
 * What its Mind asked of a tool: done, and in a turn written down, so that nothing is done twice and nothing
 * that began is taken for undone.
 */
import type { Call, Channel, Seq } from '../../journal/facts/fact-values.ts'
import { choiceOf, type Standing, standingOf } from '../../projections/declared-servers.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Turn } from '../../projections/talk.ts'
import { borrowedIn, type Provenance } from '../mind/memory/provenance.ts'
import { mostOfTool, runTool, sizeOf, unknownTool } from '../mind/tools/run.ts'
import { type Permission, permissionOf, type Tool, type ToolResult } from '../mind/tools/tool.ts'
import { Refused } from '../persona/refusals.ts'
import type { Command } from '../persona/rules/decide.ts'
import { questionOf } from './question-words.ts'
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
  const tool = toolOf(call, tools)
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
  /** What else the step asked for, and that has given nothing back yet. */
  readonly behind: readonly Call[]
  readonly persona: Persona
  readonly tools: readonly Tool[]
  /** It began in a life that ended over it. */
  readonly began: boolean
  readonly provenance: Provenance
  /** Whether an address is written in what came to it in this talk, and not from itself. */
  readonly isSeen: (address: URL) => boolean
}

/**
 * What it gave back is recorded with its effect. Where the person is to be asked first, the turn waits aside.
 */
export const callToolInTurn = async (asked: AskedInTurn, deps: TurnDeps): Promise<void> => {
  const { turn, step, call, tools, provenance } = asked
  const tool = toolOf(call, tools)
  const needed = neededFor(call, asked)
  const of = needed && { server: needed.server, tool: needed.tool }
  // The whole of it stands in the recorded answer.
  const isLong = sizeOf(call.input) > mostOfTool
  const kept = isLong ? { ...call, input: null } : call
  const answer = { type: 'RecordToolAnswer', life: deps.life, turn: turn.id, step, call: kept, of } as const
  const without = (began: boolean, error: string) =>
    untilKept(deps, () =>
      deps.execute({ ...answer, began, effect: [], calls: [], ok: false, output: { error } }),
    )
  if (asked.began)
    return without(true, 'The service was stopped while this ran: it is unknown whether it happened.')
  // What goes elsewhere goes whole; facts are made of what its own tools are given.
  if (isLong && tool && !needed) return without(false, tooLong)
  const permit = permitOf(asked, call, needed)
  if (permit === 'ask') return askPerson(asked, deps)
  if (permit !== 'run') return without(false, permit.refused)

  const acts = tool?.acts ?? false
  // Not tried again: an act whose beginning is in doubt has not begun.
  if (acts) await deps.execute({ type: 'RecordCall', life: deps.life, turn: turn.id, step, call: kept, of })
  const result = await callTool({ call, tools, turn: turn.id, channel: turn.channel, provenance }, deps)
  await recordResult({ ...answer, began: acts }, withBorrowed(result, needed !== null, provenance), deps)
}

/** What it shows or says aloud by a tool; what a tool of others shows is theirs. */
const withBorrowed = (result: ToolResult, isOfOthers: boolean, provenance: Provenance): ToolResult => ({
  ...result,
  effect: (result.effect ?? []).map((change) => {
    if (change.type !== 'Say') return change
    const { content, media } = change
    const words = [content, media?.name ?? '', media?.caption ?? ''].join('\n')
    return { ...change, borrowed: isOfOthers ? [words] : borrowedIn(words, provenance) }
  }),
})

const tooLong = `What was given to it is longer than ${mostOfTool / 1024} KiB: give it less at once.`

type Answering = Omit<Extract<Command, { type: 'RecordToolAnswer' }>, 'effect' | 'calls' | 'ok' | 'output'>

const recordResult = async (
  answer: Answering,
  { ok, output, effect = [], calls = [] }: ToolResult,
  deps: TurnDeps,
): Promise<void> => {
  const record = { ...answer, calls }
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

const toolOf = (call: Call, tools: readonly Tool[]): Tool | undefined =>
  tools.find(({ spec }) => spec.name === call.name)

type Permit = 'run' | 'ask' | { readonly refused: string }

interface Needed extends Permission {
  /** What holds for the tool as it is described now. */
  readonly standing: Standing
  /** It is asked about although it is allowed always. */
  readonly again: boolean
}

/** What a call needs the person's word for; null where it needs none. */
const neededFor = (
  call: Call,
  { tools, persona, isSeen }: Pick<AskedInTurn, 'tools' | 'persona' | 'isSeen'>,
): Needed | null => {
  const needed = permissionOf(toolOf(call, tools), call.input)
  if (!needed) return null
  const standing = standingOf(choiceOf(persona.self, needed), needed.definition)
  const again = standing === 'allow' && needed.unseen !== undefined && !isSeen(needed.unseen)
  return { ...needed, standing, again }
}

/** What the person has said of a call, or of its tool as it is described now. */
const permitOf = (
  { turn, step }: Pick<AskedInTurn, 'turn' | 'step'>,
  call: Call,
  needed: Needed | null,
): Permit => {
  if (!needed) return 'run'
  const { definition, standing, again, refused = 'The person has switched this tool off.' } = needed
  if (standing === 'off') return { refused }
  if (standing === 'allow' && !again) return 'run'
  const said = turn.approvals.findLast((one) => one.call === call.id && one.step === step)
  switch (said?.decision) {
    case 'once':
    case 'always':
      return said.definition === definition ? 'run' : 'ask'
    case 'no':
      return { refused: 'The person was asked, and said no. Do not try it another way: tell them so.' }
    case 'expired':
      return { refused: 'The person was asked and did not answer within a day, which counts as no.' }
    default:
      return 'ask'
  }
}

/** Calls that are asked about at once, and bytes of an input that is told: all of it stands in one commit. */
const [mostAsked, mostTold] = [8, 32 * 1024]

/** About all calls of the step that need it, so that the person answers once. */
const askPerson = async (asked: AskedInTurn, deps: TurnDeps): Promise<void> => {
  const { turn, step } = asked
  const calls = [asked.call, ...asked.behind].flatMap((call) => {
    const needed = neededFor(call, asked)
    if (!needed || permitOf(asked, call, needed) !== 'ask') return []
    const { server, tool, definition } = needed
    const changed = needed.standing === 'changed'
    const input = sizeOf(call.input) <= mostTold ? call.input : null
    const question = questionOf({ server, tool, input: call.input, changed, again: needed.again })
    const again = needed.again && { again: true }
    return { step, call: call.id, server, tool, input, definition, changed, ...again, ...question }
  })
  await untilKept(deps, () =>
    deps.execute({ type: 'AskApprovals', life: deps.life, turn: turn.id, calls: calls.slice(0, mostAsked) }),
  )
  // The fact has set the turn aside, and cut it here.
  deps.signal.throwIfAborted()
}

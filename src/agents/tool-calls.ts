/**
 * Runs the tool calls of the model. In a turn they are recorded, so that no call runs twice and an
 * interrupted call is not mistaken for one that never ran.
 */

import type { Call, Channel, Seq } from '../../facts/fact-values.ts'
import {
  findChoice,
  getStanding,
  type Standing,
  searchServer,
  webServer,
} from '../../projections/declared-servers.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Turn } from '../../projections/talk.ts'
import { getRequestsOf } from '../../projections/web-requests.ts'
import { borrowedIn, type Provenance } from '../mind/memory/provenance.ts'
import type { TurnStep } from '../mind/prompt/talk-items.ts'
import {
  getPermission,
  getSize,
  maxOutputBytes,
  type Permission,
  resolveCall,
  runTool,
  type Tool,
  type ToolContext,
  type ToolResult,
  unknownTool,
} from '../mind/tools/tool.ts'
import { Refused } from '../persona/refusals.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { AgentLife, TurnDeps } from './agent-deps.ts'
import { formatQuestion } from './approval-question.ts'
import { carriesMemory, type EarlierWords, isFound, needsReview } from './outgoing-words.ts'
import { writeWithRetries } from './recording.ts'

interface ToolCallRequest {
  readonly call: Call
  readonly tools: readonly Tool[]
  /** Null in an API chat. */
  readonly turn: Seq | null
  readonly channel: Channel | null
  readonly provenance: Provenance
  /** `unkept`: the prompts of organs that the tool calls are not stored. */
  readonly words?: 'unkept'
  readonly permitted?: ToolContext['permitted']
}

/** Runs a tool. Rejects only with the signal's reason; other errors become a result. */
export const callTool = async (
  { call, tools, turn, channel, provenance, words, permitted }: ToolCallRequest,
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
  const { tool, input } = resolveCall(call, tools)
  if (!tool) return unknownTool(call, tools)
  return read(({ persona, journal }) => {
    const place = {
      persona,
      journal,
      turn: turn ?? journal.head.seq,
      channel,
      provenance,
      now: clock.now(),
      zone: clock.zone,
      ...(permitted && { permitted }),
    }
    const means = { organs: organs(persona, signal, words), files, documents, search, vitals, newId, signal }
    return runTool(
      tool,
      { ...call, input },
      { ...place, ...means },
      { id, ...(turn !== null && { turn }), log },
    )
  })
}

interface AskedInTurn {
  readonly turn: Turn
  readonly step: number
  readonly call: Call
  /** The other calls of the step without a result. */
  readonly otherCalls: readonly Call[]
  readonly persona: Persona
  readonly tools: readonly Tool[]
  /** True if the step has more calls than are run. */
  readonly isExcess: boolean
  /** True if an earlier life started this call and ended during it. */
  readonly began: boolean
  readonly provenance: Provenance
  /** An error to record instead of running the call. */
  readonly refusal: string | null
  /** The completed steps of the turn. */
  readonly steps: readonly Pick<TurnStep, 'answer' | 'results'>[]
  /** What the user and others wrote before this call. */
  readonly words: EarlierWords
}

/**
 * Runs a tool call and records its result and effect in one commit. If the user has to approve it first, the
 * turn is suspended.
 */
export const callToolInTurn = async (toolCall: AskedInTurn, deps: TurnDeps): Promise<void> => {
  const { turn, step, call, tools, provenance } = toolCall
  const { tool } = resolveCall(call, tools)
  const now = deps.clock.now()
  const permission = findPermission(call, toolCall, now)
  const serverTool = permission && { server: permission.server, tool: permission.tool }
  // The recorded answer contains the whole input.
  const isLong = getSize(call.input) > maxOutputBytes
  const recordedCall = isLong ? { ...call, input: null } : call
  const answer = {
    type: 'RecordToolAnswer',
    life: deps.life,
    turn: turn.id,
    step,
    call: recordedCall,
    of: serverTool,
  } as const
  const refuse = (hasBegun: boolean, error: string) =>
    writeWithRetries(deps, () =>
      deps.execute({ ...answer, began: hasBegun, effect: [], calls: [], ok: false, output: { error } }),
    )
  if (toolCall.began)
    return refuse(true, 'The service was stopped while this ran: it is unknown whether it happened.')
  if (toolCall.isExcess) return refuse(false, tooManyCalls)
  if (toolCall.refusal !== null) return refuse(false, toolCall.refusal)
  // Built-in tools store their input in facts, so it has a limit. Input for tool servers is sent in full.
  if (isLong && tool && !permission) return refuse(false, tooLong)
  const overLimit = permission && findWebLimit(permission, toolCall, now)
  if (overLimit) return refuse(false, overLimit)
  const permit = decidePermit(toolCall, call, permission)
  if (permit === 'ask') return askPerson(toolCall, deps)
  if (permit !== 'run') return refuse(false, permit.refused)

  const acts = tool?.acts ?? false
  // This write is not retried: if it is in doubt, the call has not begun.
  if (acts)
    await deps.execute({
      type: 'RecordCall',
      life: deps.life,
      turn: turn.id,
      step,
      call: recordedCall,
      of: serverTool,
    })
  const permitted = serverTool && { permitted: serverTool }
  const result = await callTool(
    { call, tools, turn: turn.id, channel: turn.channel, provenance, ...permitted },
    deps,
  )
  await recordResult({ ...answer, began: acts }, withBorrowed(result, permission !== null, provenance), deps)
}

/**
 * Marks the borrowed passages in messages that a tool sends. Everything that a tool server sends is borrowed.
 */
const withBorrowed = (result: ToolResult, isOfOthers: boolean, provenance: Provenance): ToolResult => ({
  ...result,
  effect: (result.effect ?? []).map((change) => {
    if (change.type !== 'Say') return change
    const { content, media } = change
    const words = [content, media?.name ?? '', media?.caption ?? ''].join('\n')
    return { ...change, borrowed: isOfOthers ? [words] : borrowedIn(words, provenance) }
  }),
})

/** Max tool calls of one step. A model that repeats itself can write any number of them. */
export const maxCallsPerStep = 16
export const tooManyCalls = `Only the first ${maxCallsPerStep} calls of one answer are run. This was one more: call it again if you still need it.`

const tooLong = `What was given to it is longer than ${maxOutputBytes / 1024} KiB: give it less at once.`

type Answering = Omit<Extract<Command, { type: 'RecordToolAnswer' }>, 'effect' | 'calls' | 'ok' | 'output'>

const recordResult = async (
  answer: Answering,
  { ok, output, effect = [], calls = [] }: ToolResult,
  deps: TurnDeps,
): Promise<void> => {
  const record = { ...answer, calls }
  try {
    deps.signal.throwIfAborted()
    await writeWithRetries(deps, () => deps.execute({ ...record, effect, ok, output }))
  } catch (error) {
    // Deletes new files, because no fact refers to them.
    for (const change of effect)
      if (change.type === 'Say' && change.media) await deps.files.drop(change.media.filename)
    if (!(error instanceof Refused) || !('id' in error.refusal)) throw error
    const missingError = { error: `There is nothing with the id ${error.refusal.id} any more.` }
    await writeWithRetries(deps, () =>
      deps.execute({ ...record, effect: [], ok: false, output: missingError }),
    )
  }
}

type Permit = 'run' | 'ask' | { readonly refused: string }

interface NeededPermission extends Permission {
  /** The input that will run. */
  readonly input: unknown
  /** The user's choice for the tool with its current description. */
  readonly standing: Standing
  /** True if this call needs an approval although the tool is always allowed. */
  readonly again: boolean
}

/** Returns the permission that a call needs, or null. */
const findPermission = (
  call: Call,
  { tools, persona, words }: Pick<AskedInTurn, 'tools' | 'persona' | 'words'>,
  now: number,
): NeededPermission | null => {
  const { tool, input } = resolveCall(call, tools)
  const permission = getPermission(tool, input, { persona, now })
  if (!permission) return null
  const { outgoing } = permission
  const choice = getStanding(findChoice(persona.self, permission), permission.definition)
  const isResult = outgoing !== undefined && 'address' in outgoing && isFound(outgoing.address, words)
  const standing = choice === 'ask' && isResult && persona.self.searches.readsResults ? 'allow' : choice
  const isUnreviewed = outgoing ? needsReview(outgoing, words) : carriesMemory(input, persona, words)
  return { ...permission, input, standing, again: standing === 'allow' && isUnreviewed }
}

/** Max requests to the web. Each can carry a little information out, even to an allowed host. */
const maxWebRequests = { turn: 10, day: 200 }

/** Returns an error for the model if a limit is reached, or null. */
const findWebLimit = (
  { server }: Permission,
  { persona, tools, steps }: Pick<AskedInTurn, 'persona' | 'tools' | 'steps'>,
  now: number,
): string | null => {
  if (server !== webServer && server !== searchServer) return null
  if (getRequestsOf(persona.web, now).begun >= maxWebRequests.day)
    return `This persona has made ${maxWebRequests.day} requests to the web today, which is the limit. Answer without more.`
  const context = { persona, now }
  const calls = steps.flatMap(({ answer, results }) =>
    answer.calls.filter(({ id }) => results.some(({ call }) => call === id)),
  )
  const webCalls = calls.filter((call) => {
    const { tool, input } = resolveCall(call, tools)
    const earlierPermission = getPermission(tool, input, context)
    return earlierPermission?.server === webServer || earlierPermission?.server === searchServer
  })
  return webCalls.length >= maxWebRequests.turn
    ? `You have made ${maxWebRequests.turn} requests to the web in this turn, which is the limit. Answer with what you have found.`
    : null
}

/** Decides from the user's choices whether a call runs, needs an approval or is refused. */
const decidePermit = (
  { turn, step }: Pick<AskedInTurn, 'turn' | 'step'>,
  call: Call,
  permission: NeededPermission | null,
): Permit => {
  if (!permission) return 'run'
  const { definition, standing, again, refused = 'The person has switched this tool off.' } = permission
  if (standing === 'off') return { refused }
  if (standing === 'allow' && !again) return 'run'
  const approval = turn.approvals.findLast((item) => item.call === call.id && item.step === step)
  switch (approval?.decision) {
    case 'once':
    case 'always':
      return approval.definition === definition ? 'run' : 'ask'
    case 'no':
      return { refused: 'The person was asked, and said no. Do not try it another way: tell them so.' }
    case 'expired':
      return { refused: 'The person was asked and did not answer within a day, which counts as no.' }
    default:
      return 'ask'
  }
}

/** Max calls per request for approval, and max bytes of an input in it. All of them are in one commit. */
const maxCallsPerRequest = 8
const maxInputBytes = 32 * 1024

/** Asks about all calls of the step that need an approval, so that the user answers once. */
const askPerson = async (toolCall: AskedInTurn, deps: TurnDeps): Promise<void> => {
  const { turn, step } = toolCall
  const calls = [toolCall.call, ...toolCall.otherCalls].flatMap((call) => {
    const permission = findPermission(call, toolCall, deps.clock.now())
    if (!permission || decidePermit(toolCall, call, permission) !== 'ask') return []
    const { server, tool, definition } = permission
    const hasChanged = permission.standing === 'changed'
    const input = getSize(permission.input) <= maxInputBytes ? permission.input : null
    const question = formatQuestion({
      server,
      tool,
      input: permission.input,
      changed: hasChanged,
      again: permission.again,
    })
    const repeat = permission.again && { again: true }
    return {
      step,
      call: call.id,
      server,
      tool,
      input,
      definition,
      changed: hasChanged,
      ...repeat,
      ...question,
    }
  })
  await writeWithRetries(deps, () =>
    deps.execute({
      type: 'AskApprovals',
      life: deps.life,
      turn: turn.id,
      calls: calls.slice(0, maxCallsPerRequest),
    }),
  )
  // The commit has suspended the turn and aborted the signal.
  deps.signal.throwIfAborted()
}

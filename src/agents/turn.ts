/** A turn: she takes what waits, thinks, acts and speaks, every answer on disk before it is acted on. What stops it half-way ends nothing: the turn is taken up again from its facts. */
import type { Call, Organ, PersonaId, Sha256 } from '../../journal/events.ts'
import type { Persona } from '../../projections/persona.ts'
import { inboxKey, type Turn } from '../../projections/talk.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { sentHash, tell } from '../mind/prompt.ts'
import { readProgress, readTalk } from '../mind/talk.ts'
import { failed, type Tool, type ToolContext } from '../mind/tools/tool.ts'
import { type Mind, MindError } from '../models/mind.ts'
import type { Command, EndTurn, Saying } from '../persona/commands.ts'
import type { Reading } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import { recordAnswer, untilKept } from './record.ts'
import { type Thought, think } from './think.ts'

export interface TurnDeps {
  readonly id: PersonaId
  readonly life: number
  readonly read: <T>(look: (reading: Reading) => Promise<T>) => Promise<T>
  readonly execute: (command: Command) => Promise<unknown>
  readonly keepPart: (bytes: Uint8Array) => Promise<Sha256>
  /** Her Mind as she is configured now, and what answers for it. */
  readonly mind: (persona: Persona) => Promise<{ readonly organ: Organ; readonly mind: Mind }>
  readonly tools: readonly Tool[]
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** A short id no other thing of hers has. */
  readonly newId: () => string
  /** What she is saying, as it grows; null when a step is over. */
  readonly saying: (saying: Saying | null, delta: string) => void
  /** Cuts whatever waits. */
  readonly signal: AbortSignal
}

const mostSteps = 16
/** How often a message may be put back before it is answered in plain words. */
const mostPutBack = 2

/** Resolves when the turn has ended; rejects with what cut it or with what the gate refused. */
export const takeTurn = async (turn: Turn, deps: TurnDeps): Promise<void> => {
  try {
    await steps(turn, deps)
  } catch (error) {
    if (!(error instanceof MindError)) throw error
    await deps.execute(await unanswered(turn, deps, error))
  }
}

const steps = async (turn: Turn, deps: TurnDeps): Promise<void> => {
  // What it took and what came before it do not change while it lasts.
  const talk = await deps.read(({ persona, journal }) => readTalk(journal, persona.talk, turn))
  const sources = talk.heard.map(({ seq }) => seq)
  const tools = deps.tools.map(({ spec }) => spec)
  let silent = 0
  for (;;) {
    const { persona, progress } = await deps.read(async ({ persona, journal }) => ({
      persona,
      progress: await readProgress(journal, turn.id),
    }))
    const last = progress.steps.at(-1)
    const open = last?.answer.calls.find(({ id }) => !last.results.some(({ call }) => call === id))
    if (last && open) {
      await useTool(turn, last.step, open, progress.began.has(open.id), sources, deps)
      continue
    }
    if (last && (last.answer.calls.length === 0 || last.step >= mostSteps)) {
      // The words that would have ended the turn were recorded with its end: a last answer without calls was silence.
      if (progress.spoke || silent > 0 || last.step >= mostSteps) {
        await deps.execute(endOf(turn, deps, progress.spoke))
        return
      }
      silent++
    }
    const { organ, mind } = await deps.mind(persona)
    const due = persona.plans.due.filter(({ id }) => turn.stimuli.due.includes(id))
    const { steps } = progress
    const { prompt, pieces } = tell({ persona, now: turn.at, zone: deps.clock.zone, turn: turn.id, due, ...talk, steps, tools })
    const step = (last?.step ?? 0) + 1
    const thought = await speak(turn, step, deps, (onWords) => think(prompt, { ...deps, mind, onWords }))
    await recordAnswer({ turn, step, organ, thought, pieces, sent: sentHash(prompt) }, deps)
    if (thought.answer.calls.length === 0 && thought.answer.text.trim()) return
  }
}

/** Her words as they come, for those who watch. */
const speak = async (
  turn: Turn,
  step: number,
  deps: TurnDeps,
  run: (onWords: (delta: string, offset: number) => void) => Promise<Thought>,
) => {
  let text = ''
  try {
    return await run((delta, offset) => {
      text = offset === 0 ? delta : text + delta
      deps.saying({ turn: turn.id, step, text }, delta)
    })
  } finally {
    deps.saying(null, '')
  }
}

/** Bytes of what goes into a tool or comes out of it: both stand in one commit. */
const mostOfTool = 64 * 1024
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? null))

const useTool = async (
  turn: Turn,
  step: number,
  asked: Call,
  began: boolean,
  sources: readonly number[],
  deps: TurnDeps,
): Promise<void> => {
  const { life } = deps
  // The whole of it stands in the recorded answer.
  const fits = sizeOf(asked.input) <= mostOfTool
  const call = fits ? asked : { ...asked, input: null }
  const answer = { type: 'RecordToolAnswer', life, turn: turn.id, step, call } as const
  const tool = deps.tools.find(({ spec }) => spec.name === call.name)
  if (began) {
    const output = { error: 'The service was stopped while this ran: it is unknown whether it happened.' }
    await untilKept(deps, () => deps.execute({ ...answer, began, effect: [], ok: false, output }))
    return
  }
  // Not tried again: an act whose beginning is in doubt has not begun.
  if (tool?.acts) await deps.execute({ type: 'RecordCall', life, turn: turn.id, step, call })
  const { ok, output, effect } = tool ? await runTool(tool, turn, call, sources, deps) : failed(`There is no tool named ${call.name}.`)
  deps.signal.throwIfAborted()
  try {
    await untilKept(deps, () => deps.execute({ ...answer, began: tool?.acts ?? false, effect: effect ?? [], ok, output }))
  } catch (error) {
    if (!(error instanceof Refused) || !('id' in error.refusal)) throw error
    const gone = { error: `There is nothing with the id ${error.refusal.id} any more.` }
    await untilKept(deps, () => deps.execute({ ...answer, began: tool?.acts ?? false, effect: [], ok: false, output: gone }))
  }
}

const runTool = (tool: Tool, turn: Turn, call: Call, sources: readonly number[], deps: TurnDeps) =>
  deps.read(async ({ persona, journal }) => {
    const context: ToolContext = {
      persona,
      journal,
      turn: turn.id,
      channel: turn.channel,
      sources,
      now: deps.clock.now(),
      zone: deps.clock.zone,
      newId: deps.newId,
    }
    try {
      const result = await unlessCut(tool.run(call.input, context), deps.signal)
      return sizeOf(result.output) > mostOfTool ? failed('The answer was too long to be shown.') : result
    } catch (err) {
      deps.signal.throwIfAborted()
      deps.log.error({ id: deps.id, turn: turn.id, reason: call.name, err }, 'a tool failed')
      return failed('The tool failed.')
    }
  })

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

/** Rejects when the signal does: whatever a tool hangs on, she is not held by it. */
const unlessCut = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const cut = () => reject(asError(signal.reason))
    if (signal.aborted) return cut()
    signal.addEventListener('abort', cut, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cut))
  })

const endOf = (turn: Turn, { life }: TurnDeps, spoke: boolean): EndTurn => ({
  type: 'EndTurn',
  life,
  turn: turn.id,
  outcome: spoke ? 'answered' : 'refused',
  reason: spoke ? null : 'no words',
  words: spoke ? null : 'I looked for words and found none: my mind gave an empty answer. Please say it again, or in another way.',
  failed: null,
})

/** What is said when her Mind did not answer, and whether what the turn took waits on. */
const unanswered = async (turn: Turn, deps: TurnDeps, { kind, message }: MindError): Promise<EndTurn> => {
  const end = { type: 'EndTurn', life: deps.life, turn: turn.id, reason: message } as const
  if (kind === 'refused') return { ...end, outcome: 'refused', words: `I cannot answer this: ${message}`, failed: null }
  const failed = { slot: 'thinking', reason: message } as const
  const putBack = await deps.read(async ({ persona }) => persona.talk.inboxes[inboxKey(turn.channel)]?.putBack ?? 0)
  const waits = turn.stimuli.upTo > turn.stimuli.after
  if (waits && putBack >= mostPutBack)
    return { ...end, outcome: 'refused', words: `I could not answer this, though I tried several times: ${message}`, failed }
  const words =
    waits && putBack === 0 ? `I cannot think right now: ${message} What you said is kept, and I will answer when my mind is back.` : null
  return { ...end, outcome: 'unreachable', words, failed }
}

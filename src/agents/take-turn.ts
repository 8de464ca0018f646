/** A turn: it takes what waits, thinks, acts and speaks, every answer on disk before it is acted on. What stops it half-way ends nothing: the turn is taken up again from its facts. */
import type { Call, PersonaId, Sha256 } from '../../journal/facts/fact-values.ts'
import type { Plan } from '../../projections/plans.ts'
import { inboxKey, type Turn } from '../../projections/talk.ts'
import type { Log } from '../log.ts'
import { type Grounds, groundsOf } from '../mind/memory/own-words.ts'
import { filesOf } from '../mind/prompt/heard-files.ts'
import { sentHash, tell } from '../mind/prompt/prompt.ts'
import { type Progress, readPerceived, readProgress, readTalk } from '../mind/prompt/recent-talk.ts'
import { marked, type Thought, type Tried, think, trying, Unanswered } from '../mind/think.ts'
import { mostOfTool, runTool, sizeOf, unknownTool } from '../mind/tools/run.ts'
import type { Tool, ToolContext, ToolResult } from '../mind/tools/tool.ts'
import type { Mind } from '../models/mind.ts'
import type { Reading } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { EndTurn, HoldTurn, Saying } from '../persona/rules/turn.ts'
import type { Clock } from '../time/clock.ts'
import { inZone, shortLocalTime } from '../time/local-time.ts'
import { endedTwice, mostDeaths, toldOfEnding } from './ended-twice.ts'
import { endingOf, mostSteps } from './endings.ts'
import { awayWords } from './notices.ts'
import { nothingLeft, perceive } from './perceive.ts'
import { recordAnswer, untilKept } from './recording.ts'
import type { Silence } from './silence-watch.ts'
import type { Equipment } from './wiring.ts'

export interface TurnDeps extends Equipment {
  readonly id: PersonaId
  readonly life: number
  readonly read: <T>(look: (reading: Reading) => Promise<T>) => Promise<T>
  readonly execute: (command: Command) => Promise<unknown>
  readonly keepPart: (bytes: Uint8Array) => Promise<Sha256>
  readonly tools: readonly Tool[]
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** A short id no other thing of its own has. */
  readonly newId: () => string
  /** Notices when the Mind gives no sign of life. */
  readonly silence: Silence
  /** It has given none for so many seconds. Must not throw. */
  readonly onSilent: (seconds: number) => void
  /** Whether the Mind answers everything but what this turn took. */
  readonly isHopeless: () => boolean
  /** Whether the person knows already that the Mind is away. */
  readonly isTold: () => boolean
  /** What it is saying, as it grows; null when a step is over. */
  readonly saying: (saying: Saying | null, delta: string) => void
  /** Cuts whatever waits. */
  readonly signal: AbortSignal
}

/** Milliseconds after which the Mind is not called again at once: whoever waits is told, and what they said waits on. */
const soon = 8000

/** Resolves when the turn has ended, or waits on for a Mind that has failed: with that failure. Rejects with what cut it or with what the gate refused. */
export const takeTurn = async (turn: Turn, deps: TurnDeps): Promise<Unanswered | null> => {
  if (turn.deaths >= mostDeaths) {
    await givenUp(turn, deps)
    return null
  }
  try {
    await steps(turn, deps)
    return null
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    const command = await unanswered(turn, deps, error)
    await deps.execute(command)
    return command.type === 'HoldTurn' || command.outcome === 'unreachable' ? error : null
  }
}

/** Without a model, so that whatever ended the daemon is not met again; a promise that fell due is kept all the same. */
const givenUp = async (turn: Turn, deps: TurnDeps): Promise<void> => {
  const words = await promised(turn, deps, await deps.read(({ journal }) => toldOfEnding(journal, turn)))
  deps.log.warn({ id: deps.id, turn: turn.id }, 'a turn was given up: the daemon ended twice while it was in progress')
  await deps.execute({ type: 'EndTurn', life: deps.life, turn: turn.id, outcome: 'refused', reason: endedTwice, words, failed: null })
}

const steps = async (turn: Turn, deps: TurnDeps): Promise<void> => {
  // What it took and what came before it do not change while it lasts.
  const room = await deps.read(({ persona }) => deps.organs(persona, deps.signal).room())
  const talk = await deps.read(({ persona, journal }) => readTalk(journal, persona, turn, room))
  const spent = await deps.read(deps.ceiling)
  if (spent !== null) {
    const words = await promised(turn, deps, talk.heard.length > 0 ? spent : null)
    await deps.execute({ type: 'EndTurn', life: deps.life, turn: turn.id, outcome: 'refused', reason: 'ceiling', words, failed: null })
    return
  }
  await perceive(turn, talk.heard, deps)
  const perceived = await deps.read(({ journal }) => readPerceived(journal, [...talk.before, ...talk.heard]))
  const files = filesOf(talk.heard, perceived, deps.files)
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
      await useTool(
        turn,
        last.step,
        open,
        progress.began.has(open.id),
        groundsOf({ ...talk, perceived, steps: progress.steps, clouded: persona.days.foreign || turn.stimuli.due.length > 0 }),
        deps,
      )
      continue
    }
    if (last && (last.answer.calls.length === 0 || last.step >= mostSteps)) {
      // The words that would have ended the turn were recorded with its end: a last answer without calls was silence.
      if (progress.spoke || silent > 0 || last.step >= mostSteps) {
        await deps.execute(await endOf(turn, deps, progress))
        return
      }
      silent++
    }
    if (!last && nothingLeft(turn, talk.heard, perceived)) {
      await deps.execute(endSilently(turn, deps))
      return
    }
    const organs = deps.organs(persona, deps.signal)
    const { organ, mind } = await organs.mind()
    const due = persona.plans.due.filter(({ id }) => turn.stimuli.due.includes(id))
    // What it was about was cancelled meanwhile.
    if (!last && talk.heard.length === 0 && due.length === 0) {
      await deps.execute(endSilently(turn, deps))
      return
    }
    const { steps } = progress
    const { prompt, pieces } = tell({
      ...{ persona, room, now: turn.at, zone: deps.clock.zone, turn: turn.id, due, ...talk, perceived, files, steps, tools },
    })
    const step = (last?.step ?? 0) + 1
    const { provider, model } = organ
    const tried = await speak(turn, step, deps, (onWords) =>
      deps.silence.during(
        (alive) =>
          trying({ organ: 'thinking', provider, model }, { ...deps, most: soon }, async (left) =>
            marked(await think(heardFrom(mind, alive), prompt, deps.signal, left, onWords), onWords),
          ),
        deps.onSilent,
      ),
    )
    await recordAnswer({ turn, step, organ, organs, tried, pieces, sent: sentHash(prompt) }, deps)
    const { answer } = tried.value
    if (answer.calls.length === 0 && answer.text.trim()) return
  }
}

/** Each part of what a Mind gives is a sign of life. */
const heardFrom = (mind: Mind, alive: () => void): Mind => ({
  async *think(prompt, signal, most) {
    for await (const part of mind.think(prompt, signal, most)) {
      alive()
      yield part
    }
  },
})

/** Its words as they come, for those who watch. */
const speak = async (
  turn: Turn,
  step: number,
  deps: TurnDeps,
  run: (onWords: (delta: string, offset: number) => void) => Promise<Tried<Thought>>,
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

const useTool = async (turn: Turn, step: number, asked: Call, began: boolean, grounds: Grounds, deps: TurnDeps): Promise<void> => {
  const { life } = deps
  // The whole of it stands in the recorded answer.
  const fits = sizeOf(asked.input) <= mostOfTool
  const call = fits ? asked : { ...asked, input: null }
  const answer = { type: 'RecordToolAnswer', life, turn: turn.id, step, call } as const
  const tool = deps.tools.find(({ spec }) => spec.name === call.name)
  if (began) {
    const output = { error: 'The service was stopped while this ran: it is unknown whether it happened.' }
    await untilKept(deps, () => deps.execute({ ...answer, began, effect: [], calls: [], ok: false, output }))
    return
  }
  // Not tried again: an act whose beginning is in doubt has not begun.
  if (tool?.acts) await deps.execute({ type: 'RecordCall', life, turn: turn.id, step, call })
  const result = tool ? await ask(tool, turn, call, grounds, deps) : unknownTool(call)
  const { ok, output, effect = [], calls = [] } = result
  const record = { ...answer, began: tool?.acts ?? false, calls }
  try {
    deps.signal.throwIfAborted()
    await untilKept(deps, () => deps.execute({ ...record, effect, ok, output }))
  } catch (error) {
    // No fact names what it made.
    for (const change of effect) if (change.type === 'Say' && change.media) await deps.files.drop(change.media.filename)
    if (!(error instanceof Refused) || !('id' in error.refusal)) throw error
    const gone = { error: `There is nothing with the id ${error.refusal.id} any more.` }
    await untilKept(deps, () => deps.execute({ ...record, effect: [], ok: false, output: gone }))
  }
}

const ask = (tool: Tool, turn: Turn, call: Call, grounds: Grounds, deps: TurnDeps): Promise<ToolResult> =>
  deps.read(async ({ persona, journal }) => {
    const context: ToolContext = {
      persona,
      journal,
      turn: turn.id,
      channel: turn.channel,
      grounds,
      now: deps.clock.now(),
      zone: deps.clock.zone,
      newId: deps.newId,
      organs: deps.organs(persona, deps.signal),
      files: deps.files,
      documents: deps.documents,
      search: deps.search,
      vitals: deps.vitals,
      signal: deps.signal,
    }
    return runTool(tool, call, context, { id: deps.id, turn: turn.id, log: deps.log })
  })

const endSilently = (turn: Turn, { life }: TurnDeps): EndTurn => ({
  ...{ type: 'EndTurn', life, turn: turn.id, outcome: 'answered', reason: null, words: null, failed: null },
})

const endOf = async (turn: Turn, deps: TurnDeps, { steps, spoke }: Pick<Progress, 'steps' | 'spoke'>): Promise<EndTurn> => {
  const ending = endingOf(
    steps.map(({ answer }) => answer),
    spoke,
  )
  if (!ending) return endSilently(turn, deps)
  const words = await promised(turn, deps, ending.words)
  return {
    type: 'EndTurn',
    life: deps.life,
    turn: turn.id,
    outcome: spoke ? 'answered' : 'refused',
    reason: ending.reason,
    words,
    failed: null,
  }
}

/** A promise does not wait for a model: what the turn took of it is told in its own words, before whatever else is said. */
const promised = async (turn: Turn, deps: TurnDeps, words: string | null): Promise<string | null> => {
  const due = await deps.read(async ({ persona }) => persona.plans.due.filter(({ id }) => turn.stimuli.due.includes(id)))
  return [...due.map((plan) => ownWords(plan, deps.clock.zone)), ...(words === null ? [] : [words])].join('\n\n') || null
}

/** `zone`: of whoever reads it. */
export const ownWords = ({ kind, wall, zone: meant, content }: Plan, zone: string): string =>
  `${kind === 'reminder' ? 'You asked me to remind you' : 'This was planned'} for ${shortLocalTime(inZone(wall, meant, zone)).replace('T', ' at ')}: ${content}`

/** What is said when the Mind did not answer, and whether what the turn took waits on. What was done in the turn is not done again: then it is the turn that waits. */
const unanswered = async (turn: Turn, deps: TurnDeps, { message, failed }: Unanswered): Promise<EndTurn | HoldTurn> => {
  const of = { life: deps.life, turn: turn.id, failed } as const
  const refused = async (words: string) =>
    ({ ...of, type: 'EndTurn', outcome: 'refused', reason: message, words: await promised(turn, deps, words) }) as const
  if (failed.kind === 'refused') return refused(`I cannot answer this: ${message}`)
  const waits = turn.stimuli.upTo > turn.stimuli.after
  if (waits && deps.isHopeless())
    return refused(`I could not answer this, though I tried several times and my mind answers other things: ${message}`)
  const { talk } = await deps.read(async ({ persona }) => persona)
  const knows = !waits || deps.isTold() || (talk.inboxes[inboxKey(turn.channel)]?.putBack ?? 0) > 0
  const words = knows ? null : awayWords(message)
  if ((talk.turn?.step ?? 0) > 0) return { ...of, type: 'HoldTurn', words }
  return { ...of, type: 'EndTurn', outcome: 'unreachable', reason: message, words }
}

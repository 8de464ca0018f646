/**
 * A turn of a channel. Every answer is on disk before the daemon acts on it. An interrupted turn does not
 * end: it is resumed from its facts.
 */

import type { Answer } from '../../facts/fact-values.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import type { Persona } from '../../projections/persona.ts'
import { isGreeting, type Turn } from '../../projections/talk.ts'
import { findHelp } from '../mind/help-offer.ts'
import { borrowedIn, getProvenance } from '../mind/memory/provenance.ts'
import { type Thought, type TryResult, Unanswered, withMarks } from '../mind/model-retries.ts'
import type { Organs } from '../mind/organ-calls.ts'
import { listFiles } from '../mind/prompt/heard-files.ts'
import { parseInput } from '../mind/prompt/lenient-json.ts'
import { readPerceived, readProgress } from '../mind/prompt/recent-talk.ts'
import { isOfAppointments, readTurnMessages } from '../mind/prompt/talk-items.ts'
import { listMessages, readTalk } from '../mind/prompt/talk-window.ts'
import { createTurnPrompt, type TurnPrompt } from '../mind/prompt/turn-prompt.ts'
import { toolSet } from '../mind/tools/find-tools.ts'
import { listOffered, readAbilities } from '../mind/tools/tool.ts'
import { unlistedTools } from '../mind/tools/tool-table.ts'
import type { Reading } from '../persona/persona-store.ts'
import { toWebChannel } from '../web-channel.ts'
import type { AgentLife, TurnDeps } from './agent-deps.ts'
import { endOverLimit, endTurn, getDueEntries, giveUpTurn, maxCrashes, toFailureCommand } from './end-turn.ts'
import { isFullyAnswered, perceive } from './perceive.ts'
import { recordAnswer } from './recording.ts'
import { callToolInTurn, maxCallsPerStep } from './tool-calls.ts'
import { isLast, type Listener, runTurnLoop } from './turn-loop.ts'

/**
 * Max time in ms for retries of a model call. If the model fails for longer, the user is notified and the
 * messages stay queued.
 */
const maxRetryMs = 8000

/**
 * Returns null when the turn has ended. Returns the failure if the turn has to wait for the model. Rejects
 * with the signal's reason or with a `Refused` of the gate.
 */
export const takeTurn = async (turn: Turn, turnDeps: TurnDeps): Promise<Unanswered | null> => {
  const deps = withHelp(turn, turnDeps)
  if (turn.deaths >= maxCrashes) {
    await giveUpTurn(turn, deps)
    return null
  }
  try {
    await runTurnLoop(
      {
        perceive: () => perceiveMessages(turn, deps),
        progress: (perceivedTalk) => readTurnProgress(turn, perceivedTalk, deps),
        prompt: (progress) => buildPrompt(turn, progress, deps),
        stream: (step, think) => streamStep(turn, step, think, deps),
        record: (step, progress) => {
          const { answer } = step.result.value
          const provenance = getProvenance({ ...progress, parts: step.prompt.parts })
          const turnFields = {
            borrowed: borrowedIn(answer.text, provenance),
            borrowedInCalls: borrowedIn(getCallText(answer), provenance),
            profile: progress.profile,
          }
          return recordAnswer(turn, step, turnFields, deps)
        },
        act: (call, progress, refusal) => {
          const { steps, began, persona, tools, otherCalls } = progress
          const parts = buildPrompt(turn, progress, deps)?.parts ?? []
          const step = steps.at(-1)?.step ?? 0
          const firstCalls = steps.at(-1)?.answer.calls.slice(0, maxCallsPerStep) ?? []
          const toolCall = {
            turn,
            step,
            call,
            otherCalls: otherCalls.filter((other) => firstCalls.includes(other)),
            persona,
            tools,
            isExcess: !firstCalls.includes(call),
            began: began.has(call.id),
          }
          const provenance = getProvenance({ ...progress, parts })
          const words = { provenance, ...getEarlierWords(progress) }
          return callToolInTurn({ ...toolCall, steps, words, provenance, refusal }, deps)
        },
        mayEndSilently: ({ heard, persona }) => isOfAppointments(heard, getDueEntries(turn, persona)),
        end: (ending, { hasSpoken }) => endTurn(turn, ending, hasSpoken, deps),
      },
      {
        ...deps,
        maxTotalMs: maxRetryMs,
        onUnexpected: (err) =>
          deps.log.warn({ id: deps.id, turn: turn.id, err }, 'a model ended with an unknown error'),
      },
    )
    return null
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    const command = await toFailureCommand(turn, error, deps)
    await deps.execute(command)
    return command.type === 'HoldTurn' || command.outcome === 'unreachable' ? error : null
  }
}

/** Adds the help for a user in danger to the commands that end, hold or park the turn. */
const withHelp = (turn: Turn, deps: TurnDeps): TurnDeps => ({
  ...deps,
  execute: async (command) => {
    const isEnd =
      command.type === 'EndTurn' ||
      command.type === 'HoldTurn' ||
      command.type === 'AskApprovals' ||
      (command.type === 'RecordAnswer' && isLast(command.answer))
    if (!isEnd) return deps.execute(command)
    const help = await deps.read((reading) => findHelp(reading, turn, deps.clock))
    return deps.execute({ ...command, help })
  },
})

const getCallText = ({ calls }: Answer): string =>
  calls.length > 0 ? JSON.stringify(calls.map(({ input }) => parseInput(input))) : ''

/** The user may have asked another model than the Mind for this answer. */
const getOrgans = ({ otherMind }: Turn, persona: Persona, { organs, signal }: TurnDeps): Organs =>
  organs(persona, signal, null, otherMind?.organ)

/** Reads the messages of the turn and perceives their files. */
const perceiveMessages = async (turn: Turn, deps: TurnDeps) => {
  const budget = await deps.read(({ persona }) => getOrgans(turn, persona, deps).budget())
  const heardMessages = await deps.read(({ journal }) => readTurnMessages(journal, turn))
  const limitMessage = await deps.read(deps.getTokenLimit)
  if (limitMessage !== null) {
    await endOverLimit(turn, heardMessages.length > 0 ? limitMessage : null, deps)
    return null
  }
  await perceive(turn, heardMessages, deps)
  return { heard: heardMessages, budget }
}

const getEarlierWords = ({
  before,
  heard,
  perceptions,
  items,
  steps,
}: Pick<TurnProgress, 'before' | 'heard' | 'perceptions' | 'items' | 'steps'>) => ({
  messages: [...before, ...heard].flatMap(({ seq, event }) =>
    event.type === 'MessageHeard'
      ? [
          ...event.parts.filter(({ from }) => from !== 'persona').map(({ text }) => text),
          perceptions.get(seq)?.text ?? '',
        ]
      : [],
  ),
  steps: [...items.flatMap((item) => (item.kind === 'step' ? item.step : [])), ...steps],
})

type PerceivedTalk = NonNullable<Awaited<ReturnType<typeof perceiveMessages>>>
type TurnProgress = Awaited<ReturnType<typeof readTurnProgress>>

const readTurnProgress = (turn: Turn, perceivedTalk: PerceivedTalk, deps: TurnDeps) =>
  deps.read(async ({ persona, journal }) => {
    const progress = await readProgress(journal, turn.id)
    const last = progress.steps.at(-1)
    const [openCall, ...otherCalls] =
      last?.answer.calls.filter(({ id }) => !last.results.some(({ call }) => call === id)) ?? []
    const organs = getOrgans(turn, persona, deps)
    const shownContext = await readShown({ persona, journal }, turn, organs, deps)
    return { ...perceivedTalk, ...progress, ...shownContext, openCall, otherCalls, persona, organs }
  })

export type ShownDeps = Pick<TurnDeps, 'tools' | 'getOutsideTools' | 'files'>

/** Reads the tools and the talk that the prompt of a turn shows. */
export const readShown = async (
  { persona, journal }: Pick<Reading, 'persona' | 'journal'>,
  turn: Pick<Turn, 'id' | 'channel' | 'stimuli'>,
  organs: Organs,
  deps: ShownDeps,
) => {
  const profile = await organs.profile()
  const offeredTools = listOffered(deps.tools, await readAbilities(persona, organs))
  const toolSelection = toolSet(
    { all: [...deps.tools, ...unlistedTools], offered: offeredTools },
    await deps.getOutsideTools(persona),
    profile,
  )
  const talk = await readTalk(journal, persona, turn)
  const perceptions = await readPerceived(journal, listMessages(talk.items))
  const files = listFiles(talk.items, { turn: turn.id, since: persona.base.seq }, perceptions, deps.files)
  return { ...toolSelection, ...talk, perceptions, files, profile }
}

/** Builds the beginning that the request of the next turn repeats. */
export const buildIdlePrompt = (deps: AgentLife & ShownDeps & Pick<TurnDeps, 'signal'>): Promise<Prompt> =>
  deps.read(async ({ persona, journal }) => {
    const organs = deps.organs(persona, deps.signal)
    const head = journal.head.seq
    const turn = {
      id: head + 1,
      channel: toWebChannel(deps.id),
      stimuli: { after: head, upTo: head, due: [] },
    }
    const shownContext = await readShown({ persona, journal }, turn, organs, deps)
    return createTurnPrompt({
      ...shownContext,
      persona,
      budget: await organs.budget(),
      now: deps.clock.now(),
      zone: deps.clock.zone,
      turn: turn.id,
      tools: shownContext.specs,
    }).prompt
  })

const buildPrompt = (turn: Turn, progress: TurnProgress, { clock }: TurnDeps): TurnPrompt | null => {
  const { persona, heard, steps, perceptions } = progress
  const dueEntries = getDueEntries(turn, persona)
  // The reminder that caused this turn was cancelled in the meantime.
  const isCancelled = heard.length === 0 && dueEntries.length === 0 && !isGreeting(turn)
  if (steps.length === 0 && (isCancelled || isFullyAnswered(turn, heard, perceptions))) return null
  return createTurnPrompt({
    ...progress,
    now: turn.at,
    zone: clock.zone,
    turn: turn.id,
    tools: progress.specs,
  })
}

/** Streams the text of a step to the clients and reports when the model is silent for too long. */
const streamStep = async (
  turn: Turn,
  step: number,
  think: (listener: Listener) => Promise<TryResult<Thought>>,
  { silence, onSilent, saying }: TurnDeps,
): Promise<TryResult<Thought>> => {
  let text = ''
  const onWords = (delta: string, offset: number) => {
    text = offset === 0 ? delta : text + delta
    saying({ turn: turn.id, step, text }, delta)
  }
  try {
    const result = await silence.during((onSign) => think({ onWords, onSign }), onSilent)
    return { ...result, value: withMarks(result.value, onWords) }
  } finally {
    saying(null, '')
  }
}

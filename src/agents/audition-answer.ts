/**
 * Lets a model answer a past turn again: with the view of that time, as the model would get it. No tool runs.
 * A tool that only reads gets the recorded result of the same call.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Call, Used } from '../../journal/facts/fact-values.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Knowledge } from '../../projections/knowledge.ts'
import { isAt, listValues, withoutValue } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import { callWithRetries, think } from '../mind/model-retries.ts'
import { type Organs, toFullUsage } from '../mind/organ-calls.ts'
import { parseInput } from '../mind/prompt/lenient-json.ts'
import { readPerceived, readProgress } from '../mind/prompt/recent-talk.ts'
import type { TurnStep } from '../mind/prompt/talk-items.ts'
import { createWindowChoice, listMessages } from '../mind/prompt/talk-window.ts'
import { createTurnPrompt, measureItems, type PromptInput } from '../mind/prompt/turn-prompt.ts'
import { fold } from '../persona/fold.ts'
import { endingAt } from '../persona/past.ts'
import type { Reading } from '../persona/persona-store.ts'
import type { AuditionTurn } from './audition-turns.ts'
import { readShown, type ShownDeps } from './take-turn.ts'

export interface AuditionDeps extends ShownDeps {
  readonly read: <T>(work: (reading: Reading) => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
}

/** `fromRecord`: the recorded result of the same call was used. Otherwise the call was not carried out. */
export type AuditionCall = Pick<Call, 'name' | 'input'> & { readonly fromRecord: boolean }

export interface AuditionAnswer {
  readonly text: string
  readonly calls: readonly AuditionCall[]
}

const maxSteps = 4
/** Tools whose call with the same input has no effect. */
const readingCalls: Readonly<Record<string, (input: unknown) => boolean>> = {
  recall: () => true,
  read_document: () => true,
  look_again: () => true,
  use_skill: () => true,
  read_page: () => true,
  search_web: () => true,
  find_tools: () => true,
  plan: (input) => hasOp(input, 'list'),
  instruction: (input) => hasOp(input, 'read'),
}

const hasOp = (input: unknown, op: string): boolean =>
  typeof input === 'object' && input !== null && 'op' in input && input.op === op

/**
 * `onUsed` is called after each model call. Throws `Unanswered` of the model, or the signal's reason.
 */
export const answerAgain = async (
  turn: AuditionTurn,
  organs: Organs,
  onUsed: (usedCall: Used) => void,
  deps: AuditionDeps,
): Promise<AuditionAnswer> => {
  const input = await buildView(turn, organs, deps)
  const recordedSteps = await deps.read(
    async ({ journal }) =>
      (await readProgress(endingAt(journal, { ...journal.head, seq: turn.end }), turn.turn)).steps,
  )
  const steps: TurnStep[] = []
  const texts: string[] = []
  const calls: AuditionCall[] = []
  while (steps.length < maxSteps) {
    const { answer, usedCall } = await callModel(withSteps(input, steps), organs, deps)
    onUsed(usedCall)
    if (answer.text.trim() !== '') texts.push(answer.text.trim())
    const results = answer.calls.map((call) => findResult(call, recordedSteps))
    calls.push(
      ...answer.calls.map(({ name, input: callInput }, n) => ({
        name,
        input: parseInput(callInput),
        fromRecord: results[n] !== undefined,
      })),
    )
    const knownResults = results.filter((result) => result !== undefined)
    if (answer.calls.length === 0 || knownResults.length < answer.calls.length) break
    steps.push({ seq: null, answer, results: knownResults })
  }
  return { text: texts.join('\n\n'), calls }
}

const withSteps = (input: PromptInput, steps: readonly TurnStep[]): PromptInput => ({
  ...input,
  items: [
    ...input.items,
    ...steps.map(
      (step) => ({ kind: 'step', turn: input.turn, at: input.now, step, unanswered: null }) as const,
    ),
  ],
})

const callModel = async (input: PromptInput, organs: Organs, deps: AuditionDeps) => {
  const { prompt } = createTurnPrompt(input)
  const { organ, mind } = await organs.mind()
  const { provider, model } = organ
  const { value, calls, ms } = await callWithRetries(
    { organ: 'thinking', provider, model },
    { ...deps, maxTotalMs: maxRetryMs },
    (triesLeft) => think(mind, prompt, deps.signal, triesLeft),
  )
  const usage = toFullUsage(value.usage)
  const price = await organs.getPrice(organ, usage)
  const usedCall: Used = { organ: 'thinking', provider, model, usage, ms, calls, price, recipe: null }
  return { answer: value.answer, usedCall }
}

/** In ms. */
const maxRetryMs = 20_000

const findResult = (call: Call, recordedSteps: readonly TurnStep[]) => {
  const input = parseInput(call.input)
  if (!readingCalls[call.name]?.(input)) return undefined
  for (const { answer, results } of recordedSteps)
    for (const recordedCall of answer.calls) {
      const isSame =
        recordedCall.name === call.name && isDeepStrictEqual(parseInput(recordedCall.input), input)
      const result = isSame && results.find((entry) => entry.call === recordedCall.id)
      if (result) return { seq: result.seq, call: call.id, name: call.name, output: result.output }
    }
  return undefined
}

/** Builds the input of the first prompt. What the user hid, erased or had forgotten since is left out. */
const buildView = async (
  { turn: id }: AuditionTurn,
  organs: Organs,
  deps: AuditionDeps,
): Promise<PromptInput> => {
  const { zone } = deps.clock
  const budget = await organs.budget()
  return deps.read(async (reading) => {
    const { journal: wholeJournal, persona: present } = reading
    const upTo = await findCommitEnd(reading, id)
    const { persona: pastPersona, damage } = await fold(wholeJournal, upTo)
    const turn = pastPersona?.talk.turn
    if (damage || !pastPersona || turn?.id !== id) throw damage ?? new Error(`turn ${id} cannot be rebuilt`)
    const journal = endingAt(wholeJournal, { ...wholeJournal.head, seq: upTo })
    const persona = withoutRemoved(pastPersona, present)
    const window = await createWindowChoice()(journal, persona, budget.talk, async (items) =>
      measureItems({
        persona,
        items,
        turn: id,
        zone,
        budget,
        perceptions: await readPerceived(journal, listMessages(items)),
        files: new Map(),
      }),
    )
    const shownPersona = { ...persona, base: { ...persona.base, window } }
    const shownContext = await readShown({ persona: shownPersona, journal }, turn, organs, {
      ...deps,
      getOutsideTools: () => deps.getOutsideTools(present),
    })
    return {
      ...shownContext,
      persona: shownPersona,
      budget,
      zone,
      turn: id,
      now: turn.at,
      tools: shownContext.specs,
    }
  })
}

/** All facts of the commit that began the turn take effect together. */
const findCommitEnd = async ({ journal }: Reading, seq: number): Promise<number> => {
  let commit: string | undefined
  let end = seq
  for await (const entry of journal.read({ after: seq - 1 })) {
    commit ??= entry.commit
    if (entry.commit !== commit) break
    end = entry.seq
  }
  return end
}

const withoutRemoved = (pastPersona: Persona, present: Persona): Persona => {
  const { base, talk } = pastPersona
  return {
    ...pastPersona,
    self: { ...pastPersona.self, voice: present.self.voice },
    talk: { ...talk, hidden: { ...talk.hidden, ...present.talk.hidden } },
    knowledge: withoutForgotten(pastPersona.knowledge, present.knowledge),
    base: { ...base, knowledge: withoutForgotten(base.knowledge, present.knowledge) },
  }
}

const withoutForgotten = (pastKnowledge: Knowledge, presentKnowledge: Knowledge): Knowledge => {
  let { statements } = pastKnowledge
  for (const { id } of listValues(statements))
    if (!isAt(presentKnowledge.statements, id)) statements = withoutValue(statements, id)
  return { ...pastKnowledge, statements }
}

/**
 * Lets a model answer a past turn again: with the view of that time, as the model would get it. No tool runs.
 * A tool that only reads gets the recorded result of the same call.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Call, Used } from '../../facts/fact-values.ts'
import { isObject } from '../../packages/kit/is-object.ts'
import { callWithRetries, think, withMarks } from '../mind/model-retries.ts'
import { type Organs, toFullUsage } from '../mind/organ-calls.ts'
import { withoutMarks } from '../mind/prompt/answer-marks.ts'
import { parseInput } from '../mind/prompt/lenient-json.ts'
import { readProgress } from '../mind/prompt/recent-talk.ts'
import type { TurnStep } from '../mind/prompt/talk-items.ts'
import { createTurnPrompt, type PromptInput } from '../mind/prompt/turn-prompt.ts'
import { endingAt } from '../persona/past.ts'
import type { AuditionTurn } from './audition-turns.ts'
import { buildView, type ViewDeps } from './audition-view.ts'
import { withoutForgottenIn } from './forgotten-since.ts'

export interface AuditionDeps extends ViewDeps {
  readonly random: () => number
  /** Throws Refused: spent. */
  readonly checkLimit: () => Promise<void>
  /** Called after each model call. */
  readonly onUsed: (usedCall: Used) => Promise<void>
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
  read_calendars: () => true,
  check_mail: () => true,
  open_mail: () => true,
  find_tools: () => true,
  plan: (input) => hasOp(input, 'list'),
  instruction: (input) => hasOp(input, 'read'),
}

const hasOp = (input: unknown, op: string): boolean => isObject(input) && input['op'] === op

/** Throws `Unanswered` of the model, Refused: spent, or the signal's reason. */
export const answerAgain = async (
  turn: AuditionTurn,
  organs: Organs,
  deps: AuditionDeps,
): Promise<AuditionAnswer> => {
  const input = await buildView(turn, organs, deps)
  const recordedSteps = await readRecordedSteps(turn, deps)
  const steps: TurnStep[] = []
  const texts: string[] = []
  const calls: AuditionCall[] = []
  let isSilent = false
  while (steps.length < maxSteps) {
    const { answer, opaque } = await callModel(withSteps(input, steps), organs, deps)
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
    if (knownResults.length < answer.calls.length) break
    // After an empty answer a turn calls the model once more.
    if (answer.calls.length === 0 && (texts.length > 0 || isSilent)) break
    isSilent ||= answer.calls.length === 0
    steps.push({ seq: null, answer, opaque, results: knownResults })
  }
  return { text: texts.join('\n\n'), calls }
}

const readRecordedSteps = (
  { turn, end }: AuditionTurn,
  { read, signal }: AuditionDeps,
): Promise<readonly TurnStep[]> =>
  read(async ({ journal, persona }) => {
    const { steps } = await readProgress(endingAt(journal, { ...journal.head, seq: end }, signal), turn)
    return steps.flatMap((step) => withoutForgottenIn(step, persona.knowledge) ?? [])
  })

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
  await deps.checkLimit()
  const { value, calls, ms } = await callWithRetries(
    { organ: 'thinking', provider, model },
    { ...deps, maxTotalMs: maxRetryMs },
    (triesLeft) => think(withoutMarks(mind), prompt, deps.signal, triesLeft),
  )
  const usage = toFullUsage(value.usage)
  const price = await organs.getPrice(organ, usage)
  await deps.onUsed({ organ: 'thinking', provider, model, usage, ms, calls, price, recipe: null })
  return withMarks(value, () => {})
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

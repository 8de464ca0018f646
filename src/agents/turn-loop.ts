/**
 * The loop in which a persona answers: perceive → prompt → think → record → act → end. Channel turns and the
 * stateless API chat share it. The `Phases` decide where an answer is stored, which tools exist and who
 * receives the text while it is generated.
 */
import type { Answer, Call, Organ } from '../../facts/fact-values.ts'
import type { Mind } from '../../packages/models/mind.ts'
import {
  callWithRetries,
  type RetryDeps,
  type Thought,
  type TryResult,
  think,
} from '../mind/model-retries.ts'
import type { Organs } from '../mind/organ-calls.ts'
import { withoutMarks } from '../mind/prompt/answer-marks.ts'
import type { TurnPrompt } from '../mind/prompt/turn-prompt.ts'

/** State of a turn after the recorded steps. */
export interface Progress {
  /** Oldest first. `step` counts from 1. */
  readonly steps: readonly { readonly step: number; readonly answer: Answer }[]
  /** True if any step contained text. */
  readonly hasSpoken: boolean
  /** A tool call of the model without a result. */
  readonly openCall: Call | undefined
  /** The organs with the current settings. */
  readonly organs: Organs
}

/** The model's answer of one step, not yet recorded. */
export interface Step {
  readonly step: number
  readonly prompt: TurnPrompt
  readonly result: TryResult<Thought>
  readonly organ: Organ
  readonly organs: Organs
}

/** Callbacks for the output of the model during a step. */
export interface Listener {
  /** Receives generated text. `offset` 0 means that the text of the step starts again. */
  readonly onWords: (delta: string, offset: number) => void
  /** Called for every part of the model's output, also for parts without text. */
  readonly onSign: () => void
}

/** `P`: the perceived input. `S`: the progress of the turn and the input of its prompt. */
export interface Phases<P, S extends Progress> {
  /** Processes the input once. Returns null when no input is left; the turn has then already ended. */
  perceive(): Promise<P | null>
  /**
   * Reads the recorded steps. Called before each phase, so that a resumed turn continues with its recorded
   * steps.
   */
  progress(perception: P): Promise<S>
  /** Builds the prompt of the next step. Returns null when nothing is left to answer. */
  prompt(progress: S): TurnPrompt | null
  /** Runs a step and passes the model's output to a listener. */
  stream(
    step: number,
    think: (listener: Listener) => Promise<TryResult<Thought>>,
  ): Promise<TryResult<Thought>>
  /** Records the answer. An answer with text and without tool calls also ends the turn. */
  record(step: Step, progress: S): Promise<void>
  /** Carries out a call and records its result. `refusal`: an error to record as the result instead. */
  act(call: Call, progress: S, refusal: string | null): Promise<void>
  /** Returns true if an empty answer needs no second request and no notice. */
  mayEndSilently(progress: S): boolean
  /** Ends the turn. `ending` is null when the turn ends without a message. */
  end(ending: Ending | null, progress: S): Promise<void>
}

/** Throws `Unanswered`, the signal's reason, or the error of a phase. */
export const runTurnLoop = async <P, S extends Progress>(
  phases: Phases<P, S>,
  deps: RetryDeps,
): Promise<void> => {
  const perception = await phases.perceive()
  if (perception === null) return
  let isSilent = false
  for (;;) {
    const progress = await phases.progress(perception)
    const { steps, hasSpoken, openCall, organs } = progress
    const last = steps.at(-1)
    if (openCall && last && last.step <= maxSteps) {
      await phases.act(openCall, progress, last.step < maxSteps ? null : noMoreTools)
      continue
    }
    const maySilently = phases.mayEndSilently(progress)
    if (last && isTurnOver(last, hasSpoken || isSilent || maySilently)) {
      const answers = steps.map(({ answer }) => answer)
      const isWanted = maySilently && last.answer.calls.length === 0
      return phases.end(isWanted ? null : getEnding(answers, hasSpoken), progress)
    }
    // After an empty answer the model is called once more.
    isSilent ||= last?.answer.calls.length === 0
    const prompt = phases.prompt(progress)
    if (!prompt) return phases.end(null, progress)
    const step = (last?.step ?? 0) + 1
    const { organ, mind } = await organs.mind()
    const { provider, model } = organ
    const result = await phases.stream(step, ({ onWords, onSign }) =>
      callWithRetries({ organ: 'thinking', provider, model }, deps, (triesLeft) =>
        think(withoutMarks(withActivitySign(mind, onSign)), prompt.prompt, deps.signal, triesLeft, onWords),
      ),
    )
    await phases.record({ step, prompt, result, organ, organs }, progress)
    if (isLast(result.value.answer)) return
  }
}

const isTurnOver = ({ step, answer }: Progress['steps'][number], mayEndSilently: boolean) =>
  step > maxSteps || (answer.calls.length === 0 && mayEndSilently)

export const isLast = ({ text, calls }: Answer): boolean => calls.length === 0 && text.trim() !== ''

/** Calls `onSign` for each part of the model's output. */
const withActivitySign = (mind: Mind, onSign: () => void): Mind => ({
  async *think(prompt, signal, maxTokens) {
    for await (const part of mind.think(prompt, signal, maxTokens)) {
      onSign()
      yield part
    }
  },
})

// Notices for turns that ended without an answer: the cause and a remedy.

/**
 * Max steps per turn. The calls of the last step get an error instead of a result. If it has calls, one more
 * step follows, whose calls are ignored.
 */
const maxSteps = 16

/** The request keeps its tools, so that its beginning stays the same for a prompt cache. */
const noMoreTools = 'No more tools can be used in this turn. Answer now.'

export interface Ending {
  /** The reason in the `TurnEnded` fact. */
  readonly reason: string
  readonly words: string
}

/**
 * Returns null if the turn needs no notice: the last answer has text, or an earlier one had and the last is
 * empty. `answers`: of all steps, oldest first. `hasSpoken`: true if any step contained text.
 */
const getEnding = (answers: readonly Answer[], hasSpoken: boolean): Ending | null => {
  const last = answers.at(-1)
  const isOverLimit = answers.length > maxSteps
  if (last && (last.calls.length === 0 || isOverLimit) && last.text.trim() !== '') return null
  const lastWithCalls = answers.findLast(({ calls }) => calls.length > 0)
  // Arguments that are not valid JSON are kept as a string.
  if (lastWithCalls?.calls.some(({ input }) => typeof input === 'string'))
    return {
      reason: 'unreadable calls',
      words:
        'The model called its tools in a form that cannot be read, so its request was not carried out. Say it in other words, or choose another Mind under settings.',
    }
  if (isOverLimit)
    return {
      reason: 'too many steps',
      words: `The model called one tool after another, ${maxSteps} times, and gave no answer, so it was stopped. What it did until then stays done. Ask for less at once, or in another way.`,
    }
  return hasSpoken
    ? null
    : {
        reason: 'no words',
        words: 'The model gave an empty answer. Say it again, or in another way.',
      }
}

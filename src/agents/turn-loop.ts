/**
 * The one loop in which a persona answers: perceive → prompt → think → record → act → end. What it is handed
 * decides where an answer is kept, what its tools are and who hears its words as they come.
 */
import type { Answer, Call, Organ } from '../../journal/facts/fact-values.ts'
import type { Mind } from '../../packages/models/mind.ts'
import type { Organs } from '../mind/organ-calls.ts'
import type { TurnPrompt } from '../mind/prompt/prompt.ts'
import { type RetryDeps, type Thought, type Tried, think, trying } from '../mind/think.ts'
import { type Ending, endingOf, mostSteps } from './endings.ts'

/** How far it has come. */
export interface Progress {
  /** Oldest first, counted from 1. */
  readonly steps: readonly { readonly step: number; readonly answer: Answer }[]
  /** It has said something. */
  readonly spoke: boolean
  /** A tool its Mind asked for, and that has given nothing back yet. */
  readonly open: Call | undefined
  /** As they are configured now. */
  readonly organs: Organs
}

/** What its Mind gave in a step, before it is recorded. */
export interface Step {
  readonly step: number
  readonly told: TurnPrompt
  readonly tried: Tried<Thought>
  readonly organ: Organ
  readonly organs: Organs
}

/** Whoever hears the Mind while it thinks. */
export interface Listener {
  /** Words as they come; `offset` 0 begins the step anew. */
  readonly onWords: (delta: string, offset: number) => void
  /** Anything came at all. */
  readonly onSign: () => void
}

/** `P`: what was perceived; `S`: how far it has come, and what its prompt is made of. */
export interface Phases<P, S extends Progress> {
  /** Looks at what came, once. Null where nothing is left to think about: it has ended. */
  perceive(): Promise<P | null>
  /** Read anew before each phase: what was recorded counts, also where it was cut off before. */
  progress(perceived: P): Promise<S>
  /** What its Mind is told in the next step. Null where nothing is left to be answered. */
  prompt(progress: S): TurnPrompt | null
  /** Lets somebody hear the Mind as it thinks. */
  hear(step: number, think: (listener: Listener) => Promise<Tried<Thought>>): Promise<Tried<Thought>>
  /** Words without a call end it where they are recorded. */
  record(step: Step, progress: S): Promise<void>
  act(call: Call, progress: S): Promise<void>
  /** Null where nothing is to be said of how it ended. */
  end(ending: Ending | null, progress: S): Promise<void>
}

/** Throws `Unanswered`, the signal's reason, and whatever a phase throws. */
export const takeSteps = async <P, S extends Progress>(
  phases: Phases<P, S>,
  deps: RetryDeps,
): Promise<void> => {
  const perceived = await phases.perceive()
  if (perceived === null) return
  let silent = false
  for (;;) {
    const progress = await phases.progress(perceived)
    const { steps, spoke, open, organs } = progress
    if (open) {
      await phases.act(open, progress)
      continue
    }
    const last = steps.at(-1)
    if (last && isOver(last, spoke || silent)) {
      const answers = steps.map(({ answer }) => answer)
      return phases.end(endingOf(answers, spoke), progress)
    }
    // Asked once more after an answer of nothing.
    silent ||= last?.answer.calls.length === 0
    const told = phases.prompt(progress)
    if (!told) return phases.end(null, progress)
    const step = (last?.step ?? 0) + 1
    const { organ, mind } = await organs.mind()
    const { provider, model } = organ
    const tried = await phases.hear(step, ({ onWords, onSign }) =>
      trying({ organ: 'thinking', provider, model }, deps, (left) =>
        think(heardFrom(mind, onSign), told.prompt, deps.signal, left, onWords),
      ),
    )
    await phases.record({ step, told, tried, organ, organs }, progress)
    if (isLast(tried.value.answer)) return
  }
}

const isOver = ({ step, answer }: Progress['steps'][number], enough: boolean) =>
  step >= mostSteps || (answer.calls.length === 0 && enough)

export const isLast = ({ text, calls }: Answer): boolean => calls.length === 0 && text.trim() !== ''

/** Each part of what a Mind gives is a sign of life. */
const heardFrom = (mind: Mind, onSign: () => void): Mind => ({
  async *think(prompt, signal, most) {
    for await (const part of mind.think(prompt, signal, most)) {
      onSign()
      yield part
    }
  },
})

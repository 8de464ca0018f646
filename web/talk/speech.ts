/** Streamed text of answers that are not in the journal yet, in order of turn and step. */
import type { Delta, Step } from '../shared/shapes.ts'

export interface Draft extends Step {
  /** UTF-16 units of the step's text that were streamed before the page was connected. */
  readonly from: number
  readonly words: string
}

export const applyDelta = (
  drafts: readonly Draft[],
  { turn, step, offset, delta }: Delta,
): readonly Draft[] => {
  const previousDraft = drafts.find((draft) => draft.turn === turn && draft.step === step)
  const draft = { turn, step, ...appendDelta(previousDraft, offset, delta) }
  return [...drafts.filter((candidate) => candidate !== previousDraft), draft].sort(
    (a, b) => a.turn - b.turn || a.step - b.step,
  )
}

/** Removes the drafts that a message completes: its own and all older ones. */
export const dropCompletedDrafts = (drafts: readonly Draft[], { turn, step }: Step): readonly Draft[] =>
  drafts.filter((draft) => draft.turn > turn || (draft.turn === turn && draft.step > step))

const appendDelta = (previousDraft: Draft | undefined, offset: number, delta: string) => {
  const heldUnits = previousDraft ? offset - previousDraft.from : -1
  // There is a gap, or the text was started again: the known text is dropped.
  if (!previousDraft || heldUnits < 0 || heldUnits > previousDraft.words.length)
    return { from: offset, words: delta }
  return { from: previousDraft.from, words: previousDraft.words.slice(0, heldUnits) + delta }
}

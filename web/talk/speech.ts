/** Words as they are thought, before they are said: provisional, in order of turn and step. */
import type { Delta, Step } from '../shared/shapes.ts'

export interface Draft extends Step {
  /** Units of the step's text that came before this page listened. */
  readonly from: number
  readonly words: string
}

export const hearDelta = (
  drafts: readonly Draft[],
  { turn, step, offset, delta }: Delta,
): readonly Draft[] => {
  const known = drafts.find((draft) => draft.turn === turn && draft.step === step)
  const draft = { turn, step, ...joined(known, offset, delta) }
  return [...drafts.filter((one) => one !== known), draft].sort((a, b) => a.turn - b.turn || a.step - b.step)
}

/** What was said for good replaces its draft, and any draft from before it. */
export const withoutSaid = (drafts: readonly Draft[], { turn, step }: Step): readonly Draft[] =>
  drafts.filter((draft) => draft.turn > turn || (draft.turn === turn && draft.step > step))

const joined = (known: Draft | undefined, offset: number, delta: string) => {
  const held = known ? offset - known.from : -1
  // A gap, or a text begun anew: what is held does not lead up to this.
  if (!known || held < 0 || held > known.words.length) return { from: offset, words: delta }
  return { from: known.from, words: known.words.slice(0, held) + delta }
}

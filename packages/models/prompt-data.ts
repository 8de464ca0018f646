/**
 * What a prompt says, as data: for a mind that reads no text. Words of others are never in it as words of the
 * person, and no mark of a prompt is in any words.
 */
import type { Call, Slot } from '../../journal/facts/fact-values.ts'

export type PromptData = TurnData | QuestionData | ConsolidationData | ImportData

/** What it knows of the person, and is not to learn once more. */
interface Knowing {
  /** The persona's. */
  readonly name: string
  readonly statements: readonly KnownStatement[]
}

/** An answer is wanted, in a talk with the person or with whoever speaks through a program. */
export interface TurnData extends Knowing {
  readonly kind: 'turn'
  readonly plans: readonly OpenPlan[]
  /** How many come after those. */
  readonly laterPlans: number
  /** What it holds in mind of the talk that is no longer before it; `''` where that is nothing. */
  readonly carried: string
  /** Local time, `2026-11-23T10:15`. */
  readonly now: string
  /** Oldest first. */
  readonly talk: readonly Utterance[]
}

/**
 * One question to an organ: a picture or a document to describe, advice, a word to show that it answers.
 * Nobody says who is speaking.
 */
export interface QuestionData {
  readonly kind: 'question'
  readonly words: string
}

/** Its talk is gone over: what of it is to be kept and carried on, and what the day was. */
export interface ConsolidationData extends Knowing {
  readonly kind: 'consolidation'
  readonly forgotten: readonly string[]
  /** `''` where it is nothing. */
  readonly carried: string
  /** The summary of the day so far; `''` where there is none. */
  readonly day: string
  readonly lines: readonly TalkLine[]
}

/** A talk that the person had with another AI is gone over. */
export interface ImportData extends Knowing {
  readonly kind: 'import'
  readonly forgotten: readonly string[]
  /** Of that talk; `''` where it has none. */
  readonly title: string
  /** Which AI it was, as it is spoken of. */
  readonly other: string
  /** What was learned of the parts before. */
  readonly learned: readonly string[]
  readonly lines: readonly TalkLine[]
}

export interface KnownStatement {
  readonly id: string
  readonly document: string
  readonly text: string
}

/** `when` as it was planned: local time, `2026-11-24T09:00`. */
export interface OpenPlan {
  readonly id: string
  readonly kind: string
  readonly when: string
  readonly recurrence: string | null
  readonly content: string
}

export interface DuePlan {
  readonly when: string
  readonly late: boolean
  readonly content: string
}

/** A file of the talk. */
export interface FileNote {
  readonly name: string
  /** What it lies under. */
  readonly file: string
  /** Which organ perceived it, and what; null where none could. */
  readonly perceived: { readonly by: Slot; readonly text: string } | null
}

/**
 * `words` of the person are their own alone, also where they were spoken; `passedOn`: words of others came
 * with them. `calendar`: plans that fell due. `quiet`: nobody has said anything, and it speaks first.
 */
export type Utterance =
  | {
      readonly by: 'person'
      readonly words: string
      readonly files: readonly FileNote[]
      readonly passedOn: boolean
    }
  | {
      readonly by: 'persona'
      readonly words: string
      readonly files: readonly FileNote[]
      readonly calls: readonly Call[]
    }
  | { readonly by: 'calendar'; readonly due: readonly DuePlan[] }
  | { readonly by: 'quiet' }
  | { readonly by: 'tool'; readonly call: string; readonly name: string; readonly output: unknown }

/** A line of a talk that is gone over. */
export interface TalkLine {
  readonly seq: number
  /** Local time; null where it is not known. */
  readonly time: string | null
  /** `program`: what it passed on may be anybody's word; `other`: whom the person spoke with there. */
  readonly by: 'person' | 'program' | 'persona' | 'other'
  /** No file came with it. */
  readonly alone: boolean
  readonly words: string
}

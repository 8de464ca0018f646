/**
 * The content of a prompt as data, for a mind that does not read text. Words of others are never marked as
 * the user's, and no text contains prompt marks.
 */
import type { Call, Slot } from '../../facts/fact-values.ts'

export type PromptData = TurnData | QuestionData | ConsolidationData | ImportData | InitiativeData | MailData

/** The known statements, so that they are not learned again. */
interface Knowing {
  /** The persona's name. */
  readonly name: string
  readonly statements: readonly KnownStatement[]
}

/** A turn of a talk with the user, or with someone through a program. */
export interface TurnData extends Knowing {
  readonly kind: 'turn'
  /** The persona's notes about itself, and its character (empty for none). Absent if there is neither. */
  readonly own?: { readonly notes: readonly string[]; readonly character: string }
  readonly plans: readonly OpenPlan[]
  /** Number of further plans after those. */
  readonly laterPlans: number
  /** The persona's notes about talk that is no longer in the prompt; empty if there are none. */
  readonly carried: string
  /** Local time, `2026-11-23T10:15`. */
  readonly now: string
  /** Oldest first. */
  readonly talk: readonly Utterance[]
}

/**
 * One question to an organ: describe a picture or a document, give advice, or say one word as a test. The
 * speaker is unknown.
 */
export interface QuestionData {
  readonly kind: 'question'
  readonly words: string
}

/** A mail of a stranger that is summarised. */
export interface MailData {
  readonly kind: 'mail'
  readonly from: string
  readonly subject: string
  readonly text: string
}

/** The consolidation of recent talk: extract statements, notes, and a summary of the day. */
export interface ConsolidationData extends Knowing {
  readonly kind: 'consolidation'
  readonly forgotten: readonly string[]
  /** Empty if there are none. */
  readonly carried: string
  /** The summary of the day so far; empty if there is none. */
  readonly day: string
  readonly lines: readonly TalkLine[]
  /** The open reasons to write by itself. Absent if the persona does not write by itself. */
  readonly initiative?: readonly NotedReason[]
  /** How far the user's clock, which times of reasons follow, is ahead of that of the lines. Default: 0. */
  readonly aheadMinutes?: number
}

/** `at`: local time; null for a wish that waits for a new time. */
export interface NotedReason {
  readonly id: string
  readonly kind: string
  readonly at: string | null
  readonly reason: string
}

/** The decision whether the persona writes by itself. */
export interface InitiativeData {
  readonly kind: 'initiative'
  /** The persona's name. */
  readonly name: string
  /** Local time, `2026-11-23T10:15`. */
  readonly now: string
  /** The kind of the reason. */
  readonly why: string
  readonly reason: string
  /** Reasons of which the user wants fewer messages. */
  readonly unwanted: readonly string[]
  /** The messages that the reason comes from. */
  readonly sources: readonly TalkLine[]
  /** The last messages of the talk, oldest first. */
  readonly recent: readonly TalkLine[]
}

/** The consolidation of a talk of the user with another AI. */
export interface ImportData extends Knowing {
  readonly kind: 'import'
  readonly forgotten: readonly string[]
  /** The talk's title; empty if it has none. */
  readonly title: string
  /** The name of the other AI in sentences. */
  readonly other: string
  /** Learned from the previous parts. */
  readonly learned: readonly string[]
  readonly lines: readonly TalkLine[]
}

export interface KnownStatement {
  readonly id: string
  readonly document: string
  readonly text: string
  readonly pinned?: boolean
}

/** `when`: the planned local time, `2026-11-24T09:00`. */
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

export interface FileNote {
  readonly name: string
  /** The stored file name. */
  readonly file: string
  /** The description, and the organ that made it; null if there is none. */
  readonly perceived: { readonly by: Slot; readonly text: string } | null
}

/**
 * `words` of the user are only their own, including voice messages. `passedOn`: the message also has words of
 * others. `calendar`: due plans. `quiet`: the talk is empty and the persona greets first, in this language.
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
  | { readonly by: 'quiet'; readonly language: 'en' | 'de' }
  | { readonly by: 'tool'; readonly call: string; readonly name: string; readonly output: unknown }

/** A line of a talk that is consolidated. */
export interface TalkLine {
  readonly seq: number
  /** Local time, or null if unknown. */
  readonly time: string | null
  /** `program`: passed on by a program, by any author. `other`: the other side of an imported talk. */
  readonly by: 'person' | 'program' | 'persona' | 'other'
  /** True if the message has no file. */
  readonly alone: boolean
  readonly words: string
}

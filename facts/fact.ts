/** Type of a row in the table of facts: the fields of a fact, and the traits that its readers depend on. */
import type * as z from 'zod'
import type { FactTraits, Payload } from '../journal/log/vocabulary.ts'

/** The indexes over a journal; each fact is in at most one. These names are part of the format on disk. */
export const indexes = {
  talk: { isCached: true, omitsErased: true },
  ...{ plans: {}, calls: {}, media: {}, days: {}, histories: {}, deliveries: {}, mails: {} },
} as const
export type Kind = keyof typeof indexes

/** Kinds of search results. These names are part of the format on disk, in the search index. */
export const SearchKinds = ['said', 'file', 'memory', 'plan', 'instruction', 'day', 'history'] as const
export type SearchKind = (typeof SearchKinds)[number]

/**
 * Effect that a fact from the user has on the agent. `run`: start. `run anew`: restart. `pick up`: apply a
 * change if it runs. `rest`: stop. `stay`: a request that changes nothing about the run. `none`: no request;
 * an earlier failed step remains the last failure.
 */
export type Wish = 'run' | 'run anew' | 'pick up' | 'rest' | 'stay' | 'none'

/** The parts of a persona's state. Each has its own fold. */
export type StatePart =
  | 'self'
  | 'life'
  | 'talk'
  | 'plans'
  | 'knowledge'
  | 'proposals'
  | 'skills'
  | 'days'
  | 'deliveries'
  | 'web'
  | 'initiative'
  | 'responses'
  | 'mail'

/** Names of the metrics that count facts. */
export const Tallies = ['turns', 'sleeps', 'tool_calls', 'files_perceived', 'organ_failures'] as const
export type Tally = (typeof Tallies)[number]

/** How a fact depends on its cause. Part of the HTTP contract; described in docs/reference/causes.md. */
export const Relations = [
  ...(['message', 'talk', 'due', 'memory', 'source', 'turn', 'call', 'tool', 'result'] as const),
  ...(['approval', 'with', 'about', 'earlier', 'life', 'undoes', 'through'] as const),
] as const
export type Relation = (typeof Relations)[number]

/** Things that several facts are about, and that have an id. */
export type Thing =
  | 'statement'
  | 'instruction'
  | 'plan'
  | 'initiative'
  | 'calendar'
  | 'mailbox'
  | 'channel'
  | 'organ'
  | 'server'
  | 'skill'
  | 'response'
  | 'life'
  | 'sleep'

/**
 * How a field refers to other facts. `to`: it holds positions. `range`: the messages with `after < seq <=
 * upTo`. `thing`: it holds ids; `first` begins the thing, `next` follows the last fact about it, and a
 * relation only mentions it. Null: a position or an id that says nothing about a cause.
 */
export type Link =
  | { readonly to: Relation }
  | { readonly range: Relation }
  | { readonly thing: Thing; readonly as: 'first' | 'next' | Relation }
  | null

export interface Traits<Words = never, Field extends string = string> extends FactTraits<Words> {
  readonly index: Kind | null
  readonly search: SearchKind | null
  /**
   * Data that readers outside the conversation receive: `nothing`, the event that a persona has `come` or
   * `gone`, or these fields. Only ids, positions, names, numbers and the daemon's own reasons are allowed,
   * never text that a user or a model wrote.
   */
  readonly outside: 'nothing' | 'come' | 'gone' | readonly Field[]
  /** The parts of the state that this fact changes. Only their folds receive it. */
  readonly state: readonly StatePart[]
  /** Occurs without the user. A day that has only such facts is not closed as a day. */
  readonly background: boolean
  /** Whether the user would lose data if a diary without this fact replaced the journal. */
  readonly missed: boolean
  /**
   * Stores outside the journal that must be reconciled: the referenced keys and tokens, or the open channels.
   */
  readonly changes: readonly ('keys' | 'channels')[]
  readonly wish: Wish | ((words: Words) => Wish)
  /** The fields that refer to other facts. A test requires an entry for each field with a position. */
  readonly links?: { readonly [F in Field]?: Link }
  /** Later facts of its commit follow from it, unless they name a nearer cause. */
  readonly leads?: true
  /** Replacement values of the fields that erasure clears; null if the fact holds no text. */
  readonly blank: Payload | null
  /**
   * Metric labels. Every fact is counted by type; these fields, which have few known values, are labels too.
   */
  readonly counted?: { readonly as: Tally; readonly by: readonly Field[] }
}

/** Traits of most facts: about the user's data, without an index, a search or an effect outside. */
export const ordinaryTraits = {
  index: null,
  search: null,
  background: false,
  missed: true,
  changes: [],
  wish: 'none',
  blank: null,
} as const satisfies Partial<Traits>

export const fact = <
  Shape extends z.ZodRawShape,
  const T extends Traits<z.infer<z.ZodObject<Shape>>, keyof Shape & string>,
>(
  shape: Shape,
  traits: T,
) => ({ shape, traits: 'media' in shape ? { ...traits, files: filesIn } : traits })

const filesIn = ({ media }: { readonly media?: { readonly filename: string } | null }): readonly string[] =>
  media ? [media.filename] : []

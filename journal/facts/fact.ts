/** What a fact is here: one row, with its fields and with what follows from its kind for whoever reads it. */
import type * as z from 'zod'

/** The indexes over a journal; each fact is in at most one. Their names lie on disk. */
export const Kinds = ['talk', 'plans', 'calls', 'media', 'days', 'histories', 'deliveries'] as const
export type Kind = (typeof Kinds)[number]

/** As what the words of a fact are found. The names lie on disk, in the index of words. */
export const SearchKinds = ['said', 'file', 'memory', 'plan', 'instruction', 'day', 'history'] as const
export type SearchKind = (typeof SearchKinds)[number]

/**
 * What a person who writes a fact wishes of the agent: that it runs, that it runs anew, that it picks a
 * change up where it runs, that it rests. `stay`: it was asked something and goes on as it is. `none`: it was
 * asked nothing, and a step of before that failed is still what failed last.
 */
export type Wish = 'run' | 'run anew' | 'pick up' | 'rest' | 'stay' | 'none'

/** The parts of a persona's state, each folded by itself. */
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

/** Under which names facts of a kind are counted for whoever watches the daemon. */
export const Tallies = ['turns', 'sleeps', 'tool_calls', 'files_perceived', 'organ_failures'] as const
export type Tally = (typeof Tallies)[number]

export type Payload = Readonly<Record<string, unknown>>
export type Upcast = (payload: Payload) => Payload

export interface Traits<Words = never, Field extends string = string> {
  readonly index: Kind | null
  readonly search: SearchKind | null
  /**
   * What those outside the conversation are told: `nothing`, that a persona has `come` or `gone`, or these
   * fields. Ids, positions, names, figures and the daemon's own reasons may pass, nothing in the words of
   * anybody.
   */
  readonly outside: 'nothing' | 'come' | 'gone' | readonly Field[]
  /**
   * The parts of the state that it changes: what folds such a part takes this fact, and no other part sees
   * it.
   */
  readonly state: readonly StatePart[]
  /** It happens by itself: a day of nothing else is no day. */
  readonly background: boolean
  /** Somebody would miss it where a diary is put in the place of the journal that holds it. */
  readonly missed: boolean
  /**
   * What is held beside the journal and may be other than before: which keys and tokens are referred to,
   * which channels are open.
   */
  readonly changes: readonly ('keys' | 'channels')[]
  readonly wish: Wish | ((words: Words) => Wish)
  /** The fields that another value stands in once its words are erased; null where it holds none. */
  readonly blank: Payload | null
  /**
   * Every fact is counted by its type; these also by fields, each of which has a few values that are known.
   */
  readonly counted?: { readonly as: Tally; readonly by: readonly Field[] }
  /**
   * How older versions are read, where there are any: the first step reads version 1 as 2, and so on. Today's
   * version is what the last one makes.
   */
  readonly older?: readonly Upcast[]
}

/** The row of a fact. */
export const fact = <
  Shape extends z.ZodRawShape,
  const T extends Traits<z.infer<z.ZodObject<Shape>>, keyof Shape & string>,
>(
  shape: Shape,
  traits: T,
) => ({ shape, traits })

/** Only the choices have grown: what was written before reads the same. */
export const unchanged: Upcast = (older) => older

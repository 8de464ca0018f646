/** Facts about memory: statements, lessons, and the summary of recent talk. */
import * as z from 'zod'
import { keepPayload, type Upcast } from '../journal/log/vocabulary.ts'
import { fact, ordinaryTraits } from './fact.ts'
import { Document, Origin, Seq, SeqBefore, Via } from './fact-values.ts'

const memoryTraits = { ...ordinaryTraits, state: ['knowledge'] } as const
/** Present if the statement contains third-party text. */
const via = Via.nullable().optional()
/** When the statement begins or ends to be true: `2027`, `2027-03` or `2027-03-31`; absent if unknown. */
const period = { from: z.string().nullable().optional(), until: z.string().nullable().optional() }
const blankStatement = { text: '', via: null, from: null, until: null }
const statement = {
  id: z.string(),
  document: Document,
  text: z.string(),
  sources: z.array(Seq),
  origin: Origin,
  via,
  ...period,
}

const sources = { to: 'source' } as const
const first = { thing: 'statement', as: 'first' } as const
const next = { thing: 'statement', as: 'next' } as const
const nextInstruction = { id: { thing: 'instruction', as: 'next' } } as const

const textList = z.array(z.string()).readonly()

/** Older versions did not record which third-party text was used, so all of it may have been. */
const withBorrowed: Upcast = ({ foreign, ...older }) => ({
  ...older,
  borrowed: foreign ? [older.carry, older.summary] : [],
})

export const memoryFacts = {
  /** A statement was stored. */
  MemoryKept: fact(statement, {
    ...memoryTraits,
    search: 'memory',
    outside: ['id', 'document', 'sources', 'origin'],
    links: { sources, id: first },
    older: [keepPayload, keepPayload, keepPayload, keepPayload],
    blank: blankStatement,
  }),
  /** The new version of a statement with the same id. */
  MemoryRevised: fact(
    { id: z.string(), text: z.string(), sources: z.array(Seq), origin: Origin, via, ...period },
    {
      ...memoryTraits,
      search: 'memory',
      outside: ['id', 'sources', 'origin'],
      links: { sources, id: next },
      older: [(payload) => ({ ...payload, origin: 'persona' }), keepPayload, keepPayload, keepPayload],
      blank: blankStatement,
    },
  ),
  /**
   * A statement was forgotten. `into`: the statement that it was merged into; absent if it was only
   * forgotten. `unasked`: the persona dropped it without a request of the user; absent in older facts.
   */
  MemoryForgotten: fact(
    {
      id: z.string(),
      why: z.string().nullable(),
      into: z.string().optional(),
      unasked: z.literal(true).optional(),
    },
    {
      ...memoryTraits,
      outside: ['id', 'into', 'unasked'],
      links: { id: next, into: { thing: 'statement', as: 'about' } },
      older: [keepPayload, keepPayload],
      blank: { why: null },
    },
  ),
  /** A forgotten statement was restored unchanged. */
  MemoryRestored: fact(statement, {
    ...memoryTraits,
    search: 'memory',
    outside: ['id', 'document', 'sources', 'origin'],
    links: { sources, id: next },
    older: [keepPayload, keepPayload, keepPayload],
    blank: blankStatement,
  }),
  /** A pinned statement is always part of the system prompt. Forgetting a statement ends its pin. */
  MemoryPinned: fact(
    { id: z.string(), pinned: z.boolean(), origin: Origin },
    { ...memoryTraits, outside: ['id', 'pinned', 'origin'], links: { id: next } },
  ),
  /**
   * A program suggested a statement. It becomes one of the persona's only when the user accepts it. `by` is
   * the name that the program gave, if any.
   */
  MemoryProposed: fact(
    { id: z.string(), document: Document, text: z.string(), by: z.string().nullable() },
    {
      ...memoryTraits,
      state: ['proposals'],
      outside: ['id', 'document'],
      links: { id: first },
      older: [keepPayload],
      blank: { text: '', by: null },
    },
  ),
  /** The user's decision. An accepted statement is stored under the proposal's id, in the same commit. */
  ProposalSettled: fact(
    { id: z.string(), accepted: z.boolean() },
    { ...memoryTraits, state: ['proposals'], outside: ['id', 'accepted'], links: { id: next } },
  ),
  /**
   * The messages with `after < seq <= upTo` were consolidated. The facts that the persona learned are in the
   * same commit. `carry` is the context that it keeps in mind, `summary` the day so far. Both are in its
   * words, and empty if it gave none. `borrowed`: third-party text in them, which the user did not say.
   */
  ContextCarried: fact(
    { after: SeqBefore, upTo: Seq, carry: z.string(), summary: z.string(), borrowed: textList },
    {
      ...memoryTraits,
      index: 'days',
      state: ['days'],
      outside: ['after', 'upTo'],
      links: { after: null, upTo: { range: 'talk' } },
      older: [withBorrowed],
      blank: { carry: '', summary: '', borrowed: [] },
    },
  ),
  /** A lesson for a kind of situation, in the persona's words. Search finds it by its intention. */
  InstructionLearned: fact(
    { id: z.string(), intention: z.string(), body: z.string() },
    {
      ...memoryTraits,
      search: 'instruction',
      outside: ['id'],
      links: { id: { thing: 'instruction', as: 'first' } },
      blank: { intention: '', body: '' },
    },
  ),
  /** The new text of a lesson with the same id. */
  InstructionRevised: fact(
    { id: z.string(), body: z.string() },
    {
      ...memoryTraits,
      search: 'instruction',
      outside: ['id'],
      links: nextInstruction,
      blank: { body: '' },
    },
  ),
  /** A lesson was removed. */
  InstructionRemoved: fact({ id: z.string() }, { ...memoryTraits, outside: ['id'], links: nextInstruction }),
}

/** What a persona keeps of what was said: statements, lessons, and what it holds in mind. */
import * as z from 'zod'
import { fact, type Upcast, unchanged } from './fact.ts'
import { Document, Origin, Seq, Via } from './fact-values.ts'

const learned = {
  index: null,
  search: null,
  state: ['knowledge'],
  background: false,
  missed: true,
  changes: [],
  wish: 'none',
  blank: null,
} as const
/** Present if words of others stand in the statement. */
const via = Via.nullable().optional()
const statement = {
  id: z.string(),
  document: Document,
  text: z.string(),
  sources: z.array(Seq),
  origin: Origin,
  via,
}

const borrowed = z.array(z.string()).readonly()

/** Which words of others went into it was not recorded: all of them may be. */
const withBorrowed: Upcast = ({ foreign, ...older }) => ({
  ...older,
  borrowed: foreign ? [older.carry, older.summary] : [],
})

export const memoryFacts = {
  MemoryKept: fact(statement, {
    ...{ ...learned, search: 'memory', outside: ['id', 'document', 'sources', 'origin'] },
    ...{ older: [unchanged, unchanged, unchanged], blank: { text: '', via: null } },
  }),
  MemoryRevised: fact(
    { id: z.string(), text: z.string(), sources: z.array(Seq), origin: Origin, via },
    {
      ...{ ...learned, search: 'memory', outside: ['id', 'sources', 'origin'] },
      older: [(older) => ({ ...older, origin: 'persona' }), unchanged, unchanged],
      blank: { text: '', via: null },
    },
  ),
  MemoryForgotten: fact(
    { id: z.string(), why: z.string().nullable() },
    { ...learned, outside: ['id'], blank: { why: null } },
  ),
  /** Forgotten, and brought back as it was. */
  MemoryRestored: fact(statement, {
    ...{ ...learned, search: 'memory', outside: ['id', 'document', 'sources', 'origin'] },
    ...{ older: [unchanged, unchanged], blank: { text: '', via: null } },
  }),
  /**
   * A statement that a program would have it know: none of its own before the person has accepted it. `by` is
   * what the program calls itself, where it says so.
   */
  MemoryProposed: fact(
    { id: z.string(), document: Document, text: z.string(), by: z.string().nullable() },
    {
      ...{ ...learned, state: ['proposals'], outside: ['id', 'document'] },
      blank: { text: '', by: null },
    },
  ),
  /** What the person made of it. What was accepted is kept under its id, in the same commit. */
  ProposalSettled: fact(
    { id: z.string(), accepted: z.boolean() },
    { ...learned, state: ['proposals'], outside: ['id', 'accepted'] },
  ),
  /**
   * What was said with `after < seq <= upTo` has been gone over: what it taught stands beside this, in the
   * same commit. `carry` is what the persona holds in mind of it, `summary` what has happened on the day so
   * far; both in its words, empty where it gave none. `borrowed`: words of others in them that the user did
   * not say.
   */
  ContextCarried: fact(
    { after: z.int().min(0), upTo: Seq, carry: z.string(), summary: z.string(), borrowed },
    {
      ...{ ...learned, index: 'days', state: ['days'], outside: ['after', 'upTo'] },
      older: [withBorrowed],
      blank: { carry: '', summary: '', borrowed: [] },
    },
  ),
  /** How a kind of moment is handled: a lesson in the persona's own words, found by its intention. */
  InstructionLearned: fact(
    { id: z.string(), intention: z.string(), body: z.string() },
    {
      ...{ ...learned, search: 'instruction', outside: ['id'] },
      blank: { intention: '', body: '' },
    },
  ),
  InstructionRevised: fact(
    { id: z.string(), body: z.string() },
    {
      ...{ ...learned, search: 'instruction', outside: ['id'] },
      blank: { body: '' },
    },
  ),
  InstructionRemoved: fact({ id: z.string() }, { ...learned, outside: ['id'] }),
}

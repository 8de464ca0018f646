/** What a persona is, and what became of its journal. */
import * as z from 'zod'
import { fact, unchanged } from './fact.ts'
import { Channel, Organ, Seq, Sha256, Slot, Status } from './fact-values.ts'

const self = {
  index: null,
  search: null,
  state: ['self'],
  background: false,
  missed: true,
  changes: [],
  blank: null,
} as const
/** Declared anew with every migration. */
const declared = { ...self, missed: false } as const

export const selfFacts = {
  /**
   * `recipient`: whom its diaries are sealed for, an age X25519 recipient. Only the recovery phrase, which
   * nobody keeps, opens them.
   */
  PersonaCreated: fact(
    { id: z.string(), name: z.string(), birthday: z.string(), idleTimeout: z.int(), recipient: z.string() },
    { ...self, outside: 'come', wish: 'stay' },
  ),
  /**
   * It was brought back from a diary that was made at `made` (epoch milliseconds) and went to `upTo`: its
   * organs stand behind this, whoever it had before. `recipient`: whom its diaries are sealed for from now
   * on. `over`: how far the journal went in whose place this one was put, if there was one.
   */
  PersonaRestored: fact(
    { made: z.int(), upTo: Seq, over: Seq.optional(), recipient: z.string() },
    {
      ...{ ...declared, outside: 'come', changes: ['keys', 'channels'], wish: 'stay', older: [unchanged] },
      state: ['self', 'life', 'talk', 'skills', 'days', 'deliveries'],
    },
  ),
  /**
   * The first fact of its own of one that shares the past of another up to `at`, where the chain hash is
   * `hash`: from here on it is `id`. Nothing of who it was before that is a promise to somebody goes with it:
   * no channels, no organs but those behind this, no turn or night to be finished, nothing to be answered or
   * sent.
   */
  PersonaForked: fact(
    {
      ...{ id: z.string(), from: z.string(), at: Seq, hash: Sha256 },
      ...{ name: z.string(), recipient: z.string() },
    },
    {
      ...{ ...self, outside: 'come', changes: ['keys', 'channels'], wish: 'stay' },
      state: ['self', 'life', 'talk', 'days', 'deliveries'],
    },
  ),
  /** `purge`: its diaries go with it; else the last one stays for a while. */
  PersonaDeleted: fact(
    { purge: z.boolean() },
    {
      ...self,
      outside: 'gone',
      changes: ['channels'],
      wish: 'rest',
      older: [(older) => ({ ...older, purge: false })],
    },
  ),
  Renamed: fact({ name: z.string() }, { ...self, outside: ['name'], wish: 'stay' }),
  IdleTimeoutSet: fact({ seconds: z.int() }, { ...self, outside: ['seconds'], wish: 'stay' }),
  OrganReplaced: fact(
    { slot: Slot, organ: Organ },
    {
      ...{ ...declared, state: ['self', 'life', 'talk'], outside: ['slot', 'organ'] },
      ...{ changes: ['keys'], wish: 'pick up' },
    },
  ),
  OrganRemoved: fact(
    { slot: Slot },
    { ...declared, state: ['self', 'life'], outside: ['slot'], changes: ['keys'], wish: 'pick up' },
  ),
  // Set, not Changed: asking an active persona to be active again restarts its agent, so the ask is a fact.
  StatusSet: fact(
    { status: Status, reason: z.string().nullable() },
    {
      ...{ ...declared, background: true, outside: ['status', 'reason'] },
      wish: ({ status }) => (status === 'active' ? 'run anew' : 'rest'),
    },
  ),
  /** A new recovery phrase: whom its diaries are sealed for from now on. */
  PhraseChanged: fact({ recipient: z.string() }, { ...self, background: true, outside: [], wish: 'none' }),
  /** Its person has shown to have the words that open its diaries from now on; never a word of them. */
  PhraseConfirmed: fact({}, { ...self, background: true, outside: [], wish: 'none' }),

  /**
   * The words of facts are gone for good, by its person's wish: where each stands, and the SHA-256 of what is
   * left of it. `withdrawn`: nothing is left of what waited in a channel up to there.
   */
  FactsErased: fact(
    {
      facts: z.array(z.strictObject({ seq: Seq, left: Sha256 })).readonly(),
      withdrawn: z.array(z.strictObject({ channel: Channel, upTo: Seq })).readonly(),
    },
    { ...self, state: ['talk'], outside: [], wish: 'stay' },
  ),
  /** Stands where a fact stood that damage has taken: positions are never given away again. */
  Lost: fact({}, { ...self, state: [], outside: [], wish: 'none' }),
  /**
   * The journal was damaged, and goes on with what of it verified. `first` is the first of the lost
   * positions; null when only its end was in doubt.
   */
  Salvaged: fact(
    { kept: z.int(), lost: z.int(), first: Seq.nullable() },
    { ...self, state: ['talk'], outside: [], wish: 'stay' },
  ),
}

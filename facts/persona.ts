/** Facts about a persona's identity, and about repairs of its journal. */

import * as z from 'zod'
import { keepPayload } from '../journal/log/vocabulary.ts'
import { fact } from './fact.ts'
import {
  Channel,
  Country,
  LoreEntry,
  Organ,
  PortraitSource,
  Seq,
  Sha256,
  Slot,
  Status,
  StoredMedia,
} from './fact-values.ts'

const self = {
  index: null,
  search: null,
  state: ['self'],
  background: false,
  missed: true,
  changes: [],
  blank: null,
} as const
/** Every migration writes these facts again. */
const declaration = { ...self, missed: false } as const

export const personaFacts = {
  /**
   * The persona was created. `recipient`: the age X25519 recipient that its diaries are encrypted to. Only
   * the recovery phrase, which the daemon does not store, decrypts them.
   */
  PersonaCreated: fact(
    { id: z.string(), name: z.string(), birthday: z.string(), idleTimeout: z.int(), recipient: z.string() },
    { ...self, outside: 'come', links: { id: null }, leads: true, wish: 'stay' },
  ),
  /**
   * The persona was restored from a diary that was made at `made` (epoch ms) and ended at `upTo`. Its organs
   * follow this fact, whichever it had before. `recipient`: the new recipient of its diaries. `over`: the
   * last position of the journal that this one replaced, if there was one.
   */
  PersonaRestored: fact(
    { made: z.int(), upTo: Seq, over: Seq.optional(), recipient: z.string() },
    {
      ...declaration,
      outside: 'come',
      changes: ['keys', 'channels'],
      // `over` is a position in another journal.
      links: { upTo: null, over: null },
      leads: true,
      wish: 'stay',
      older: [keepPayload],
      state: ['self', 'life', 'talk', 'skills', 'days', 'deliveries', 'web', 'responses', 'mail'],
    },
  ),
  /**
   * First own fact of a fork. It shares the past of persona `from` up to `at`, whose chain hash is `hash`,
   * and its id is `id` from here on. A fork inherits no obligations: no channels, no organs except those that
   * follow, no unfinished turn or night, no pending answers or deliveries.
   */
  PersonaForked: fact(
    {
      id: z.string(),
      from: z.string(),
      at: Seq,
      hash: Sha256,
      name: z.string(),
      recipient: z.string(),
    },
    {
      ...self,
      outside: 'come',
      changes: ['keys', 'channels'],
      links: { at: null, id: null },
      leads: true,
      wish: 'stay',
      state: ['self', 'life', 'talk', 'days', 'deliveries', 'web', 'initiative', 'responses', 'mail'],
    },
  ),
  /**
   * The user deleted the persona. `purge`: the diaries are deleted too. Otherwise the last one is kept for
   * some time.
   */
  PersonaDeleted: fact(
    { purge: z.boolean() },
    {
      ...self,
      outside: 'gone',
      changes: ['channels'],
      wish: 'rest',
      older: [(payload) => ({ ...payload, purge: false })],
    },
  ),
  /** The user gave the persona another name. */
  Renamed: fact({ name: z.string() }, { ...self, outside: ['name'], wish: 'stay' }),
  /**
   * Who the persona is and how it speaks; an empty text for none. `card`: name of the character card that it
   * comes from, or null if the user wrote or chose it.
   */
  CharacterSet: fact(
    { text: z.string(), lore: z.array(LoreEntry).readonly(), card: z.string().nullable() },
    {
      ...self,
      state: ['self', 'knowledge'],
      outside: [],
      wish: 'stay',
      blank: { text: '', lore: [], card: null },
    },
  ),
  /** The user marked a message of the persona as typical: it becomes an example line of its character. */
  LineMarked: fact(
    { message: Seq },
    { ...self, outside: ['message'], links: { message: { to: 'about' } }, wish: 'stay' },
  ),
  /** The message is no example line any more. */
  LineUnmarked: fact(
    { message: Seq },
    { ...self, outside: ['message'], links: { message: { to: 'about' } }, wish: 'stay' },
  ),
  /** The picture of the persona. The page shows it, prompts do not. `media` is null only after an erasure. */
  PortraitChosen: fact(
    { media: StoredMedia.nullable(), source: PortraitSource },
    { ...self, outside: ['source'], wish: 'stay', blank: { media: null } },
  ),
  /** The persona has no picture any more. */
  PortraitRemoved: fact({}, { ...self, outside: [], wish: 'stay' }),
  /** The user set the idle timeout. `seconds`: time without messages after which the persona may rest. */
  IdleTimeoutSet: fact({ seconds: z.int() }, { ...self, outside: ['seconds'], wish: 'stay' }),
  /**
   * The user chose which help is named in danger. `country`: the country whose help a user in danger gets;
   * null follows the time zone. `help`: false if an adult switched the help off.
   */
  CareSet: fact(
    { country: Country.nullable(), help: z.boolean() },
    { ...self, outside: ['country', 'help'], wish: 'stay' },
  ),
  /** The user chose the model of an organ. */
  OrganReplaced: fact(
    { slot: Slot, organ: Organ },
    {
      ...declaration,
      state: ['self', 'life', 'talk'],
      outside: ['slot', 'organ'],
      links: { slot: { thing: 'organ', as: 'first' } },
      changes: ['keys'],
      wish: 'pick up',
      older: [keepPayload],
    },
  ),
  /** The user removed the model of an organ. */
  OrganRemoved: fact(
    { slot: Slot },
    {
      ...declaration,
      state: ['self', 'life'],
      outside: ['slot'],
      links: { slot: { thing: 'organ', as: 'next' } },
      changes: ['keys'],
      wish: 'pick up',
    },
  ),
  // Named Set, not Changed: activating an active persona restarts its agent, so the request itself is a fact.
  /** The user or the daemon set the state of the persona. */
  StatusSet: fact(
    { status: Status, reason: z.string().nullable() },
    {
      ...declaration,
      background: true,
      outside: ['status', 'reason'],
      wish: ({ status }) => (status === 'active' ? 'run anew' : 'rest'),
    },
  ),
  /** The recovery phrase changed. `recipient`: the new recipient of its diaries. */
  PhraseChanged: fact({ recipient: z.string() }, { ...self, background: true, outside: [], wish: 'none' }),
  /** The user has proven to know the current recovery phrase. The phrase itself is never stored. */
  PhraseConfirmed: fact({}, { ...self, background: true, outside: [], wish: 'none' }),

  /**
   * The user had the text of facts erased permanently. `left` is the SHA-256 of the remaining fact.
   * `withdrawn`: messages of a channel up to `upTo` no longer wait for an answer.
   */
  FactsErased: fact(
    {
      facts: z.array(z.strictObject({ seq: Seq, left: Sha256 })).readonly(),
      withdrawn: z.array(z.strictObject({ channel: Channel, upTo: Seq })).readonly(),
    },
    {
      ...self,
      state: ['self', 'talk'],
      outside: [],
      links: { facts: { to: 'about' }, withdrawn: null },
      older: [keepPayload],
      wish: 'stay',
    },
  ),
  /** Placeholder for a fact that was lost to damage: positions are never reused. */
  Lost: fact({}, { ...self, state: [], outside: [], wish: 'none' }),
  /**
   * The journal was damaged and continues with the facts that could be verified. `first` is the first lost
   * position; null if only the end was in doubt.
   */
  Salvaged: fact(
    { kept: z.int(), lost: z.int(), first: Seq.nullable() },
    { ...self, state: ['talk'], outside: [], links: { first: { to: 'about' } }, wish: 'stay' },
  ),
}

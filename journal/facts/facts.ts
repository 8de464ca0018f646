/** The vocabulary of facts: one schema per fact, and nothing else may stand in a journal. */
import * as z from 'zod'
import { slotNames } from './organ-table.ts'

/** Position in a persona's journal: dense, from 1. */
export type Seq = number
const Seq = z.int().min(1)

export type PersonaId = string

export const Status = z.enum(['active', 'hibernate', 'sick'])
export type Status = z.infer<typeof Status>

export const Slot = z.enum(slotNames)
export type Slot = z.infer<typeof Slot>

export const Provider = z.enum(['anthropic', 'openai', 'xai', 'gemini'])
export type Provider = z.infer<typeof Provider>

/** `provider` null is a local model; `url` null means the configured one; `key` names an entry of the secrets file. */
export const Organ = z.strictObject({
  model: z.string(),
  provider: Provider.nullable(),
  url: z.string().nullable(),
  key: z.string().nullable(),
})
export type Organ = z.infer<typeof Organ>

export const Channel = z.strictObject({ type: z.enum(['web', 'telegram', 'discord']), name: z.string() })
export type Channel = z.infer<typeof Channel>

/** A platform where she is spoken to through a bot. */
export const ChannelKind = z.enum(['telegram', 'discord'])
export type ChannelKind = z.infer<typeof ChannelKind>

/** SHA-256 as lower-case hex. */
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
export type Sha256 = z.infer<typeof Sha256>

/** A file of hers: `filename` is ours, `name` what it was called where it came from, `mime` by its bytes. `voice`: a recording of somebody who speaks. `bytes` and `sha256` say whether it is still what it was. */
const Media = z.strictObject({
  filename: z.string(),
  name: z.string(),
  mime: z.string(),
  caption: z.string(),
  voice: z.boolean(),
  bytes: z.int().nullable(),
  sha256: Sha256.nullable(),
})
export type Media = z.infer<typeof Media>

// --- self

const PersonaCreated = z.strictObject({
  type: z.literal('PersonaCreated'),
  id: z.string(),
  name: z.string(),
  birthday: z.string(),
  idleTimeout: z.int(),
  /** Whom her diaries are sealed for: an age X25519 recipient. Only the recovery phrase, which nobody keeps, opens them. */
  recipient: z.string(),
})
/**
 * She was brought back from a diary that was made at `made` (epoch milliseconds) and went to `upTo`: her organs stand behind this, whoever she had before.
 * `recipient`: whom her diaries are sealed for from now on. `over`: how far the journal went in whose place this one was put, if there was one.
 */
const PersonaRestored = z.strictObject({
  type: z.literal('PersonaRestored'),
  made: z.int(),
  upTo: Seq,
  over: Seq.optional(),
  recipient: z.string(),
})
/** `purge`: her diaries go with her; else the last one stays for a while. */
const PersonaDeleted = z.strictObject({ type: z.literal('PersonaDeleted'), purge: z.boolean() })
const Renamed = z.strictObject({ type: z.literal('Renamed'), name: z.string() })
const IdleTimeoutSet = z.strictObject({ type: z.literal('IdleTimeoutSet'), seconds: z.int() })
const OrganReplaced = z.strictObject({ type: z.literal('OrganReplaced'), slot: Slot, organ: Organ })
const OrganRemoved = z.strictObject({ type: z.literal('OrganRemoved'), slot: Slot })
// Set, not Changed: asking an active persona to be active again restarts its agent, so the ask is a fact.
const StatusSet = z.strictObject({ type: z.literal('StatusSet'), status: Status, reason: z.string().nullable() })
/** A new recovery phrase: whom her diaries are sealed for from now on. */
const PhraseChanged = z.strictObject({ type: z.literal('PhraseChanged'), recipient: z.string() })
/** A diary stands with the others, and tells what was written up to `upTo`. */
const DiaryWritten = z.strictObject({ type: z.literal('DiaryWritten'), upTo: Seq, bytes: z.int() })

// --- body

const StartAsked = z.strictObject({ type: z.literal('StartAsked') })
const StopAsked = z.strictObject({ type: z.literal('StopAsked') })
const RestartAsked = z.strictObject({ type: z.literal('RestartAsked') })
const Woke = z.strictObject({ type: z.literal('Woke'), life: z.int() })
const Stopped = z.strictObject({ type: z.literal('Stopped'), life: z.int() })
const WakingFailed = z.strictObject({ type: z.literal('WakingFailed'), reason: z.string() })
const OrganFailed = z.strictObject({ type: z.literal('OrganFailed'), slot: Slot, reason: z.string() })
const OrganRecovered = z.strictObject({ type: z.literal('OrganRecovered'), slot: Slot })

// --- damage

/** Stands where a fact stood that damage has taken: positions are never given away again. */
const Lost = z.strictObject({ type: z.literal('Lost') })
/** Her journal was damaged, and goes on with what of it verified. `first` is the first of the lost positions; null when only its end was in doubt. */
const Salvaged = z.strictObject({ type: z.literal('Salvaged'), kept: z.int(), lost: z.int(), first: Seq.nullable() })

// --- channels

/**
 * `name` is the user name of the bot, `bot` the platform's own id of it; `token` names an entry of the secrets file. With the `id` of a channel that is there,
 * its bot was added again: it has this token from now on, and keeps its place and its pairing.
 */
const ChannelAdded = z.strictObject({
  type: z.literal('ChannelAdded'),
  id: z.string(),
  kind: ChannelKind,
  name: z.string(),
  bot: z.string(),
  token: z.string(),
})
const ChannelRemoved = z.strictObject({ type: z.literal('ChannelRemoved'), id: z.string() })
/** Bound to the chat `target`, which is its name from now on; `at` is ISO 8601 with the offset of then. */
const ChannelPaired = z.strictObject({ type: z.literal('ChannelPaired'), id: z.string(), target: z.string(), at: z.string() })
const ChannelTroubled = z.strictObject({ type: z.literal('ChannelTroubled'), id: z.string(), reason: z.string() })
const ChannelRecovered = z.strictObject({ type: z.literal('ChannelRecovered'), id: z.string() })
/** What she said at `message` has reached its platform, or never will. */
const Delivered = z.strictObject({ type: z.literal('Delivered'), message: Seq })
/** Of the parts that what was said at `message` is split into for its platform, so many have arrived: they are not sent again. */
const PartsDelivered = z.strictObject({ type: z.literal('PartsDelivered'), message: Seq, parts: z.int() })
const DeliveryFailed = z.strictObject({ type: z.literal('DeliveryFailed'), message: Seq, reason: z.string() })

// --- talk

/**
 * Whose words stand in a message. `person`: said by the person themselves, here and now. `persona`: its own earlier words, which the person answers.
 * `daemon`: a remark of the daemon's. All others are words of others that came with the message: `program`: passed on by a program; `forwarded`;
 * `quoted`: lines marked as a quotation; `replied`: what is answered; `embedded`: a link preview, or what a bot put in; `shared`: a contact, a place, a
 * poll; `pasted`: what stands in a code fence.
 */
export const WordsFrom = z.enum([
  ...(['person', 'persona', 'daemon', 'program'] as const),
  ...(['forwarded', 'quoted', 'replied', 'embedded', 'shared', 'pasted'] as const),
])
export type WordsFrom = z.infer<typeof WordsFrom>

/** `by`: what whoever said it is called, where that is known. */
const whose = { from: WordsFrom, by: z.string().nullable() }
export const MessagePart = z.strictObject({ ...whose, text: z.string() })
export type MessagePart = z.infer<typeof MessagePart>

/** A file that came with a message, and whose it is: a voice message that was forwarded is not the person speaking. */
const HeardMedia = Media.extend(whose)
export type HeardMedia = z.infer<typeof HeardMedia>

/** `parts`: all that was written, in its order. `key` is the dedupe key: a second message with it is the same message. */
const MessageHeard = z.strictObject({
  type: z.literal('MessageHeard'),
  channel: Channel.nullable(),
  parts: z.array(MessagePart).readonly(),
  media: HeardMedia.nullable(),
  key: z.string().nullable(),
})

/** What a turn took: the messages of its channel with `after < seq <= upTo`, and the plans that fell due. */
const Stimuli = z.strictObject({ after: z.int().min(0), upTo: z.int().min(0), due: z.array(z.string()) })
export type Stimuli = z.infer<typeof Stimuli>

/** A turn's id is the position of its TurnBegan. */
const TurnBegan = z.strictObject({
  type: z.literal('TurnBegan'),
  life: z.int(),
  channel: Channel.nullable(),
  stimuli: Stimuli,
})

const Call = z.strictObject({ id: z.string(), name: z.string(), input: z.unknown() })
export type Call = z.infer<typeof Call>

export const Answer = z.strictObject({ text: z.string(), calls: z.array(Call) })
export type Answer = z.infer<typeof Answer>

/** A model call as it was sent: each part a fact's position (its words) or the hash of bytes kept beside; `sent` hashes the whole. */
const Recipe = z.strictObject({ parts: z.array(z.union([Seq, Sha256])), sent: Sha256 })
export type Recipe = z.infer<typeof Recipe>

/** Tokens, null where the provider does not tell; `cached` of the input ones were read from its cache. `made` counts what is not charged by tokens. */
const Usage = z.strictObject({
  input: z.int().nullable(),
  output: z.int().nullable(),
  cached: z.int().nullable(),
  made: z.strictObject({ unit: z.enum(['image', 'character', 'second']), count: z.number() }).nullable(),
})
export type Usage = z.infer<typeof Usage>

/** US dollars by the price list of a date, at the time of the call. */
const Price = z.strictObject({ usd: z.number(), dated: z.string() })
export type Price = z.infer<typeof Price>

/** What a model was asked for: a step of a turn, to perceive a file, by a tool, by a client of the OpenAI-shaped door, to go over what was said, or over talk with others. */
const CallCause = z.enum(['turn', 'perception', 'tool', 'api', 'consolidation', 'history'])
export type CallCause = z.infer<typeof CallCause>

/** `calls`: how often it was called until it answered; `ms` of the call that did. The ledger is made of these. */
const Used = z.strictObject({
  organ: Slot,
  provider: Provider.nullable(),
  model: z.string(),
  usage: Usage,
  ms: z.int(),
  calls: z.int(),
  price: Price.nullable(),
  recipe: Recipe.nullable(),
})
export type Used = z.infer<typeof Used>

const ModelAnswered = z.strictObject({
  type: z.literal('ModelAnswered'),
  /** Null outside a turn; `step` for her Mind in one. */
  turn: Seq.nullable(),
  step: z.int().nullable(),
  ...Used.shape,
  /** An answer over 256 KiB lies beside the journal, under the hash of its JSON. Null where another fact holds it, or nobody shall keep it. */
  answer: z.union([Answer, z.strictObject({ part: Sha256 })]).nullable(),
  cause: CallCause,
})

/** A model did not answer, after so many calls: what they cost is not known. */
const Failed = z.strictObject({
  organ: Slot,
  provider: Provider.nullable(),
  model: z.string(),
  ms: z.int(),
  calls: z.int(),
  kind: z.enum(['unreachable', 'barred', 'refused']),
  reason: z.string(),
})
export type Failed = z.infer<typeof Failed>

const ModelFailed = z.strictObject({
  type: z.literal('ModelFailed'),
  turn: Seq.nullable(),
  step: z.int().nullable(),
  ...Failed.shape,
  cause: CallCause,
})

/**
 * A file that came with a message, perceived. `organ`: whoever perceived it, `thinking` where her Mind was shown the file itself, null where none could.
 * `text` is what was seen, heard or read, or why it was not, in her words.
 */
const MediaDescribed = z.strictObject({
  type: z.literal('MediaDescribed'),
  turn: Seq,
  message: Seq,
  filename: z.string(),
  organ: Slot.nullable(),
  outcome: z.enum(['perceived', 'shown', 'refused']),
  text: z.string(),
})
const ToolCalled = z.strictObject({
  type: z.literal('ToolCalled'),
  turn: Seq,
  step: z.int(),
  call: z.string(),
  name: z.string(),
  input: z.unknown(),
})
const ToolAnswered = z.strictObject({
  type: z.literal('ToolAnswered'),
  turn: Seq,
  step: z.int(),
  call: z.string(),
  name: z.string(),
  ok: z.boolean(),
  output: z.unknown(),
})
const MessageSpoken = z.strictObject({
  type: z.literal('MessageSpoken'),
  turn: Seq.nullable(),
  step: z.int().nullable(),
  channel: Channel.nullable(),
  content: z.string(),
  media: Media.nullable(),
})

/** `answered`, `refused` and `hushed` consume what the turn took; `unreachable` puts it back. */
export const Outcome = z.enum(['answered', 'refused', 'hushed', 'unreachable'])
export type Outcome = z.infer<typeof Outcome>
const TurnEnded = z.strictObject({
  type: z.literal('TurnEnded'),
  turn: Seq,
  outcome: Outcome,
  reason: z.string().nullable(),
})

// --- memory

export const Document = z.enum(['person', 'traits', 'persona-trait', 'wishes', 'struggles', 'permissions'])
export type Document = z.infer<typeof Document>

/**
 * Who made a statement: she herself in a turn, the person by hand, or she when she went over what was said, or over what the person had talked about with
 * others: that one comes from the `HistoryFed` before it.
 */
export const Origin = z.enum(['persona', 'person', 'consolidation', 'history'])
export type Origin = z.infer<typeof Origin>

const MemoryKept = z.strictObject({
  type: z.literal('MemoryKept'),
  id: z.string(),
  document: Document,
  text: z.string(),
  sources: z.array(Seq),
  origin: Origin,
})
const MemoryRevised = z.strictObject({
  type: z.literal('MemoryRevised'),
  id: z.string(),
  text: z.string(),
  sources: z.array(Seq),
  origin: Origin,
})
const MemoryForgotten = z.strictObject({ type: z.literal('MemoryForgotten'), id: z.string(), why: z.string().nullable() })
/** Forgotten, and brought back as it was. */
const MemoryRestored = z.strictObject({ ...MemoryKept.shape, type: z.literal('MemoryRestored') })
/**
 * What was said with `after < seq <= upTo` has been gone over: what it taught stands beside this, in the same commit. `carry` is what she holds in mind
 * of it, `summary` what has happened on the day so far; both in her words, empty where she gave none.
 */
const ContextCarried = z.strictObject({
  type: z.literal('ContextCarried'),
  after: z.int().min(0),
  upTo: Seq,
  carry: z.string(),
  summary: z.string(),
  /** Whether more than the person's own words went into them: files, tools, programs. */
  foreign: z.boolean(),
})

/**
 * She has gone over a conversation of the person with another AI: what it taught her follows in the same commit. `source` says which, `conversation` and
 * `updated` (ISO 8601) are that other's own, null where it gave none; `hash` is of all words. `summary` tells what it was about, in her words.
 */
const HistoryFed = z.strictObject({
  type: z.literal('HistoryFed'),
  source: z.string(),
  conversation: z.string().nullable(),
  title: z.string(),
  updated: z.string().nullable(),
  hash: Sha256,
  messages: z.int(),
  summary: z.string(),
})

/** How she handles a kind of moment: a lesson in her own words, found by its intention. */
const InstructionLearned = z.strictObject({
  type: z.literal('InstructionLearned'),
  id: z.string(),
  intention: z.string(),
  body: z.string(),
})
const InstructionRevised = z.strictObject({ type: z.literal('InstructionRevised'), id: z.string(), body: z.string() })
const InstructionRemoved = z.strictObject({ type: z.literal('InstructionRemoved'), id: z.string() })

// --- time

export const Recurrence = z.enum(['hourly', 'daily', 'weekly', 'monthly', 'yearly'])
export type Recurrence = z.infer<typeof Recurrence>

/** `wall` is local time without offset (`2026-11-23T09:00:00`) in `zone` (IANA); `anchor` is the wall time that was asked for: every occurrence is counted from it. */
const EntryPlanned = z.strictObject({
  type: z.literal('EntryPlanned'),
  id: z.string(),
  kind: z.enum(['reminder', 'schedule']),
  wall: z.string(),
  zone: z.string(),
  content: z.string(),
  recurrence: Recurrence.nullable(),
  anchor: z.string(),
})
/** The same entry, as it is from now on. */
const EntryMoved = z.strictObject({ ...EntryPlanned.shape, type: z.literal('EntryMoved') })
const EntryCancelled = z.strictObject({ type: z.literal('EntryCancelled'), id: z.string() })
const EntryDue = z.strictObject({ type: z.literal('EntryDue'), id: z.string() })
const EntryDone = z.strictObject({ type: z.literal('EntryDone'), id: z.string() })

/** She sleeps: by her person's wish, or because a day is over. Without an end it is run again when she wakes. */
const SleepBegan = z.strictObject({ type: z.literal('SleepBegan'), life: z.int(), by: z.enum(['person', 'clock']) })
/** What was said with `after < seq <= upTo`, between `began` and `ended` (epoch milliseconds), is a day that is over. `by`: her Mind's words, or an excerpt where it gave none. */
const DayClosed = z.strictObject({
  type: z.literal('DayClosed'),
  after: z.int().min(0),
  upTo: Seq,
  began: z.int(),
  ended: z.int(),
  summary: z.string(),
  by: z.enum(['mind', 'excerpt']),
})
const SleepEnded = z.strictObject({
  type: z.literal('SleepEnded'),
  life: z.int(),
  outcome: z.enum(['slept', 'failed']),
  reason: z.string().nullable(),
})

export const PersonaEvent = z.discriminatedUnion('type', [
  PersonaCreated,
  PersonaRestored,
  PersonaDeleted,
  Renamed,
  IdleTimeoutSet,
  OrganReplaced,
  OrganRemoved,
  StatusSet,
  PhraseChanged,
  DiaryWritten,
  StartAsked,
  StopAsked,
  RestartAsked,
  Woke,
  Stopped,
  WakingFailed,
  OrganFailed,
  OrganRecovered,
  ChannelAdded,
  ChannelRemoved,
  ChannelPaired,
  ChannelTroubled,
  ChannelRecovered,
  Delivered,
  PartsDelivered,
  DeliveryFailed,
  Lost,
  Salvaged,
  MessageHeard,
  TurnBegan,
  ModelAnswered,
  ModelFailed,
  MediaDescribed,
  ToolCalled,
  ToolAnswered,
  MessageSpoken,
  TurnEnded,
  MemoryKept,
  MemoryRevised,
  MemoryForgotten,
  MemoryRestored,
  ContextCarried,
  HistoryFed,
  InstructionLearned,
  InstructionRevised,
  InstructionRemoved,
  EntryPlanned,
  EntryMoved,
  EntryCancelled,
  EntryDue,
  EntryDone,
  SleepBegan,
  DayClosed,
  SleepEnded,
])
export type PersonaEvent = z.infer<typeof PersonaEvent>
export type EventType = PersonaEvent['type']
export type EventOf<T extends EventType> = Extract<PersonaEvent, { type: T }>

/** Who made a commit, and for an agent's the life and turn it was made in. */
export const Cause = z.strictObject({
  by: z.enum(['person', 'agent', 'host', 'clock']),
  life: z.int().optional(),
  turn: Seq.optional(),
})
export type Cause = z.infer<typeof Cause>

/** The indexes over a journal; each fact is in at most one. */
export type Kind = 'talk' | 'plans' | 'calls' | 'media' | 'days' | 'histories' | 'deliveries'
const kinds: Partial<Record<EventType, Kind>> = {
  MessageHeard: 'talk',
  MessageSpoken: 'talk',
  EntryPlanned: 'plans',
  EntryMoved: 'plans',
  EntryCancelled: 'plans',
  EntryDue: 'plans',
  EntryDone: 'plans',
  ModelAnswered: 'calls',
  ModelFailed: 'calls',
  MediaDescribed: 'media',
  ContextCarried: 'days',
  SleepBegan: 'days',
  DayClosed: 'days',
  SleepEnded: 'days',
  HistoryFed: 'histories',
  Delivered: 'deliveries',
  DeliveryFailed: 'deliveries',
}
export const kindOf = (type: string): Kind | undefined => kinds[type as EventType]

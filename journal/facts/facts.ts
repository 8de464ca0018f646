/** The vocabulary of facts: one schema per fact, and nothing else may stand in a journal. */
import * as z from 'zod'
import {
  Answer,
  CallCause,
  Channel,
  ChannelKind,
  Document,
  Failed,
  HeardMedia,
  Media,
  MessagePart,
  Organ,
  Origin,
  Outcome,
  Recurrence,
  Seq,
  Sha256,
  Slot,
  Status,
  Stimuli,
  Used,
} from './fact-values.ts'

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

/** `parts`: all that was written, in its order. `key` is the dedupe key: a second message with it is the same message. */
const MessageHeard = z.strictObject({
  type: z.literal('MessageHeard'),
  channel: Channel.nullable(),
  parts: z.array(MessagePart).readonly(),
  media: HeardMedia.nullable(),
  key: z.string().nullable(),
})

/** A turn's id is the position of its TurnBegan. */
const TurnBegan = z.strictObject({
  type: z.literal('TurnBegan'),
  life: z.int(),
  channel: Channel.nullable(),
  stimuli: Stimuli,
})

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

const TurnEnded = z.strictObject({
  type: z.literal('TurnEnded'),
  turn: Seq,
  outcome: Outcome,
  reason: z.string().nullable(),
})

// --- memory

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

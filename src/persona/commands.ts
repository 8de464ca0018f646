/** What can be asked of a persona. Commands are plain data; `decide` answers them with facts or a refusal. */

import type {
  Answer,
  Call,
  Channel,
  ChannelKind,
  Document,
  Failed,
  HeardMedia,
  Media,
  MessagePart,
  Organ,
  Outcome,
  Recurrence,
  Seq,
  Slot,
  Used,
} from '../../journal/facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../journal/facts/facts.ts'
import type { Refusal } from './refusals.ts'

export interface CreatePersona {
  readonly type: 'CreatePersona'
  readonly id: string
  readonly name: string
  /** Local date, YYYY-MM-DD. */
  readonly birthday: string
  /** Made from her recovery phrase. */
  readonly recipient: string
  readonly organs: Readonly<Partial<Record<Slot, Organ>>>
  /** None where it is not said. */
  readonly channels?: readonly NewChannel[]
}

/** A bot that its platform knows; `token` names an entry of the secrets file. */
export interface NewChannel {
  readonly id: string
  readonly kind: ChannelKind
  readonly bot: { readonly id: string; readonly name: string }
  readonly token: string
}

/** `at` is ISO 8601 with the offset of then. */
export interface PairChannel {
  readonly type: 'PairChannel'
  readonly id: string
  readonly target: string
  readonly at: string
}

/** Of what she said to a platform: it has arrived, or `reason` is why it never will. */
export interface SettleDelivery {
  readonly type: 'SettleDelivery'
  readonly message: Seq
  readonly reason: string | null
}

/** A statement written by hand. */
export interface WriteMemory {
  readonly type: 'WriteMemory'
  readonly id: string
  readonly document: Document
  readonly text: string
}

/** A statement put right by hand, forgotten, or brought back; null leaves it as it is. */
export interface AmendMemory {
  readonly type: 'AmendMemory'
  readonly id: string
  readonly text: string | null
  readonly forgotten: boolean | null
}

/** An entry of her calendar made or changed by hand: as it is from now on. */
export interface WriteEntry {
  readonly type: 'WriteEntry' | 'MoveEntry'
  readonly entry: Omit<EventOf<'EntryPlanned'>, 'type'>
}

/** `status` as it was sent, of whatever type: the rule speaks of it. A clear flag wins over an organ for the same slot. */
export interface UpdatePersona {
  readonly type: 'UpdatePersona'
  readonly status?: unknown
  readonly name?: unknown
  readonly idleTimeout?: unknown
  readonly organs: Readonly<Partial<Record<Slot, Organ>>>
  readonly clear: readonly Slot[]
}

/** `content`: as somebody wrote it, quotations among it; `parts`: whose words they are, where the channel tells. */
export type Words = { readonly content: string } | { readonly parts: readonly MessagePart[] }

export type Hear = Words & {
  readonly type: 'Hear'
  readonly channel: Channel | null
  readonly media: HeardMedia | null
  readonly key: string | null
}

/** `said`: what she was saying when she was cut; it stays. */
export interface Hush {
  readonly type: 'Hush'
  readonly said: Saying | null
}

/** The words of a step so far, not yet recorded. */
export interface Saying {
  readonly turn: Seq
  readonly step: number
  readonly text: string
}

/** Of an agent: refused once the life it was made in is over. */
interface OfLife {
  readonly life: number
}
/** Of a turn: refused once the turn has ended too. */
interface OfTurn extends OfLife {
  readonly turn: Seq
}

export interface BeginTurn extends OfLife {
  readonly type: 'BeginTurn'
  readonly channel: Channel | null
  /** The last message it takes: as many as her Mind can be shown. The rest is the next turn. */
  readonly upTo: Seq | 0
}

/** A model's answer, recorded with what it says aloud; without calls it ends the turn as `answered`. */
export interface RecordAnswer extends OfTurn {
  readonly type: 'RecordAnswer'
  readonly step: number
  readonly used: Used
  readonly answer: Answer
  /** Where an answer too long for a fact was kept. */
  readonly part: string | null
}

/** A file that came with a message was perceived, or could not be: `words` are said for it then, in the service's own words. */
export interface RecordPerception extends OfTurn {
  readonly type: 'RecordPerception'
  readonly perceived: Pick<EventOf<'MediaDescribed'>, 'message' | 'filename' | 'organ' | 'outcome' | 'text'>
  readonly words: string | null
  readonly calls: readonly OrganCall[]
}

/** A call of an organ other than the Mind in a turn: it answered, or it failed. */
export type OrganCall = { readonly used: Used } | { readonly failed: Failed }

/** A tool began whose effect is outside the journal. */
export interface RecordCall extends OfTurn {
  readonly type: 'RecordCall'
  readonly step: number
  readonly call: Call
}

/** A tool's answer, with the facts that are its effect: in one commit. */
export interface RecordToolAnswer extends OfTurn {
  readonly type: 'RecordToolAnswer'
  readonly step: number
  readonly call: Call
  readonly began: boolean
  readonly effect: readonly Effect[]
  /** The organs it asked. */
  readonly calls: readonly OrganCall[]
  readonly ok: boolean
  readonly output: unknown
}

/** What a tool may change. */
export type Effect =
  | { readonly type: 'Keep'; readonly id: string; readonly document: Document; readonly text: string; readonly sources: readonly Seq[] }
  | { readonly type: 'Revise'; readonly id: string; readonly text: string; readonly sources: readonly Seq[] }
  | { readonly type: 'Forget'; readonly id: string }
  | {
      readonly type: 'Plan'
      readonly id: string
      readonly kind: 'reminder' | 'schedule'
      readonly wall: string
      /** What its later occurrences are counted from: the wall time it was asked for. */
      readonly anchor: string
      readonly zone: string
      readonly content: string
      readonly recurrence: Recurrence | null
    }
  | { readonly type: 'CancelPlan'; readonly id: string }
  /** Says something on a channel, whichever the turn belongs to. */
  | { readonly type: 'Tell'; readonly channel: Channel; readonly content: string }
  /** Shows the person a file she has made. */
  | { readonly type: 'Show'; readonly content: string; readonly media: Media }
  | { readonly type: 'Learn'; readonly id: string; readonly intention: string; readonly body: string }
  | { readonly type: 'Relearn'; readonly id: string; readonly body: string }
  | { readonly type: 'Unlearn'; readonly id: string }

/** `words` are the service's own, said in her place, when her Mind gave none; `failed` is her Mind's call that ended it. */
export interface EndTurn extends OfTurn {
  readonly type: 'EndTurn'
  readonly outcome: Outcome
  readonly reason: string | null
  readonly words: string | null
  readonly failed: Failed | null
}

/** The Mind failed in the middle of a turn: what was done in it stays done, and it goes on where it stands once the Mind answers. `words` tell the person, unless they know. */
export interface HoldTurn extends OfTurn {
  readonly type: 'HoldTurn'
  readonly words: string | null
  readonly failed: Failed
}

/** An exchange with a client of the OpenAI-shaped door: what it cost, and where it is to be remembered what was said. */
export interface RecordExchange extends OfLife {
  readonly type: 'RecordExchange'
  readonly calls: readonly OrganCall[]
  readonly said: { readonly heard: string; readonly spoken: string } | null
}

/** Brought back from a diary, with organs declared anew: `made` and `upTo` are the diary's. `over`: how far the journal goes that the diary replaces, if it does. */
export interface RestorePersona {
  readonly type: 'RestorePersona'
  readonly made: number
  readonly upTo: Seq
  readonly over?: Seq
  readonly recipient: string
  readonly organs: UpdatePersona['organs']
  /** None where it is not said. */
  readonly channels?: readonly NewChannel[]
}

/** A diary that stands with the others. */
export interface RecordDiary {
  readonly type: 'RecordDiary'
  readonly upTo: Seq
  readonly bytes: number
}

/** Her diaries are sealed for somebody else's phrase from now on; the first of them is written. */
export interface ChangePhrase extends Omit<RecordDiary, 'type'> {
  readonly type: 'ChangePhrase'
  readonly recipient: string
}

/** `purge`: her diaries go with her. */
export interface DeletePersona {
  readonly type: 'DeletePersona'
  readonly purge: boolean
}

/** A conversation with another AI that was gone over, and what it taught. */
export interface FeedHistory extends OfLife {
  readonly type: 'FeedHistory'
  readonly history: Omit<EventOf<'HistoryFed'>, 'type'>
  readonly lessons: readonly Extract<Lesson, { op: 'keep' }>[]
}

/** What going over the talk taught her. Ids that are gone by then are passed over. */
export type Lesson =
  | { readonly op: 'keep'; readonly id: string; readonly document: Document; readonly text: string; readonly sources: readonly Seq[] }
  | { readonly op: 'revise'; readonly id: string; readonly text: string; readonly sources: readonly Seq[] }
  | { readonly op: 'forget'; readonly id: string; readonly why: string }

/** What was said with `after < seq <= upTo` has been gone over. */
export interface Consolidate extends OfLife {
  readonly type: 'Consolidate'
  readonly after: Seq | 0
  readonly upTo: Seq
  readonly lessons: readonly Lesson[]
  /** Null leaves what she carries, and what of the day is told, as it is. */
  readonly carry: string | null
  readonly summary: string | null
  /** More than the person's own words was gone over. */
  readonly foreign: boolean
  readonly calls: readonly OrganCall[]
}

/** Calls cost, whatever came of them. */
export interface RecordCalls extends OfLife {
  readonly type: 'RecordCalls'
  readonly cause: 'consolidation' | 'history'
  readonly calls: readonly OrganCall[]
}

/** What is said to somebody who waits while the Mind is away, or while it is silent in the turn `stalled`. */
export interface TellTrouble extends OfLife {
  readonly type: 'TellTrouble'
  readonly channel: Channel
  readonly words: string
  readonly stalled: Seq | null
}

export interface BeginSleep extends OfLife {
  readonly type: 'BeginSleep'
  readonly by: 'person' | 'clock'
}

export interface CloseDays extends OfLife {
  readonly type: 'CloseDays'
  /** Oldest first, each beginning where the one before it ends. */
  readonly days: readonly Omit<EventOf<'DayClosed'>, 'type' | 'after'>[]
}

export interface EndSleep extends OfLife {
  readonly type: 'EndSleep'
  readonly outcome: EventOf<'SleepEnded'>['outcome']
  readonly reason: string | null
}

/** A plan's time has come; `next` is the wall time of its next occurrence under a new id. `seq`: the fact it stood in, since it may be moved meanwhile. */
export interface FallDue {
  readonly type: 'FallDue'
  readonly id: string
  readonly seq: Seq
  readonly next: { readonly id: string; readonly wall: string } | null
}

/** A recurring plan comes at another of its times: it was planned by a clock that was far ahead. */
export interface PlanAnew {
  readonly type: 'PlanAnew'
  readonly id: string
  readonly seq: Seq
  readonly wall: string
}

/** What fell due, told in its own words without a model. */
export interface TellDue extends OfLife {
  readonly type: 'TellDue'
  readonly channel: Channel
  readonly told: readonly { readonly id: string; readonly words: string }[]
}

export type Command =
  | CreatePersona
  | UpdatePersona
  | RestorePersona
  | ChangePhrase
  | RecordDiary
  | DeletePersona
  | { readonly type: 'AskStart' }
  | { readonly type: 'AskStop' }
  | { readonly type: 'AskRestart' }
  | { readonly type: 'AddChannel'; readonly channel: NewChannel }
  /** Every one of that name. */
  | { readonly type: 'RemoveChannels'; readonly name: string }
  | PairChannel
  /** `reason` null: it works again. */
  | { readonly type: 'TroubleChannel'; readonly id: string; readonly reason: string | null }
  | SettleDelivery
  /** So many parts of it have arrived, and more are to come. */
  | { readonly type: 'NoteParts'; readonly message: Seq; readonly parts: number }
  | Hear
  | Hush
  | { readonly type: 'Wake' }
  | ({ readonly type: 'EndLife' } & OfLife)
  | { readonly type: 'FailWaking'; readonly reason: string }
  | WriteMemory
  | AmendMemory
  | WriteEntry
  | { readonly type: 'CancelEntry'; readonly id: string }
  | { readonly type: 'RecoverOrgan'; readonly slot: Slot }
  /** Her Mind has been away for too long. */
  | { readonly type: 'FallSick'; readonly reason: string }
  | BeginTurn
  | RecordAnswer
  | RecordPerception
  | RecordExchange
  | RecordCall
  | RecordToolAnswer
  | EndTurn
  | HoldTurn
  | FallDue
  | PlanAnew
  | TellDue
  | Consolidate
  | FeedHistory
  | RecordCalls
  | TellTrouble
  | BeginSleep
  | CloseDays
  | EndSleep

export type Decision = { readonly events: readonly PersonaEvent[] } | { readonly refused: Refusal }

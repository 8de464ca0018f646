/** For every kind of fact: the thing that it changes, or the reason why it cannot be undone. */
import type { Seq, Slot } from '../../../facts/fact-values.ts'
import type { EventOf, EventType, PersonaEvent } from '../../../facts/facts.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import type { Refusal } from '../refusals.ts'

type ThingKind =
  | 'name'
  | 'character'
  | 'line'
  | 'portrait'
  | 'idle'
  | 'status'
  | 'organ'
  | 'channel'
  | 'memory'
  | 'pin'
  | 'instruction'
  | 'plan'
  | 'initiative'
  | 'reason'

/** One property of the persona that a fact changes. */
export interface Thing {
  readonly of: ThingKind
  /** Empty if there is only one. */
  readonly id: string
}

/** `never`: why the fact cannot be undone. With `touches`, it also blocks undoing earlier facts. */
type Row<T extends EventType> =
  | { readonly touches: (event: EventOf<T>) => Thing; readonly never?: string }
  | { readonly touches?: undefined; readonly never: string }

const name = { touches: (): Thing => ({ of: 'name', id: '' }) }
const character = { touches: (): Thing => ({ of: 'character', id: '' }) }
const markedLine = {
  touches: ({ message }: { readonly message: Seq }): Thing => ({ of: 'line', id: String(message) }),
}
const portrait = { touches: (): Thing => ({ of: 'portrait', id: '' }) }
const idle = { touches: (): Thing => ({ of: 'idle', id: '' }) }
const status = { touches: (): Thing => ({ of: 'status', id: '' }) }
const organ = { touches: ({ slot }: { readonly slot: Slot }): Thing => ({ of: 'organ', id: slot }) }
const byId = (kind: ThingKind) => ({
  touches: ({ id }: { readonly id: string }): Thing => ({ of: kind, id }),
})
const channel = byId('channel')
const memory = byId('memory')
const pin = byId('pin')
const instruction = byId('instruction')
const plan = byId('plan')
const initiative = { touches: (): Thing => ({ of: 'initiative', id: '' }) }
const reason = byId('reason')

const happenedText = 'It has happened by itself.'
const askedText = 'It has been asked already: start, stop or restart it as it should be.'
const nightReason = 'A night that has passed cannot be taken back.'
const turnText = 'A turn cannot be taken back; memories, lessons and plans from it can.'
const messageText = 'A message that was sent cannot be taken back.'
const responseText = 'It was sent to a program. The program can delete it.'
const dueReason = 'It has fallen due.'

const rows: { readonly [T in EventType]: Row<T> } = {
  PersonaCreated: { never: 'It was created with this.' },
  PersonaRestored: { never: 'It was brought back with this.' },
  PersonaForked: { never: 'It began with this.' },
  PersonaDeleted: { never: 'It is deleted.' },
  Renamed: name,
  CharacterSet: character,
  LineMarked: markedLine,
  LineUnmarked: markedLine,
  PortraitChosen: portrait,
  PortraitRemoved: portrait,
  IdleTimeoutSet: idle,
  CareSet: { never: 'Set it again.' },
  OrganReplaced: organ,
  OrganRemoved: organ,
  StatusSet: status,
  PhraseChanged: { never: 'The recovery phrase before is kept nowhere: ask for a new one.' },
  PhraseConfirmed: { never: 'The words were shown to be known. If they are lost, ask for new ones.' },
  Lost: { never: 'This fact is lost.' },
  FactsErased: { never: 'Erased words are permanently gone.' },
  Salvaged: { never: 'A salvage cannot be taken back: the damaged journal is kept next to the new one.' },

  StartAsked: { never: askedText },
  StopAsked: { never: askedText },
  RestartAsked: { never: askedText },
  Woke: { never: happenedText },
  Stopped: { never: happenedText },
  WakingFailed: { never: happenedText },
  OrganFailed: { never: happenedText },
  OrganRecovered: { never: happenedText },
  MindTested: { never: 'A test cannot be taken back. Test the Mind again.' },
  Hosted: { never: happenedText },

  ChannelAdded: channel,
  ChannelRemoved: { ...channel, never: 'Its token is gone: add the channel again.' },
  ChannelPaired: { ...channel, never: 'The chat knows that it is paired: remove the channel to end that.' },
  ChannelTroubled: { never: happenedText },
  ChannelRecovered: { never: happenedText },
  Delivered: { never: messageText },
  PartsDelivered: { never: messageText },
  DeliveryFailed: { never: happenedText },

  MessageHeard: { never: 'A received message cannot be taken back; memories of it can.' },
  MessagesHidden: { never: 'Show the messages again instead.' },
  MessagesShown: { never: 'Hide the messages again instead.' },
  AnswerAsked: { never: turnText },
  GreetingAsked: { never: messageText },
  TurnBegan: { never: turnText },
  ModelAnswered: { never: turnText },
  ModelFailed: { never: happenedText },
  MediaDescribed: { never: 'The description of a file cannot be taken back; memories of it can.' },
  ToolCalled: { never: turnText },
  ToolAnswered: { never: turnText },
  ToolServerSet: { never: 'Remove the server, or declare it as it should be.' },
  ToolServerRemoved: { never: 'Its secrets are gone: declare the server again.' },
  ToolModeSet: { never: 'Set the permission of the tool again.' },
  CalendarSubscribed: { never: 'Remove the calendar from the subscriptions.' },
  CalendarUnsubscribed: { never: 'Its address is gone: subscribe to the calendar again.' },
  MailboxConnected: { never: 'Disconnect the mailbox.' },
  MailboxDisconnected: { never: 'Its password is gone: connect the mailbox again.' },
  MailRead: { never: happenedText },
  MailsShown: { never: happenedText },
  SearchProvidersSet: { never: 'Keys that it removed are gone: set the search providers again.' },
  WebSearched: { never: happenedText },
  ApprovalAsked: { never: turnText },
  ApprovalSettled: {
    never: 'The decision has taken effect. A tool that is always allowed can be set to ask again.',
  },
  TurnResumed: { never: happenedText },
  SkillAdded: { never: 'Remove the skill, or add it as it should be.' },
  SkillEnabled: { never: 'Disable the skill.' },
  SkillDisabled: { never: 'Enable the skill.' },
  SkillRemoved: { never: 'Its files are gone: add the skill again.' },
  MessageSpoken: { never: messageText },
  TurnEnded: { never: turnText },
  ResponseBegan: { never: responseText },
  ResponseEnded: { never: responseText },

  MemoryKept: memory,
  MemoryRevised: memory,
  MemoryForgotten: memory,
  MemoryRestored: memory,
  MemoryPinned: pin,
  MemoryProposed: { never: 'It is known only once it is accepted: decline it.' },
  ProposalSettled: { never: 'The proposal is settled; the memory kept from it can be taken back.' },
  ContextCarried: { never: 'This cannot be taken back; the memories kept from it can.' },
  InstructionLearned: instruction,
  InstructionRevised: instruction,
  InstructionRemoved: instruction,

  EntryPlanned: plan,
  EntryMoved: plan,
  EntryCancelled: plan,
  EntryDue: { ...plan, never: dueReason },
  EntryDone: { ...plan, never: dueReason },
  InitiativeChosen: initiative,
  InitiativePlanned: reason,
  InitiativeMoved: reason,
  InitiativeRemoved: reason,
  InitiativeDisliked: { never: 'The persona has taken note of it. Plan the message as an entry instead.' },
  InitiativeConsidered: { never: happenedText },
  InitiativeSettled: { ...reason, never: messageText },
  SleepBegan: { never: nightReason },
  DayClosed: { never: 'A day that is closed cannot be taken back.' },
  DiaryWritten: { never: 'A diary that is written cannot be taken back.' },
  SleepEnded: { never: nightReason },

  HistoryFed: { never: 'This cannot be taken back; the memories kept from it can.' },
}

// Each row takes the event of its own type.
const getRow = (event: PersonaEvent) => rows[event.type] as Row<never>

/** Returns the thing that a fact changes, or null. */
export const touchedBy = (event: PersonaEvent): Thing | null =>
  getRow(event).touches?.(event as never) ?? null

/** Whether facts of a type can change a thing. */
export const mayTouch = (type: EventType): boolean => rows[type].touches !== undefined

/** Returns the thing to restore, or why the fact cannot be undone. */
export const undoable = ({
  event,
  cause,
  erased = false,
}: Pick<Entry, 'event' | 'cause' | 'erased'>): Thing | { readonly refused: Refusal } => {
  const { touches, never } = getRow(event)
  if (erased) return { refused: { code: 'undo_refused', reason: 'Its words were erased.' } }
  if (never !== undefined || !touches)
    return { refused: { code: 'undo_refused', reason: never ?? happenedText } }
  // Otherwise the daemon would set it again.
  if (event.type === 'StatusSet' && cause.by !== 'person')
    return {
      refused: { code: 'undo_refused', reason: 'The daemon set it for a reason that it looks after.' },
    }
  return touches(event as never)
}

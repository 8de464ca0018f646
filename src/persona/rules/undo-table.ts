/** Which facts can be taken back, and what each of them changes; of all others, why they cannot. */
import type { Slot } from '../../../journal/facts/fact-values.ts'
import type { EventOf, EventType, PersonaEvent } from '../../../journal/facts/facts.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import type { Refusal } from '../refusals.ts'

type ThingKind = 'name' | 'idle' | 'status' | 'organ' | 'channel' | 'memory' | 'instruction' | 'plan'

/** What a fact changes: one thing of the persona's, which others may change before and after it. */
export interface Thing {
  readonly of: ThingKind
  /** `''` where there is only one. */
  readonly id: string
}

/** `never`: why a fact cannot be taken back, to whoever asks. One that touches a thing ends its undoing. */
type Row<T extends EventType> =
  | { readonly touches: (event: EventOf<T>) => Thing; readonly never?: string }
  | { readonly touches?: undefined; readonly never: string }

const name = { touches: (): Thing => ({ of: 'name', id: '' }) }
const idle = { touches: (): Thing => ({ of: 'idle', id: '' }) }
const status = { touches: (): Thing => ({ of: 'status', id: '' }) }
const organ = { touches: ({ slot }: { readonly slot: Slot }): Thing => ({ of: 'organ', id: slot }) }
const byId = (of: ThingKind) => ({ touches: ({ id }: { readonly id: string }): Thing => ({ of, id }) })
const [channel, memory] = [byId('channel'), byId('memory')]
const [instruction, plan] = [byId('instruction'), byId('plan')]

const happened = 'It has happened by itself.'
const asked = 'It has been asked already: start, stop or restart it as it should be.'
const slept = 'A night that has passed cannot be taken back.'
const thought = 'What was thought and done in a turn cannot be taken back; what was kept of it can.'
const said = 'What was said or sent cannot be taken back.'
const due = 'It has fallen due.'

const rows: { readonly [T in EventType]: Row<T> } = {
  PersonaCreated: { never: 'It was created with this.' },
  PersonaRestored: { never: 'It was brought back with this.' },
  PersonaForked: { never: 'It began with this.' },
  PersonaDeleted: { never: 'It is deleted.' },
  Renamed: name,
  IdleTimeoutSet: idle,
  OrganReplaced: organ,
  OrganRemoved: organ,
  StatusSet: status,
  PhraseChanged: { never: 'The recovery phrase before is kept nowhere: ask for a new one.' },
  PhraseConfirmed: { never: 'The words were shown to be known. Whoever has lost them asks for new ones.' },
  Lost: { never: 'What stood here is lost.' },
  FactsErased: { never: 'Words that were erased are gone for good.' },
  Salvaged: { never: 'A salvage cannot be taken back: the journal as it was lies beside it.' },

  StartAsked: { never: asked },
  StopAsked: { never: asked },
  RestartAsked: { never: asked },
  Woke: { never: happened },
  Stopped: { never: happened },
  WakingFailed: { never: happened },
  OrganFailed: { never: happened },
  OrganRecovered: { never: happened },
  Hosted: { never: happened },

  ChannelAdded: channel,
  ChannelRemoved: { ...channel, never: 'Its token is gone: add the channel again.' },
  ChannelPaired: { ...channel, never: 'The chat knows that it is paired: remove the channel to end that.' },
  ChannelTroubled: { never: happened },
  ChannelRecovered: { never: happened },
  Delivered: { never: said },
  PartsDelivered: { never: said },
  DeliveryFailed: { never: happened },

  MessageHeard: { never: 'What was heard cannot be unheard; what was kept of it can be taken back.' },
  GreetingAsked: { never: said },
  TurnBegan: { never: 'A turn cannot be taken back; what was kept and planned in it can.' },
  ModelAnswered: { never: thought },
  ModelFailed: { never: happened },
  MediaDescribed: { never: 'What was perceived in a file cannot be taken back; what was kept of it can.' },
  ToolCalled: { never: thought },
  ToolAnswered: { never: thought },
  ToolServerSet: { never: 'Remove the server, or declare it as it should be.' },
  ToolServerRemoved: { never: 'Its secrets are gone: declare the server again.' },
  ToolModeSet: { never: 'Decide anew what the tool may be used for.' },
  ApprovalAsked: { never: thought },
  ApprovalSettled: {
    never: 'What was decided has been acted on. A tool that is always allowed can be set to ask again.',
  },
  TurnResumed: { never: happened },
  SkillAdded: { never: 'Remove the skill, or add it as it should be.' },
  SkillEnabled: { never: 'Disable the skill.' },
  SkillDisabled: { never: 'Enable the skill.' },
  SkillRemoved: { never: 'Its files are gone: add the skill again.' },
  MessageSpoken: { never: said },
  TurnEnded: { never: 'A turn cannot be taken back; what was kept and planned in it can.' },

  MemoryKept: memory,
  MemoryRevised: memory,
  MemoryForgotten: memory,
  MemoryRestored: memory,
  MemoryProposed: { never: 'It is known only once it is accepted: decline it.' },
  ProposalSettled: { never: 'What was proposed is settled; what was kept of it can be taken back.' },
  ContextCarried: { never: 'What was gone over cannot be taken back; what was kept of it can.' },
  InstructionLearned: instruction,
  InstructionRevised: instruction,
  InstructionRemoved: instruction,

  EntryPlanned: plan,
  EntryMoved: plan,
  EntryCancelled: plan,
  EntryDue: { ...plan, never: due },
  EntryDone: { ...plan, never: due },
  SleepBegan: { never: slept },
  DayClosed: { never: 'A day that is closed cannot be taken back.' },
  DiaryWritten: { never: 'A diary that is written cannot be taken back.' },
  SleepEnded: { never: slept },

  HistoryFed: { never: 'What was gone over cannot be taken back; what was kept of it can.' },
}

// Each row takes the event of its own type.
const rowOf = (event: PersonaEvent) => rows[event.type] as Row<never>

/** The thing that a fact touches, where it touches one. */
export const touchedBy = (event: PersonaEvent): Thing | null => rowOf(event).touches?.(event as never) ?? null

/** Whether a fact of such a type may touch something, told without its words. */
export const mayTouch = (type: EventType): boolean => rows[type].touches !== undefined

/** What is to be put back where a fact is taken back. */
export const undoable = ({
  event,
  cause,
  erased = false,
}: Pick<Entry, 'event' | 'cause' | 'erased'>): Thing | { readonly refused: Refusal } => {
  const { touches, never } = rowOf(event)
  if (erased) return { refused: { code: 'undo_refused', reason: 'Its words were erased.' } }
  if (never !== undefined || !touches) return { refused: { code: 'undo_refused', reason: never ?? happened } }
  // What set it sets it again.
  if (event.type === 'StatusSet' && cause.by !== 'person')
    return {
      refused: { code: 'undo_refused', reason: 'The daemon set it for a reason that it looks after.' },
    }
  return touches(event as never)
}

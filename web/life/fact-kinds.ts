/** For each fact type: its kind, whether it can be undone, and which fields hold text. */
import type { IconName } from '../shared/icons.ts'

export const kinds = ['talk', 'memory', 'calendar', 'organs', 'channels', 'life', 'workings'] as const
export type FactKind = (typeof kinds)[number]

export const iconsByKind: Readonly<Record<FactKind, IconName>> = {
  talk: 'talk',
  memory: 'memory',
  calendar: 'calendar',
  organs: 'thinking',
  channels: 'globe',
  life: 'life',
  workings: 'settings',
}

interface Row {
  readonly kind: FactKind
  readonly undo?: true
  /** The fields with text, for facts whose text can be shown. */
  readonly words?: readonly string[]
}

const talk = { kind: 'talk' } as const
const memory = { kind: 'memory', undo: true } as const
const plan = { kind: 'calendar', undo: true } as const
const organs = { kind: 'organs' } as const
const channels = { kind: 'channels' } as const
const life = { kind: 'life' } as const
const workings = { kind: 'workings' } as const

export const facts = {
  MessageHeard: { ...talk, words: ['parts', 'media'] },
  MessageSpoken: { ...talk, words: ['content', 'media'] },
  MediaDescribed: { ...talk, words: ['text'] },
  HistoryFed: { kind: 'memory', words: ['title', 'summary'] },
  MemoryKept: { ...memory, words: ['text'] },
  MemoryRevised: { ...memory, words: ['text'] },
  MemoryForgotten: { ...memory, words: ['why'] },
  MemoryRestored: { ...memory, words: ['text'] },
  MemoryPinned: memory,
  MemoryProposed: { kind: 'memory', words: ['text', 'by'] },
  ProposalSettled: { kind: 'memory' },
  InstructionLearned: { ...memory, words: ['intention', 'body'] },
  InstructionRevised: { ...memory, words: ['body'] },
  InstructionRemoved: memory,
  ContextCarried: { kind: 'memory', words: ['carry', 'summary'] },
  EntryPlanned: { ...plan, words: ['content'] },
  EntryMoved: { ...plan, words: ['content'] },
  EntryCancelled: plan,
  InitiativeChosen: { ...life, undo: true },
  InitiativePlanned: { ...plan, words: ['reason'] },
  InitiativeMoved: { ...plan, words: ['reason'] },
  InitiativeRemoved: plan,
  InitiativeDisliked: { kind: 'calendar', words: ['reason'] },
  InitiativeConsidered: workings,
  InitiativeSettled: { kind: 'calendar' },
  EntryDue: { kind: 'calendar' },
  EntryDone: { kind: 'calendar' },
  OrganReplaced: { ...organs, undo: true },
  OrganRemoved: { ...organs, undo: true },
  OrganFailed: organs,
  OrganRecovered: organs,
  MindTested: organs,
  ModelFailed: { ...organs, words: ['reason'] },
  ChannelAdded: { ...channels, undo: true },
  ChannelRemoved: channels,
  ChannelPaired: channels,
  ChannelTroubled: channels,
  ChannelRecovered: channels,
  DeliveryFailed: channels,
  ToolServerSet: { ...organs, words: ['server'] },
  ToolServerRemoved: organs,
  ToolModeSet: organs,
  SearchProvidersSet: organs,
  CalendarSubscribed: { kind: 'calendar' },
  CalendarUnsubscribed: { kind: 'calendar' },
  MailboxConnected: organs,
  MailboxDisconnected: organs,
  MailRead: { ...workings, words: ['from', 'subject', 'summary'] },
  MailsShown: workings,
  ApprovalAsked: { ...talk, words: ['input'] },
  ApprovalSettled: talk,
  SkillAdded: organs,
  SkillEnabled: organs,
  SkillDisabled: organs,
  SkillRemoved: organs,
  PersonaCreated: life,
  PersonaRestored: life,
  PersonaForked: life,
  PersonaDeleted: life,
  Renamed: { ...life, undo: true },
  CharacterSet: { ...life, undo: true, words: ['text'] },
  LineMarked: { ...life, undo: true },
  LineUnmarked: { ...life, undo: true },
  PortraitChosen: { ...life, undo: true, words: ['media'] },
  PortraitRemoved: { ...life, undo: true },
  IdleTimeoutSet: { ...life, undo: true },
  CareSet: life,
  StatusSet: { ...life, undo: true },
  PhraseChanged: life,
  PhraseConfirmed: life,
  FactsErased: life,
  Lost: life,
  Salvaged: life,
  Woke: life,
  Stopped: life,
  WakingFailed: life,
  Hosted: workings,
  SleepBegan: life,
  SleepEnded: life,
  DayClosed: { ...life, words: ['summary'] },
  DiaryWritten: life,
  StartAsked: workings,
  StopAsked: workings,
  RestartAsked: workings,
  MessagesHidden: talk,
  MessagesShown: talk,
  AnswerAsked: workings,
  GreetingAsked: workings,
  TurnBegan: workings,
  ModelAnswered: { ...workings, words: ['answer'] },
  ToolCalled: { ...workings, words: ['input'] },
  ToolAnswered: { ...workings, words: ['output'] },
  WebSearched: workings,
  TurnResumed: workings,
  TurnEnded: { ...workings, words: ['reason'] },
  ResponseBegan: { ...workings, words: ['request'] },
  ResponseEnded: { ...workings, words: ['text'] },
  Delivered: workings,
  PartsDelivered: workings,
} as const satisfies Readonly<Record<string, Row>>

export type FactName = keyof typeof facts

export const isFactName = (type: string): type is FactName => Object.hasOwn(facts, type)

/** Returns the row of a fact type. Unknown types count as `life`. */
export const getRow = (type: string): Row => (isFactName(type) ? facts[type] : life)

/** `main`: every kind except `workings`. */
export type Filter = FactKind | 'main'
export const filters: readonly Filter[] = ['main', ...kinds]

export const getTypes = (filter: Filter): string =>
  (Object.keys(facts) as FactName[])
    .filter((type) => (filter === 'main' ? facts[type].kind !== 'workings' : facts[type].kind === filter))
    .join(',')

/** `name` is the persona's name. `formatField` formats a field of the fact. */
export type FactSentences = Readonly<
  Record<FactName, (name: string, formatField: (field: string) => string) => string>
>

/** For facts whose normal sentence needs the erased text. */
export type ErasedSentences = Readonly<Partial<Record<FactName, (name: string) => string>>>

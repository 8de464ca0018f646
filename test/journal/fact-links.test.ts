/** The links that the rows of facts declare: none is missing, and each is read. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import type { Link } from '../../facts/fact.ts'
import { getLinks } from '../../facts/fact-links.ts'
import { Seq, SeqBefore, Stimuli } from '../../facts/fact-values.ts'
import { type EventType, facts, type PersonaEvent } from '../../facts/facts.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { factsByType } from './facts.ts'

interface Row {
  readonly shape: z.ZodRawShape
  readonly traits: { readonly index: unknown; readonly links?: Readonly<Record<string, Link | undefined>> }
}
const rows: Readonly<Record<string, Row>> = facts

const holdsPosition = (schema: z.core.$ZodType): boolean => {
  if (schema === Seq || schema === SeqBefore || schema === Stimuli) return true
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly)
    return holdsPosition(schema.def.innerType)
  if (schema instanceof z.ZodArray) return holdsPosition(schema.def.element)
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(holdsPosition)
  if (schema instanceof z.ZodUnion) return schema.options.some(holdsPosition)
  return false
}

/** Names of fields with the id of a thing that other facts are about. */
const idFields = new Set(['id', 'into', 'previous', 'mailbox', 'initiative'])

test('each field with a position or an id is declared as a link, or as none', () => {
  const positions: string[] = []
  for (const [type, { shape, traits }] of Object.entries(rows))
    for (const [name, schema] of Object.entries(shape)) {
      const isPosition = holdsPosition(schema)
      if (isPosition) positions.push(`${type}.${name}`)
      if (isPosition || idFields.has(name)) assert.ok(name in (traits.links ?? {}), `${type}.${name}`)
    }
  // The search for positions finds those in lists, in objects and behind `optional`.
  for (const name of ['MemoryKept.sources', 'FactsErased.facts', 'TurnBegan.window', 'MessageSpoken.asks'])
    assert.ok(positions.includes(name), name)
  assert.ok(positions.includes('ModelAnswered.recipe') && positions.includes('TurnBegan.stimuli'))
})

const toEntry = (event: PersonaEvent, fields: Partial<Entry> = {}): Entry => ({
  seq: 1000,
  commit: 'c',
  type: event.type,
  at: 0,
  offset: 0,
  cause: { by: 'agent', life: 2, turn: 1 },
  event,
  ...fields,
})

const format = (entry: Entry): string => {
  const { references, ranges, things } = getLinks(entry)
  return [
    ...references.map(({ seq, relation }) => `${relation} ${seq}`),
    ...ranges.map(({ relation, after, upTo }) => `${relation} ${after}-${upTo}`),
    ...things.map(({ thing, id, as }) => `${thing} ${id} ${as}`),
  ].join(', ')
}

/** Of `factsByType`, at position 1000. A new fact does not compile until it is added here. */
const expected: Readonly<Record<EventType, string>> = {
  PersonaCreated: '',
  PersonaRestored: '',
  PersonaForked: '',
  PersonaDeleted: '',
  Renamed: '',
  CharacterSet: '',
  LineMarked: 'about 3',
  LineUnmarked: 'about 3',
  PortraitChosen: '',
  PortraitRemoved: '',
  CareSet: '',
  IdleTimeoutSet: '',
  OrganReplaced: 'organ eye first',
  OrganRemoved: 'organ eye next',
  StatusSet: '',
  PhraseChanged: '',
  PhraseConfirmed: '',
  DiaryWritten: '',
  StartAsked: '',
  StopAsked: '',
  RestartAsked: '',
  Woke: 'life 1 first',
  Stopped: 'life 1 next',
  WakingFailed: '',
  OrganFailed: 'organ ear next',
  OrganRecovered: 'organ ear next',
  MindTested: '',
  Hosted: '',
  ChannelAdded: 'channel c1 first',
  ChannelRemoved: 'channel c1 next',
  ChannelPaired: 'channel c1 next',
  ChannelTroubled: 'channel c1 next',
  ChannelRecovered: 'channel c1 next',
  Delivered: 'about 12',
  PartsDelivered: 'about 12',
  DeliveryFailed: 'about 12',
  Lost: '',
  Salvaged: 'about 7',
  FactsErased: 'about 7',
  MessageHeard: '',
  MessagesHidden: 'about 2',
  MessagesShown: 'about 2',
  AnswerAsked: 'about 3',
  GreetingAsked: '',
  TurnBegan: 'memory 2, message 0-3, plan p1 due',
  ModelAnswered: 'turn 4',
  ModelFailed: '',
  MediaDescribed: 'message 3, turn 4',
  ToolCalled: 'turn 4',
  ToolAnswered: 'turn 4',
  ToolServerSet: 'server files first',
  ToolServerRemoved: 'server files next',
  ToolModeSet: 'server files about',
  CalendarSubscribed: 'calendar c1 first',
  CalendarUnsubscribed: 'calendar c1 next',
  MailboxConnected: 'mailbox b1 first',
  MailboxDisconnected: 'mailbox b1 next',
  MailRead: 'mailbox b1 about',
  MailsShown: 'about 1',
  SearchProvidersSet: '',
  WebSearched: 'turn 4',
  ApprovalAsked: 'turn 4',
  SkillAdded: 'skill tea first',
  SkillEnabled: 'skill tea next',
  SkillDisabled: 'skill tea next',
  SkillRemoved: 'skill tea next',
  ResponseBegan: 'response resp_ada_1_0123456789abcdef first',
  ResponseEnded: 'response resp_ada_1_0123456789abcdef next',
  ApprovalSettled: 'approval 4',
  TurnResumed: 'turn 4',
  MessageSpoken: 'turn 4',
  TurnEnded: 'turn 4',
  MemoryKept: 'source 2, statement m1 first',
  MemoryRevised: 'source 2, source 9, statement m1 next',
  MemoryForgotten: 'statement m1 next, statement m3 about',
  MemoryRestored: 'source 2, source 9, statement m1 next',
  MemoryPinned: 'statement m1 next',
  MemoryProposed: 'statement m2 first',
  InitiativeChosen: '',
  InitiativePlanned: 'source 2, initiative i1 first',
  InitiativeMoved: 'source 2, initiative i1 next',
  InitiativeRemoved: 'initiative i1 next',
  InitiativeDisliked: 'initiative i1 next',
  InitiativeConsidered: 'initiative i1 next',
  InitiativeSettled: 'initiative i1 next',
  ProposalSettled: 'statement m2 next',
  ContextCarried: 'talk 0-9',
  HistoryFed: '',
  InstructionLearned: 'instruction i1 first',
  InstructionRevised: 'instruction i1 next',
  InstructionRemoved: 'instruction i1 next',
  EntryPlanned: 'plan p1 first',
  EntryMoved: 'plan p1 next',
  EntryCancelled: 'plan p1 next',
  EntryDue: 'plan p1 next',
  EntryDone: 'plan p1 next',
  SleepBegan: 'sleep 1 first',
  DayClosed: 'talk 0-9',
  SleepEnded: 'sleep 1 next',
}

for (const [type, event] of Object.entries(factsByType))
  test(`reads the links of ${type}`, () => {
    assert.is(format(toEntry(event, { cause: { by: 'person' } })), expected[type as EventType])
  })

test('reads the turn and the undone fact of the header, after the fields', () => {
  const cause = { by: 'agent', life: 2, turn: 1, undoes: 7 } as const
  assert.is(format(toEntry(factsByType.Renamed, { cause })), 'undoes 7, turn 1')
  assert.is(format(toEntry(factsByType.ToolCalled, { cause: { by: 'agent', turn: 4 } })), 'turn 4')
})

test('ignores positions that are not earlier', () => {
  assert.is(format(toEntry(factsByType.LineMarked, { seq: 3, cause: { by: 'person' } })), '')
})

test('keeps the links of the header of a fact with a damaged payload', () => {
  const damaged: Entry = {
    ...toEntry(factsByType.MemoryKept),
    get event(): PersonaEvent {
      throw new Damaged(1000, 'its payload does not match its commitment')
    },
  }
  assert.is(format(damaged), 'turn 1')
})

test.run()

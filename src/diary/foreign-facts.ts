/**
 * What a fact from outside may say: no more than the rules here could ever have written. A diary comes from
 * anybody who knows for whom it is sealed, and what is believed once is folded and shown for ever. Bounds
 * only ever grow: what was written once must come back.
 */

import type { Cause, Channel, Media, Seq, Usage, Via } from '../../journal/facts/fact-values.ts'
import type { EventOf, EventType, PersonaEvent } from '../../journal/facts/facts.ts'
import { isMediaName } from '../../journal/files/media.ts'
import type { Entry } from '../../journal/log/journal.ts'
import { isPersonaId } from '../../journal/log/persona-id.ts'
import { instantOf, isLocalTime } from '../time/local-time.ts'
import { zoneNamed } from '../time/zone-name.ts'

export interface ForeignFacts {
  /** Whether the next fact could have been written here, behind those before it. */
  couldBe(entry: Entry): boolean
}

/** What came before the fact that is looked at. */
interface Past {
  readonly seq: Seq
  /** Undefined for a position that is not before it. */
  typeAt(seq: Seq): EventType | undefined
}

/** `fact`: what the field stands in. */
type Rule<T, E = unknown> = (value: T, past: Past, fact: E) => boolean
type Rules<E> = { readonly [F in Exclude<keyof E, 'type'>]-?: Rule<E[F], E> }

/** Bytes of a record: those of a whole commit. */
export const largestRecord = 512 * 1024

const [longestName, longestId, longestStatement, longestEntry, longestTitle, longestLesson] = [
  1000, 200, 300, 1000, 100, 4000,
]
/** Bots at a time, and chats in a whole life. */
const [mostBots, mostChats] = [64, 1000]
/** Skills at a time, files of one, characters of what it says of itself. */
const [mostSkills, mostSkillFiles, longestSkill] = [64, 200, 1024]
/** Steps of a turn, lives, levels of what a tool was told. */
const [mostSteps, mostLives, mostLevels] = [1000, 2 ** 50, 100]
/** US dollars of a call: every token that can be counted at any price. */
const dearest = 1e15

/** Milliseconds: dates that every calendar and every display can tell, in every zone. */
const [first, last] = [Date.UTC(1900, 0, 2), Date.UTC(9998, 11, 30)]
/** Minutes that a zone can be away. */
const farthest = 18 * 60

export const createForeignFacts = (): ForeignFacts => {
  const types = createTypes()
  const bots = new Set<string>()
  const chats = new Set<string>()
  const skills = new Set<string>()

  const isCrowd = (event: PersonaEvent): boolean => {
    if (event.type === 'ChannelAdded') bots.add(event.id)
    if (event.type === 'ChannelRemoved') bots.delete(event.id)
    if (event.type === 'PersonaRestored' || event.type === 'PersonaForked') bots.clear()
    if ('channel' in event && event.channel !== null) chats.add(`${event.channel.type}/${event.channel.name}`)
    if (event.type === 'SkillAdded') skills.add(event.name)
    if (event.type === 'SkillRemoved') skills.delete(event.name)
    return bots.size > mostBots || chats.size > mostChats || skills.size > mostSkills
  }

  return {
    couldBe: (entry) => {
      const { seq, at, offset, cause, event } = entry
      const past: Past = { seq, typeAt: (position) => (position < seq ? types.at(position) : undefined) }
      const holds =
        isMoment(at) &&
        Math.abs(offset) <= farthest &&
        isCause(cause, past) &&
        isSaid(event, past) &&
        !isCrowd(event)
      types.add(seq, event.type)
      return holds
    },
  }
}

const isSaid = (event: PersonaEvent, past: Past): boolean => {
  const fields = event as unknown as Readonly<Record<string, unknown>>
  for (const [field, rule] of rulesOf(event.type)) if (!rule(fields[field], past, event)) return false
  return true
}

const rulesOf = (type: EventType): readonly (readonly [string, Rule<unknown>])[] => {
  // Each row is of the very type that the event has.
  const rules = asked.get(type) ?? Object.entries(rows[type] as Readonly<Record<string, Rule<unknown>>>)
  asked.set(type, rules)
  return rules
}
const asked = new Map<EventType, readonly (readonly [string, Rule<unknown>])[]>()

/** The type of every fact that has come by, a byte each. */
const createTypes = () => {
  const names = Object.keys(rows) as EventType[]
  const codes = new Map(names.map((name, code) => [name, code]))
  let seen = new Uint8Array(1024)
  return {
    at: (seq: Seq): EventType | undefined => names[seen[seq] ?? names.length],
    add: (seq: Seq, type: EventType): void => {
      if (seq >= seen.length) {
        const more = new Uint8Array(2 * seq)
        more.set(seen)
        seen = more
      }
      seen[seq] = codes.get(type) ?? names.length
    },
  }
}

// --- what a value may be

/** Its schema says all: a choice, or words that end where a record does. */
const any: Rule<unknown> = () => true
const never: Rule<unknown> = () => false
const maybe =
  <T, E>(rule: Rule<T, E>): Rule<T | null, E> =>
  (value, past, fact) =>
    value === null || rule(value, past, fact)
const within =
  (most: number): Rule<string> =>
  (text) =>
    text.length <= most
const id: Rule<string> = (text) => text.length <= longestId && /^[\w-]+$/.test(text)
const name = within(longestName)
const named = maybe(name)
const statement = within(longestStatement)
const skillName: Rule<string> = (text) => text.length <= 64 && /^[a-z0-9-]+$/.test(text)
const recipient: Rule<string> = (text) => /^age1[a-z0-9]{0,196}$/.test(text)
const date: Rule<string> = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isLocalTime(`${text}T00:00`)
const isMoment = (at: number): boolean => at >= first && at <= last
const moment: Rule<number> = isMoment
const zone: Rule<string> = (text) => isZone(text)
const wall: Rule<string, { readonly zone: string }> = (text, _past, fact) =>
  isZone(fact.zone) && isLocalTime(text) && Number.isFinite(instantOf(text, fact.zone))
/** An instant with its offset. */
const instant: Rule<string> = (text) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text) && isMoment(Date.parse(text))
const count: Rule<number> = (value) => value >= 0
const positive: Rule<number> = (value) => value > 0
const life: Rule<number> = (value) => value > 0 && value < mostLives
const step: Rule<number> = (value) => value >= 0 && value <= mostSteps
const sum: Rule<number> = (value) => value >= 0 && value <= dearest

const isZone = (text: string): boolean => {
  if (zones.has(text)) return true
  if (text.length > longestId || zoneNamed(text) === null) return false
  zones.add(text)
  return true
}
/** Those that were looked up. */
const zones = new Set<string>()

/** A fact before this one, of such a kind; what damage has taken may have been any. */
const earlier =
  (...kinds: readonly EventType[]): Rule<Seq> =>
  (seq, past) => {
    const type = past.typeAt(seq)
    return type !== undefined && (kinds.length === 0 || type === 'Lost' || kinds.includes(type))
  }
const turn = earlier('TurnBegan')
const before: Rule<Seq> = earlier()
/** What a span begins behind, and where it ends. */
const after: Rule<Seq | 0, { readonly upTo: Seq | 0 }> = (value, _past, { upTo }) => value <= upTo
const sources: Rule<readonly Seq[]> = (all, past) => all.every((seq) => source(seq, past, undefined))
const source = earlier('MessageHeard', 'MessageSpoken', 'MediaDescribed', 'HistoryFed', 'MemoryProposed')

const channel: Rule<Channel> = (value, past, fact) => name(value.name, past, fact)

const media: Rule<Media> = (file, past, fact) =>
  isMediaName(file.filename) &&
  name(file.name, past, fact) &&
  name(file.mime, past, fact) &&
  (file.bytes ?? 0) >= 0

const usage: Rule<Usage> = ({ input, output, cached, made }) =>
  [input, output, cached, made?.count].every((value) => (value ?? 0) >= 0 && Number.isFinite(value ?? 0))

/** What JSON can say, no deeper than a record is written. */
const json: Rule<unknown> = (value) => isJson(value, mostLevels)
const isJson = (value: unknown, levels: number): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || levels === 0) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, levels - 1))
  const plain = Object.getPrototypeOf(value) === Object.prototype
  return plain && Object.values(value).every((item) => isJson(item, levels - 1))
}

const isCause = ({ life: of = 1, turn: in_, undoes = 0 }: Cause, past: Past): boolean =>
  of >= 0 && of < mostLives && (in_ === undefined || turn(in_, past, undefined)) && undoes < past.seq

// --- what a fact may say

const byOthers: Rule<Via | null | undefined> = (via) => (via?.by ?? '').length <= longestName
const called = { organ: any, provider: any, model: name, ms: count, calls: count } as const
const planned: Rules<Omit<EventOf<'EntryPlanned'>, 'type'>> = {
  ...{ id, kind: any, wall, zone, content: within(longestEntry), recurrence: any, anchor: wall },
  via: byOthers,
}
const kept: Rules<Omit<EventOf<'MemoryKept'>, 'type'>> = {
  id,
  document: any,
  text: statement,
  sources,
  origin: any,
  via: byOthers,
}

const organ: Rule<EventOf<'OrganReplaced'>['organ']> = ({ model, url, key }) =>
  model.length <= longestName && (url ?? '').length <= longestName && (key ?? '').length <= longestId

const rows: { readonly [T in EventType]: Rules<EventOf<T>> } = {
  PersonaCreated: {
    id: (_id, { seq }) => seq === 1,
    name,
    birthday: (text, ...rest) => text === '' || date(text, ...rest),
    idleTimeout: positive,
    recipient,
  },
  // Where a journal ended that is not this one: the restoring of this diary says it anew.
  PersonaRestored: {
    made: moment,
    upTo: before,
    over: (value) => value === undefined || value > 0,
    recipient,
  },
  // Its hash is that of a chain which a salvage may have written anew.
  PersonaForked: {
    id: isPersonaId,
    from: isPersonaId,
    at: (at, { seq }) => at === seq - 1,
    hash: any,
    name,
    recipient,
  },
  // Who is deleted is in no diary.
  PersonaDeleted: { purge: never },
  Renamed: { name },
  IdleTimeoutSet: { seconds: positive },
  OrganReplaced: { slot: any, organ },
  OrganRemoved: { slot: any },
  StatusSet: { status: any, reason: any },
  PhraseChanged: { recipient },
  PhraseConfirmed: {},
  DiaryWritten: { upTo: before, bytes: count },
  StartAsked: {},
  StopAsked: {},
  RestartAsked: {},
  Woke: { life },
  Stopped: { life },
  WakingFailed: { reason: any },
  OrganFailed: { slot: any, reason: any },
  OrganRecovered: { slot: any },
  Hosted: { epoch: life, daemon: id },
  Lost: {},
  FactsErased: {
    facts: (all, past) => all.every(({ seq }) => before(seq, past, undefined)),
    withdrawn: (all, past) =>
      all.every(({ channel: of, upTo }) => channel(of, past, undefined) && upTo < past.seq),
  },
  Salvaged: { kept: count, lost: count, first: maybe(before) },
  ChannelAdded: { id, kind: any, name, bot: name, token: within(longestId) },
  ChannelRemoved: { id },
  ChannelPaired: { id, target: name, at: instant },
  ChannelTroubled: { id, reason: any },
  ChannelRecovered: { id },
  Delivered: { message: earlier('MessageSpoken') },
  PartsDelivered: { message: earlier('MessageSpoken'), parts: count },
  DeliveryFailed: { message: earlier('MessageSpoken'), reason: any },
  MessageHeard: {
    ...{
      channel: maybe(channel),
      key: any,
      parts: (parts, ...rest) => parts.every(({ by }) => named(by, ...rest)),
    },
    media: maybe((file, ...rest) => media(file, ...rest) && named(file.by, ...rest)),
  },
  GreetingAsked: {},
  TurnBegan: {
    life,
    channel: maybe(channel),
    stimuli: (taken, past) =>
      taken.after <= taken.upTo &&
      taken.upTo < past.seq &&
      taken.due.every((plan) => id(plan, past, undefined)),
  },
  ModelAnswered: {
    ...{ ...called, turn: maybe(turn), step: maybe(step), usage, cause: any, opaque: any },
    price: maybe(({ usd, dated }, ...rest) => sum(usd, ...rest) && date(dated, ...rest)),
    recipe: maybe(({ parts }, past) =>
      parts.every((part) => typeof part === 'string' || before(part, past, undefined)),
    ),
    answer: maybe(
      (answer, ...rest) => 'part' in answer || answer.calls.every(({ input }) => json(input, ...rest)),
    ),
  },
  ModelFailed: { ...called, turn: maybe(turn), step: maybe(step), kind: any, reason: any, cause: any },
  MediaDescribed: {
    ...{ turn, message: earlier('MessageHeard', 'MessageSpoken') },
    ...{ filename: isMediaName, organ: any, outcome: any, text: any },
  },
  ToolCalled: { turn, step, call: any, name: any, input: json, of: any },
  ToolAnswered: { turn, step, call: any, name: any, ok: any, output: json },
  // What is declared here is declared anew: a diary from anybody starts no program.
  ToolServerSet: { name, server: any },
  ToolServerRemoved: { name },
  ToolModeSet: { server: name, tool: name, mode: any, definition: any, described: any },
  ApprovalAsked: {
    ...{
      turn,
      step,
      call: any,
      server: name,
      tool: name,
      input: json,
      definition: any,
      changed: any,
      again: any,
    },
  },
  ApprovalSettled: { approval: earlier('ApprovalAsked'), decision: any, channel: maybe(channel) },
  TurnResumed: { turn, life },
  SkillAdded: {
    ...{ name: skillName, description: within(longestSkill) },
    files: (files) =>
      files.length <= mostSkillFiles &&
      files.every(({ path, bytes }) => path.length <= longestName && bytes >= 0),
    media,
  },
  SkillEnabled: { name: skillName, sha256: any },
  SkillDisabled: { name: skillName },
  SkillRemoved: { name: skillName },
  MessageSpoken: {
    turn: maybe(turn),
    step: maybe(step),
    channel: maybe(channel),
    content: any,
    media: maybe(media),
    asks: maybe((asks, ...rest) => turn(asks.turn, ...rest) && step(asks.step, ...rest)),
    borrowed: any,
  },
  TurnEnded: { turn, outcome: any, reason: any },
  MemoryKept: kept,
  MemoryRevised: { id, text: statement, sources, origin: any, via: byOthers },
  MemoryForgotten: { id, why: any },
  MemoryRestored: kept,
  MemoryProposed: { id, document: any, text: statement, by: maybe(name) },
  ProposalSettled: { id, accepted: any },
  ContextCarried: { after, upTo: before, carry: any, summary: any, borrowed: any },
  HistoryFed: {
    source: any,
    conversation: any,
    title: any,
    updated: any,
    hash: any,
    messages: count,
    summary: any,
  },
  InstructionLearned: { id, intention: within(longestTitle), body: within(longestLesson) },
  InstructionRevised: { id, body: within(longestLesson) },
  InstructionRemoved: { id },
  EntryPlanned: planned,
  EntryMoved: planned,
  EntryCancelled: { id },
  EntryDue: { id },
  EntryDone: { id },
  SleepBegan: { life, by: any },
  DayClosed: { after, upTo: before, began: moment, ended: moment, summary: any, by: any },
  SleepEnded: { life, outcome: any, reason: any },
}

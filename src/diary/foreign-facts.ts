/**
 * Limits for facts of a foreign diary: nothing that the rules here could not have written. A diary is
 * untrusted, since its recipient is public, and accepted facts are permanent. Limits may only grow, since old
 * diaries must stay readable.
 */

import type { Cause, Channel, Media, Seq, Usage, Via } from '../../journal/facts/fact-values.ts'
import type { EventOf, EventType, PersonaEvent } from '../../journal/facts/facts.ts'
import { isMediaName } from '../../journal/files/media.ts'
import type { Entry } from '../../journal/log/journal.ts'
import { isPersonaId } from '../../journal/log/persona-id.ts'
import { isLocalTime, toInstant } from '../../packages/kit/time/local-time.ts'
import { zoneNamed } from '../../packages/kit/time/zone-name.ts'

export interface ForeignFacts {
  /** Whether the fact could have been written here after the previous ones. Call in order. */
  couldBe(entry: Entry): boolean
}

/** The previous facts. */
interface Past {
  readonly seq: Seq
  /** Undefined if there is no previous fact at the position. */
  typeAt(seq: Seq): EventType | undefined
}

/** `fact`: the fact with the field. */
type Rule<T, E = unknown> = (value: T, past: Past, fact: E) => boolean
type Rules<E> = { readonly [F in Exclude<keyof E, 'type'>]-?: Rule<E[F], E> }

/** In bytes: the limit of a whole commit. */
export const largestRecord = 512 * 1024

// In UTF-16 units.
const maxNameLength = 1000
const maxIdLength = 200
const maxStatementLength = 300
const maxEntryLength = 1000
const maxTitleLength = 100
const maxLessonLength = 4000
/** At one time. */
const maxBots = 64
/** In a whole life. */
const maxChats = 1000
/** At one time. */
const maxSkills = 64
const maxSkillFiles = 200
const maxSkillDescription = 1024
const maxSteps = 1000
const maxLives = 2 ** 50
/** Nesting of a tool's input and output. */
const maxLevels = 100
/** US dollars per call: the largest token count at any price. */
const maxCost = 1e15

/** Epoch milliseconds: the range of calendars and displays, in all zones. */
const firstMoment = Date.UTC(1900, 0, 2)
const lastMoment = Date.UTC(9998, 11, 30)
/** In minutes. */
const maxOffset = 18 * 60

export const createForeignFacts = (): ForeignFacts => {
  const types = createTypes()
  const bots = new Set<string>()
  const chats = new Set<string>()
  const skills = new Set<string>()

  const exceedsCounts = (event: PersonaEvent): boolean => {
    if (event.type === 'ChannelAdded') bots.add(event.id)
    if (event.type === 'ChannelRemoved') bots.delete(event.id)
    if (event.type === 'PersonaRestored' || event.type === 'PersonaForked') bots.clear()
    if ('channel' in event && event.channel !== null) chats.add(`${event.channel.type}/${event.channel.name}`)
    if (event.type === 'SkillAdded') skills.add(event.name)
    if (event.type === 'SkillRemoved') skills.delete(event.name)
    return bots.size > maxBots || chats.size > maxChats || skills.size > maxSkills
  }

  return {
    couldBe: (entry) => {
      const { seq, at, offset, cause, event } = entry
      const past: Past = { seq, typeAt: (position) => (position < seq ? types.at(position) : undefined) }
      const holds =
        isMoment(at) &&
        Math.abs(offset) <= maxOffset &&
        isCause(cause, past) &&
        areFieldsValid(event, past) &&
        !exceedsCounts(event)
      types.add(seq, event.type)
      return holds
    },
  }
}

const areFieldsValid = (event: PersonaEvent, past: Past): boolean => {
  const fields = event as unknown as Readonly<Record<string, unknown>>
  for (const [field, rule] of getRules(event.type)) if (!rule(fields[field], past, event)) return false
  return true
}

const getRules = (type: EventType): readonly (readonly [string, Rule<unknown>])[] => {
  // Each row has the rules of its own type.
  const rules = ruleCache.get(type) ?? Object.entries(rows[type] as Readonly<Record<string, Rule<unknown>>>)
  ruleCache.set(type, rules)
  return rules
}
const ruleCache = new Map<EventType, readonly (readonly [string, Rule<unknown>])[]>()

/** Stores the types of previous facts, one byte each. */
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

// --- values

/** The schema is strict enough: an enumeration, or text that a record limits. */
const any: Rule<unknown> = () => true
const never: Rule<unknown> = () => false
const maybe =
  <T, E>(rule: Rule<T, E>): Rule<T | null, E> =>
  (value, past, fact) =>
    value === null || rule(value, past, fact)
const within =
  (max: number): Rule<string> =>
  (text) =>
    text.length <= max
const id: Rule<string> = (text) => text.length <= maxIdLength && /^[\w-]+$/.test(text)
const name = within(maxNameLength)
const named = maybe(name)
const statement = within(maxStatementLength)
const skillName: Rule<string> = (text) => text.length <= 64 && /^[a-z0-9-]+$/.test(text)
const recipient: Rule<string> = (text) => /^age1[a-z0-9]{0,196}$/.test(text)
const date: Rule<string> = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isLocalTime(`${text}T00:00`)
const isMoment = (at: number): boolean => at >= firstMoment && at <= lastMoment
const moment: Rule<number> = isMoment
const zone: Rule<string> = (text) => isZone(text)
const wall: Rule<string, { readonly zone: string }> = (text, _past, fact) =>
  isZone(fact.zone) && isLocalTime(text) && Number.isFinite(toInstant(text, fact.zone))
/** ISO 8601 with offset. */
const instant: Rule<string> = (text) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text) && isMoment(Date.parse(text))
const count: Rule<number> = (value) => value >= 0
const positive: Rule<number> = (value) => value > 0
const life: Rule<number> = (value) => value > 0 && value < maxLives
const step: Rule<number> = (value) => value >= 0 && value <= maxSteps
const sum: Rule<number> = (value) => value >= 0 && value <= maxCost

const isZone = (text: string): boolean => {
  if (zones.has(text)) return true
  if (text.length > maxIdLength || zoneNamed(text) === null) return false
  zones.add(text)
  return true
}
/** Cache of valid zones. */
const zones = new Set<string>()

/** A previous fact of one of the kinds. A lost one may have been of any. */
const earlier =
  (...kinds: readonly EventType[]): Rule<Seq> =>
  (seq, past) => {
    const type = past.typeAt(seq)
    return type !== undefined && (kinds.length === 0 || type === 'Lost' || kinds.includes(type))
  }
const turn = earlier('TurnBegan')
const before: Rule<Seq> = earlier()
/** The start of a span, exclusive. */
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

/** JSON, not nested deeper than a record can be. */
const json: Rule<unknown> = (value) => isJson(value, maxLevels)
const isJson = (value: unknown, levels: number): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || levels === 0) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, levels - 1))
  const plain = Object.getPrototypeOf(value) === Object.prototype
  return plain && Object.values(value).every((item) => isJson(item, levels - 1))
}

const isCause = ({ life: of = 1, turn: in_, undoes = 0 }: Cause, past: Past): boolean =>
  of >= 0 && of < maxLives && (in_ === undefined || turn(in_, past, undefined)) && undoes < past.seq

// --- facts

const byOthers: Rule<Via | null | undefined> = (via) => (via?.by ?? '').length <= maxNameLength
const called = { organ: any, provider: any, model: name, ms: count, calls: count } as const
const planned: Rules<Omit<EventOf<'EntryPlanned'>, 'type'>> = {
  id,
  kind: any,
  wall,
  zone,
  content: within(maxEntryLength),
  recurrence: any,
  anchor: wall,
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
  model.length <= maxNameLength && (url ?? '').length <= maxNameLength && (key ?? '').length <= maxIdLength

const rows: { readonly [T in EventType]: Rules<EventOf<T>> } = {
  PersonaCreated: {
    id: (_id, { seq }) => seq === 1,
    name,
    birthday: (text, ...rest) => text === '' || date(text, ...rest),
    idleTimeout: positive,
    recipient,
  },
  // Refers to another journal. The restore of this diary writes a new one.
  PersonaRestored: {
    made: moment,
    upTo: before,
    over: (value) => value === undefined || value > 0,
    recipient,
  },
  // The hash may be of a chain that a salvage rewrote.
  PersonaForked: {
    id: isPersonaId,
    from: isPersonaId,
    at: (at, { seq }) => at === seq - 1,
    hash: any,
    name,
    recipient,
  },
  // A diary of a deleted persona cannot exist.
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
  ChannelAdded: { id, kind: any, name, bot: name, token: within(maxIdLength) },
  ChannelRemoved: { id },
  ChannelPaired: { id, target: name, at: instant },
  ChannelTroubled: { id, reason: any },
  ChannelRecovered: { id },
  Delivered: { message: earlier('MessageSpoken') },
  PartsDelivered: { message: earlier('MessageSpoken'), parts: count },
  DeliveryFailed: { message: earlier('MessageSpoken'), reason: any },
  MessageHeard: {
    channel: maybe(channel),
    key: any,
    parts: (parts, ...rest) => parts.every(({ by }) => named(by, ...rest)),
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
    window: (first, past) => first === undefined || first <= past.seq,
  },
  ModelAnswered: {
    ...called,
    turn: maybe(turn),
    step: maybe(step),
    usage,
    cause: any,
    opaque: any,
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
    turn,
    message: earlier('MessageHeard', 'MessageSpoken'),
    filename: isMediaName,
    organ: any,
    outcome: any,
    text: any,
  },
  ToolCalled: { turn, step, call: any, name: any, input: json, of: any },
  ToolAnswered: { turn, step, call: any, name: any, ok: any, output: json },
  // Must be declared again here: a foreign diary must not start programs.
  ToolServerSet: { name, server: any },
  ToolServerRemoved: { name },
  ToolModeSet: { server: name, tool: name, mode: any, definition: any, described: any },
  ApprovalAsked: {
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
  ApprovalSettled: { approval: earlier('ApprovalAsked'), decision: any, channel: maybe(channel) },
  TurnResumed: { turn, life },
  SkillAdded: {
    name: skillName,
    description: within(maxSkillDescription),
    files: (files) =>
      files.length <= maxSkillFiles &&
      files.every(({ path, bytes }) => path.length <= maxNameLength && bytes >= 0),
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
  InstructionLearned: { id, intention: within(maxTitleLength), body: within(maxLessonLength) },
  InstructionRevised: { id, body: within(maxLessonLength) },
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

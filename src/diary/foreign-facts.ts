/**
 * Limits for facts of a foreign diary: nothing that the rules here could not have written. A diary is
 * untrusted, since its recipient is public, and accepted facts are permanent. Limits may only grow, since old
 * diaries must stay readable.
 */

import {
  type Cause,
  type Channel,
  type Media,
  SearchProvider,
  type Seq,
  type Usage,
  type Via,
} from '../../facts/fact-values.ts'
import type { EventOf, EventType, PersonaEvent } from '../../facts/facts.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { isMediaName } from '../../home/media.ts'
import { isJournalId } from '../../journal/log/journal-id.ts'
import { isLocalTime, toInstant } from '../../packages/kit/time/local-time.ts'
import { isPartialDate } from '../../packages/kit/time/partial-date.ts'
import { zoneNamed } from '../../packages/kit/time/zone-name.ts'

export interface ForeignFacts {
  /** Whether the fact could have been written here after the previous ones. Call in order. */
  isPossible(entry: Entry): boolean
}

/** The previous facts. */
interface FactContext {
  readonly seq: Seq
  /** Undefined if there is no previous fact at the position. */
  typeAt(seq: Seq): EventType | undefined
}

/** `fact`: the fact with the field. */
type Rule<T, E = unknown> = (value: T, context: FactContext, fact: E) => boolean
type Rules<E> = { readonly [F in Exclude<keyof E, 'type'>]-?: Rule<E[F], E> }

// In UTF-16 units.
const maxNameLength = 1000
const maxMailText = 1000
const maxMailDates = 10
const maxIdLength = 200
const maxStatementLength = 300
const maxEntryLength = 1000
const maxCharacterLength = 4000
const portraitTypes = /^image\/(?:png|jpeg|webp|gif)$/
/** In bytes. */
const maxPortraitBytes = 5 * 1024 * 1024
const maxLoreTextLength = 1000
const maxTitleLength = 100
const maxLessonLength = 4000
/** Of one character. */
const maxLoreEntries = 200
/** Of one entry. */
const maxLoreKeys = 20
/** At one time. */
const maxBots = 64
/** In a whole life. */
const maxChats = 1000
/** At one time. */
const maxSkills = 64
const maxSkillFiles = 200
const maxSkillDescription = 1024
const maxSteps = 1000
/** Statements that a turn shows with its message. */
const maxKnown = 20
/** Messages that one fact hides or shows. */
const maxHidden = 1000
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
    isPossible: (entry) => {
      const { seq, at, offset, cause, event } = entry
      const context: FactContext = {
        seq,
        typeAt: (position) => (position < seq ? types.at(position) : undefined),
      }
      const holds =
        isMoment(at) &&
        Math.abs(offset) <= maxOffset &&
        isCause(cause, context) &&
        areFieldsValid(event, context) &&
        !exceedsCounts(event)
      types.add(seq, event.type)
      return holds
    },
  }
}

const areFieldsValid = (event: PersonaEvent, context: FactContext): boolean => {
  const fields = event as unknown as Readonly<Record<string, unknown>>
  for (const [field, rule] of getRules(event.type)) if (!rule(fields[field], context, event)) return false
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
  let seenBits = new Uint8Array(1024)
  return {
    at: (seq: Seq): EventType | undefined => names[seenBits[seq] ?? names.length],
    add: (seq: Seq, type: EventType): void => {
      if (seq >= seenBits.length) {
        const largerBits = new Uint8Array(2 * seq)
        largerBits.set(seenBits)
        seenBits = largerBits
      }
      seenBits[seq] = codes.get(type) ?? names.length
    },
  }
}

// --- values

/** The schema is strict enough: an enumeration, or text that a record limits. */
const acceptAny: Rule<unknown> = () => true
const acceptNone: Rule<unknown> = () => false
const maybe =
  <T, E>(rule: Rule<T, E>): Rule<T | null, E> =>
  (value, context, fact) =>
    value === null || rule(value, context, fact)
const isWithin =
  (max: number): Rule<string> =>
  (text) =>
    text.length <= max
const isLanguageCode = (code: string): boolean => /^[a-z]{2,3}$/.test(code)
const id: Rule<string> = (text) => text.length <= maxIdLength && /^[\w-]+$/.test(text)
const name = isWithin(maxNameLength)
const optionalName = maybe(name)
const statement = isWithin(maxStatementLength)
const skillName: Rule<string> = (text) => text.length <= 64 && /^[a-z0-9-]+$/.test(text)
const recipient: Rule<string> = (text) => /^age1[a-z0-9]{0,196}$/.test(text)
const date: Rule<string> = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isLocalTime(`${text}T00:00`)
const optionalDate: Rule<string | null | undefined> = (text) =>
  text === null || text === undefined || isPartialDate(text)
const isMoment = (time: number): boolean => time >= firstMoment && time <= lastMoment
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
const earlierFact =
  (...kinds: readonly EventType[]): Rule<Seq> =>
  (seq, context) => {
    const type = context.typeAt(seq)
    return type !== undefined && (kinds.length === 0 || type === 'Lost' || kinds.includes(type))
  }
const turn = earlierFact('TurnBegan')
const anyEarlier: Rule<Seq> = earlierFact()
/** The start of a span, exclusive. */
const anySeqUpTo: Rule<Seq | 0, { readonly upTo: Seq | 0 }> = (value, _past, { upTo }) => value <= upTo
const sources: Rule<readonly Seq[]> = (all, context) => all.every((seq) => source(seq, context, undefined))
const message = earlierFact('MessageHeard', 'MessageSpoken')
const shownMessages: Rule<readonly Seq[]> = (all, context) =>
  all.length <= maxHidden && all.every((seq) => message(seq, context, undefined))
const statementFact = earlierFact('MemoryKept', 'MemoryRevised', 'MemoryRestored')
const source = earlierFact('MessageHeard', 'MessageSpoken', 'MediaDescribed', 'HistoryFed', 'MemoryProposed')

const channel: Rule<Channel> = (value, context, fact) => name(value.name, context, fact)

const media: Rule<Media> = (file, context, fact) =>
  isMediaName(file.filename) &&
  name(file.name, context, fact) &&
  name(file.mime, context, fact) &&
  (file.bytes ?? 0) >= 0

const usage: Rule<Usage> = ({ input, output, cached, written, made }) =>
  [input, output, cached, written, made?.count].every(
    (value) => (value ?? 0) >= 0 && Number.isFinite(value ?? 0),
  )

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

const isCause = ({ life: lifeNumber = 1, turn: in_, undoes = 0 }: Cause, context: FactContext): boolean =>
  lifeNumber >= 0 &&
  lifeNumber < maxLives &&
  (in_ === undefined || turn(in_, context, undefined)) &&
  undoes < context.seq

// --- facts

const byOthers: Rule<Via | null | undefined> = (via) => (via?.by ?? '').length <= maxNameLength
/** Pages of one answer. */
const maxSources = 20
const callRules = { organ: acceptAny, provider: acceptAny, model: name, ms: count, calls: count } as const
const planRules: Rules<Omit<EventOf<'EntryPlanned'>, 'type'>> = {
  id,
  kind: acceptAny,
  wall,
  zone,
  content: isWithin(maxEntryLength),
  recurrence: acceptAny,
  anchor: wall,
  via: byOthers,
  allDay: acceptAny,
}
const dayTime: Rule<string> = (text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)
const reasonRules: Rules<Omit<EventOf<'InitiativePlanned'>, 'type'>> = {
  id,
  kind: acceptAny,
  at: moment,
  reason: statement,
  sources,
  yearly: acceptAny,
}
const period = {
  from: optionalDate,
  until: optionalDate,
} as const
const memoryRules: Rules<Omit<EventOf<'MemoryKept'>, 'type'>> = {
  id,
  document: acceptAny,
  text: statement,
  sources,
  origin: acceptAny,
  via: byOthers,
  ...period,
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
    upTo: anyEarlier,
    over: (value) => value === undefined || value > 0,
    recipient,
  },
  // The hash may be of a chain that a salvage rewrote.
  PersonaForked: {
    id: isJournalId,
    from: isJournalId,
    at: (position, { seq }) => position === seq - 1,
    hash: acceptAny,
    name,
    recipient,
  },
  // A diary of a deleted persona cannot exist.
  PersonaDeleted: { purge: acceptNone },
  Renamed: { name },
  CharacterSet: {
    text: isWithin(maxCharacterLength),
    lore: (entries) =>
      entries.length <= maxLoreEntries &&
      entries.every(
        ({ keys, text }) =>
          text.length <= maxLoreTextLength &&
          keys.length <= maxLoreKeys &&
          keys.every((key) => key.length <= maxIdLength),
      ),
    card: optionalName,
  },
  LineMarked: { message: earlierFact('MessageSpoken') },
  LineUnmarked: { message: earlierFact('MessageSpoken') },
  PortraitChosen: {
    media: maybe(
      (file, ...rest) =>
        media(file, ...rest) && portraitTypes.test(file.mime) && file.bytes <= maxPortraitBytes,
    ),
    source: acceptAny,
  },
  PortraitRemoved: {},
  CareSet: { country: acceptAny, help: acceptAny },
  IdleTimeoutSet: { seconds: positive },
  OrganReplaced: { slot: acceptAny, organ },
  OrganRemoved: { slot: acceptAny },
  StatusSet: { status: acceptAny, reason: acceptAny },
  PhraseChanged: { recipient },
  PhraseConfirmed: {},
  DiaryWritten: { upTo: anyEarlier, bytes: count },
  StartAsked: {},
  StopAsked: {},
  RestartAsked: {},
  Woke: { life },
  Stopped: { life },
  WakingFailed: { reason: acceptAny },
  OrganFailed: { slot: acceptAny, reason: acceptAny },
  OrganRecovered: { slot: acceptAny },
  MindTested: {
    provider: acceptAny,
    model: name,
    url: optionalName,
    result: acceptAny,
    answersJson: acceptAny,
    speed: maybe(sum),
    reason: acceptAny,
  },
  Hosted: { epoch: life, daemon: id },
  Lost: {},
  FactsErased: {
    facts: (all, context) => all.every(({ seq }) => anyEarlier(seq, context, undefined)),
    withdrawn: (all, context) =>
      all.every(
        ({ channel: askedChannel, upTo }) => channel(askedChannel, context, undefined) && upTo < context.seq,
      ),
  },
  Salvaged: { kept: count, lost: count, first: maybe(anyEarlier) },
  ChannelAdded: { id, kind: acceptAny, name, bot: name, token: isWithin(maxIdLength) },
  ChannelRemoved: { id },
  ChannelPaired: { id, target: name, at: instant },
  ChannelTroubled: { id, reason: acceptAny },
  ChannelRecovered: { id },
  Delivered: { message: earlierFact('MessageSpoken') },
  PartsDelivered: { message: earlierFact('MessageSpoken'), parts: count },
  DeliveryFailed: { message: earlierFact('MessageSpoken'), reason: acceptAny },
  MessageHeard: {
    channel: maybe(channel),
    key: acceptAny,
    parts: (parts, ...rest) => parts.every(({ by }) => optionalName(by, ...rest)),
    media: maybe((file, ...rest) => media(file, ...rest) && optionalName(file.by, ...rest)),
  },
  MessagesHidden: { messages: shownMessages, reason: acceptAny },
  MessagesShown: { messages: shownMessages },
  AnswerAsked: {
    turn,
    mode: acceptAny,
    channel: maybe(channel),
    after: (previous, context) => previous < context.seq,
    organ: (value, ...rest) => value === undefined || organ(value, ...rest),
  },
  GreetingAsked: { language: (code) => code === undefined || isLanguageCode(code) },
  TurnBegan: {
    life,
    channel: maybe(channel),
    stimuli: (stimuli, context) =>
      stimuli.after <= stimuli.upTo &&
      stimuli.upTo < context.seq &&
      stimuli.due.every((plan) => id(plan, context, undefined)),
    window: (first, context) => first === undefined || first <= context.seq,
    known: (seqs = [], context) =>
      seqs.length <= maxKnown && seqs.every((seq) => statementFact(seq, context, undefined)),
  },
  ModelAnswered: {
    ...callRules,
    turn: maybe(turn),
    step: maybe(step),
    usage,
    cause: acceptAny,
    opaque: acceptAny,
    borrowed: acceptAny,
    profile: acceptAny,
    price: maybe(({ usd, dated }, ...rest) => sum(usd, ...rest) && date(dated, ...rest)),
    recipe: maybe(({ parts }, context) =>
      parts.every((part) => typeof part === 'string' || anyEarlier(part, context, undefined)),
    ),
    answer: maybe(
      (answer, ...rest) => 'part' in answer || answer.calls.every(({ input }) => json(input, ...rest)),
    ),
  },
  ModelFailed: {
    ...callRules,
    turn: maybe(turn),
    step: maybe(step),
    kind: acceptAny,
    reason: acceptAny,
    cause: acceptAny,
  },
  MediaDescribed: {
    turn,
    message: earlierFact('MessageHeard', 'MessageSpoken'),
    filename: isMediaName,
    organ: acceptAny,
    outcome: acceptAny,
    text: acceptAny,
  },
  ToolCalled: { turn, step, call: acceptAny, name: acceptAny, input: json, of: acceptAny },
  ToolAnswered: { turn, step, call: acceptAny, name: acceptAny, ok: acceptAny, output: json },
  // Must be declared again here: a foreign diary must not start programs.
  ToolServerSet: { name, server: acceptAny },
  ToolServerRemoved: { name },
  ToolModeSet: { server: name, tool: name, mode: acceptAny, definition: acceptAny, described: acceptAny },
  CalendarSubscribed: { id, kind: acceptAny, name, host: name, secret: name },
  CalendarUnsubscribed: { id },
  MailboxConnected: {
    ...{ id, name, host: name, user: name, folder: name, secret: name, security: acceptAny },
    ...{ port: count, uidValidity: count, after: count },
  },
  MailboxDisconnected: { id },
  MailRead: {
    ...{ mailbox: id, uid: count, uidValidity: count, key: name, sort: acceptAny },
    ...{ from: isWithin(maxMailText), subject: isWithin(maxMailText) },
    summary: maybe(
      ({ text, asked, dates }) =>
        text.length <= maxMailText &&
        asked.length <= maxMailText &&
        dates.length <= maxMailDates &&
        dates.every((date) => date.length <= maxMailText),
    ),
  },
  MailsShown: { upTo: (upTo, context) => upTo < context.seq },
  SearchProvidersSet: {
    providers: (list) => list.length <= SearchProvider.options.length,
    readsResults: acceptAny,
  },
  WebSearched: {
    turn,
    step,
    provider: acceptAny,
    found: maybe(count),
    price: maybe(({ usd, dated }, ...rest) => sum(usd, ...rest) && date(dated, ...rest)),
  },
  ApprovalAsked: {
    turn,
    step,
    call: acceptAny,
    server: name,
    tool: name,
    input: json,
    definition: acceptAny,
    changed: acceptAny,
    again: acceptAny,
  },
  ApprovalSettled: { approval: earlierFact('ApprovalAsked'), decision: acceptAny, channel: maybe(channel) },
  TurnResumed: { turn, life },
  SkillAdded: {
    name: skillName,
    description: isWithin(maxSkillDescription),
    files: (files) =>
      files.length <= maxSkillFiles &&
      files.every(({ path, bytes }) => path.length <= maxNameLength && bytes >= 0),
    media,
  },
  SkillEnabled: { name: skillName, sha256: acceptAny },
  SkillDisabled: { name: skillName },
  SkillRemoved: { name: skillName },
  MessageSpoken: {
    turn: maybe(turn),
    step: maybe(step),
    channel: maybe(channel),
    content: acceptAny,
    media: maybe(media),
    asks: maybe((askedCall, ...rest) => turn(askedCall.turn, ...rest) && step(askedCall.step, ...rest)),
    borrowed: acceptAny,
    notice: acceptAny,
    model: (text) => text === undefined || text.length <= maxNameLength,
    pages: (pages = [], ...rest) =>
      pages.length <= maxSources &&
      pages.every(({ title, url, at }) => title.length <= 200 && url.length <= 2000 && count(at, ...rest)),
    help: acceptAny,
    initiative: (id) => id === undefined || id.length <= maxNameLength,
  },
  TurnEnded: { turn, outcome: acceptAny, reason: acceptAny },
  MemoryKept: memoryRules,
  MemoryRevised: { id, text: statement, sources, origin: acceptAny, via: byOthers, ...period },
  MemoryForgotten: {
    id,
    why: acceptAny,
    into: (other, ...rest) => other === undefined || id(other, ...rest),
    unasked: acceptAny,
  },
  MemoryRestored: memoryRules,
  MemoryPinned: { id, pinned: acceptAny, origin: acceptAny },
  MemoryProposed: { id, document: acceptAny, text: statement, by: maybe(name) },
  ProposalSettled: { id, accepted: acceptAny },
  ContextCarried: {
    after: anySeqUpTo,
    upTo: anyEarlier,
    carry: acceptAny,
    summary: acceptAny,
    borrowed: acceptAny,
  },
  HistoryFed: {
    source: acceptAny,
    conversation: acceptAny,
    title: acceptAny,
    updated: acceptAny,
    hash: acceptAny,
    messages: count,
    summary: acceptAny,
  },
  InstructionLearned: { id, intention: isWithin(maxTitleLength), body: isWithin(maxLessonLength) },
  InstructionRevised: { id, body: isWithin(maxLessonLength) },
  InstructionRemoved: { id },
  EntryPlanned: planRules,
  EntryMoved: planRules,
  EntryCancelled: { id },
  EntryDue: { id },
  EntryDone: { id },
  InitiativeChosen: { level: acceptAny, zone: maybe(zone), quietFrom: dayTime, quietUntil: dayTime },
  InitiativePlanned: reasonRules,
  InitiativeMoved: reasonRules,
  InitiativeRemoved: { id, cause: acceptAny },
  InitiativeDisliked: { id, kind: acceptAny, reason: statement },
  InitiativeConsidered: { life, id },
  InitiativeSettled: { id, outcome: acceptAny, next: maybe(moment) },
  ResponseBegan: {
    id,
    previous: (value, ...rest) => value === null || id(value, ...rest),
    background: acceptAny,
    request: json,
  },
  ResponseEnded: {
    id,
    status: acceptAny,
    text: acceptAny,
    deltas: acceptAny,
    calls: acceptAny,
    tokens: maybe(({ input, output, cached }) => [input, output, cached].every((value) => value >= 0)),
    error: acceptAny,
  },
  SleepBegan: { life, by: acceptAny },
  DayClosed: {
    after: anySeqUpTo,
    upTo: anyEarlier,
    began: moment,
    ended: moment,
    summary: acceptAny,
    by: acceptAny,
    borrowed: acceptAny,
  },
  SleepEnded: { life, outcome: acceptAny, reason: acceptAny },
}

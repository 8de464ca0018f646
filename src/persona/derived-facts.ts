/** Finds facts derived from other facts: their turns, descriptions, memories, plans, summaries and copies. */
import type { Seq } from '../../facts/fact-values.ts'
import {
  type EventOf,
  type EventType,
  getTraits,
  isKnown,
  type PersonaEvent,
  personaVocabulary,
} from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { decodeRecord, isErased, toEntry } from '../../journal/log/record.ts'
import type { StoredRecord } from '../../journal/log/stored-record.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { inboxKey } from '../../projections/talk.ts'

interface SelectedFact {
  readonly seq: Seq
  readonly event: PersonaEvent
}

/** Returns positions, ascending, without the given facts and those already erased. Throws Damaged. */
export const findDerivedFacts = async (
  journal: Journal,
  facts: readonly SelectedFact[],
  maybeYield: MaybeYield,
): Promise<readonly Seq[]> => {
  const askedSeqs = new Set(facts.map(({ seq }) => seq))
  const origins = createOrigins(facts)
  const derivedSeqs: Seq[] = []
  let seq = Math.min(...askedSeqs)
  for await (const values of journal.records(journal.head, seq)) {
    for (const value of values) {
      seq++
      const record = decodeRecord(seq, value)
      if (origins.made(record) && !askedSeqs.has(seq)) derivedSeqs.push(seq)
    }
    await maybeYield()
  }
  return derivedSeqs
}

/** Records must be passed in journal order: derived facts of derived facts count too. */
const createOrigins = (facts: readonly SelectedFact[]) => {
  const talk = facts.filter(({ event }) => isTalk(event)).map(({ seq }) => seq)
  const sources = new Set(facts.map(({ seq }) => seq))
  const namedIds = new Set(facts.flatMap(({ event }) => getIds(event)))
  const spokenMessages = facts.flatMap(({ event }) => (event.type === 'MessageSpoken' ? [event] : []))
  const turns = createTurns(facts)
  const pieces = facts
    .flatMap(({ event }) => textsOfFact(event).flatMap(distinctivePieces))
    .map((text) => Buffer.from(text))

  const containsPiece = ({ payload }: StoredRecord): boolean => {
    const words = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
    return pieces.some((piece) => words.includes(piece))
  }
  const referenceChecks = createReferences({ sources, named: namedIds, talk, spoken: spokenMessages })
  /**
   * Decodes only possible matches: measured, decoding a whole life takes ten times as long as its headers.
   */
  const isDerived = (record: StoredRecord): boolean => {
    const { turn } = record.cause
    if (typeof turn === 'number' && turns.took(turn)) return true
    const isCall = record.type === 'ModelAnswered'
    if (isCall && !spokenMessages.some((message) => message.turn === turn)) return false
    // Each check takes the event of its own type.
    const check = referenceChecks[record.type as EventType] as ((event: PersonaEvent) => boolean) | undefined
    return check?.(toEntry(personaVocabulary, record).event) ?? false
  }
  return {
    made: (record: StoredRecord): boolean => {
      if (!isKnown(record.type, record.version) || isErased(record)) return false
      turns.pass(record)
      // Declarations may repeat a path of a message. Only their own erasure erases them.
      if (record.type === 'ToolServerSet') return false
      if (getTraits(record.type).blank === null || !(isDerived(record) || containsPiece(record))) return false
      const { event } = toEntry(personaVocabulary, record)
      sources.add(record.seq)
      for (const id of getIds(event)) namedIds.add(id)
      // A turn that ended normally has no text.
      return textsOfFact(event).length > 0
    },
  }
}

interface Origins {
  readonly sources: ReadonlySet<Seq>
  readonly named: ReadonlySet<string>
  readonly talk: readonly Seq[]
  readonly spoken: readonly EventOf<'MessageSpoken'>[]
}

/** Checks by type: whether a fact refers to one of the facts, or comes from the same step of a turn. */
const createReferences = ({ sources, named: namedIds, talk, spoken: spokenMessages }: Origins) => {
  const isNamed = ({ id }: { readonly id: string }) => namedIds.has(id)
  const isLearned = (event: { readonly id: string; readonly sources: readonly Seq[] }) =>
    isNamed(event) || event.sources.some((source) => sources.has(source))
  const spans = ({ after, upTo }: { readonly after: Seq | 0; readonly upTo: Seq }) =>
    talk.some((seq) => after < seq && seq <= upTo)
  const rows: { readonly [T in EventType]?: (event: EventOf<T>) => boolean } = {
    ModelAnswered: ({ turn, step }) =>
      spokenMessages.some((message) => message.turn === turn && message.step === step),
    MediaDescribed: ({ message }) => sources.has(message),
    MessageSpoken: ({ initiative }) => initiative !== undefined && namedIds.has(initiative),
    MemoryKept: isLearned,
    MemoryRevised: isLearned,
    MemoryRestored: isLearned,
    // The statement that it was merged into repeats its text.
    MemoryForgotten: (event) => event.into !== undefined && isNamed(event),
    EntryPlanned: isNamed,
    EntryMoved: isNamed,
    InstructionLearned: isNamed,
    InstructionRevised: isNamed,
    InitiativePlanned: isLearned,
    InitiativeMoved: isLearned,
    InitiativeDisliked: isNamed,
    ContextCarried: spans,
    DayClosed: spans,
  }
  return rows
}

/** Tracks the turns that consumed the messages. */
const createTurns = (facts: readonly SelectedFact[]) => {
  const turnsTaken = new Set<Seq>()
  let messages = facts.flatMap(({ seq, event }) =>
    event.type === 'MessageHeard' && event.channel ? [{ seq, channel: inboxKey(event.channel) }] : [],
  )
  return {
    took: (turn: Seq) => turnsTaken.has(turn),
    pass: (record: StoredRecord): void => {
      if (record.type !== 'TurnBegan' || messages.length === 0) return
      const { event, seq } = toEntry(personaVocabulary, record)
      if (event.type !== 'TurnBegan') return
      const { channel, stimuli } = event
      const channelMessages = messages.filter((message) => message.channel === inboxKey(channel))
      if (channelMessages.some((message) => stimuli.after < message.seq && message.seq <= stimuli.upTo))
        turnsTaken.add(seq)
      // Already consumed by this turn: no later turn takes them.
      messages = messages.filter(
        (message) => !channelMessages.includes(message) || message.seq > stimuli.after,
      )
    },
  }
}

const isTalk = ({ type }: PersonaEvent): boolean => type === 'MessageHeard' || type === 'MessageSpoken'

/** Ids of statements, plans and lessons are shared by all facts about them. */
const getIds = (event: PersonaEvent): readonly string[] =>
  (event.type.startsWith('Memory') ||
    event.type.startsWith('Entry') ||
    event.type.startsWith('Initiative') ||
    event.type.startsWith('Instruction')) &&
  'id' in event
    ? [event.id, ...('into' in event && event.into !== undefined ? [event.into] : [])]
    : []

/** Whether the fact has a payload that can be erased. */
export const hasWords = (event: PersonaEvent): boolean => getTraits(event.type).blank !== null

/** Returns all texts of the payload. */
export const textsOfFact = (event: PersonaEvent): readonly string[] => {
  const { blank } = getTraits(event.type)
  const fields = Object.keys(blank ?? {}).filter((field) => !derivedFields.has(field))
  const texts = fields.flatMap((field) => stringsIn((event as unknown as Record<string, unknown>)[field]))
  // The other file names are the daemon's own.
  const file = 'media' in event ? event.media : null
  return [...new Set([...texts, ...(file ? [file.name] : [])])].filter((text) => text.trim() !== '')
}

/** Repeated in other fields of the fact, or single words that match by accident. */
const derivedFields = new Set(['recipe', 'borrowed', 'via', 'opaque'])

/** Keys of an answer that hold ids and kinds, not words. */
const nonWordKeys = new Set(['id', 'name', 'filename', 'mime', 'sha256', 'from'])

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return Object.entries(value).flatMap(([key, inner]) => (nonWordKeys.has(key) ? [] : stringsIn(inner)))
}

// Shorter pieces match by accident.
const minTextLength = 12
const minSentenceLength = 20

/** Returns the pieces that prove a copy: the whole text and its long sentences. */
export const distinctivePieces = (text: string): readonly string[] => {
  const wholeText = text.trim()
  const sentences = wholeText.split(/[\n.!?。！？]+/).map((piece) => piece.trim())
  return [
    ...(wholeText.length >= minTextLength ? [wholeText] : []),
    ...sentences.filter((piece) => piece !== wholeText && piece.length >= minSentenceLength),
  ]
}

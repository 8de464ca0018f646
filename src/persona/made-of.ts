/**
 * What was made of facts: the turn that took them, what was perceived, learned, planned and summed up of
 * them, and whatever repeats their words.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import {
  type EventOf,
  type EventType,
  isKnown,
  type PersonaEvent,
  traitsOf,
} from '../../journal/facts/facts.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { decodeRecord, entryOf, isErased } from '../../journal/log/record.ts'
import type { StoredRecord } from '../../journal/log/stored-record.ts'
import { inboxKey } from '../../projections/talk.ts'
import type { MaybeYield } from '../flow/yielding.ts'
import { tellingPieces, textsOf } from './erasable-words.ts'

interface Wanted {
  readonly seq: Seq
  readonly event: PersonaEvent
}

/** Positions, ascending; neither those asked for nor any whose words are gone. Damaged. */
export const madeOf = async (
  journal: Journal,
  wanted: readonly Wanted[],
  maybeYield: MaybeYield,
): Promise<readonly Seq[]> => {
  const asked = new Set(wanted.map(({ seq }) => seq))
  const origins = createOrigins(wanted)
  const found: Seq[] = []
  let seq = Math.min(...asked)
  for await (const values of journal.records(journal.head, seq)) {
    for (const value of values) {
      seq++
      const record = decodeRecord(seq, value)
      if (origins.made(record) && !asked.has(seq)) found.push(seq)
    }
    await maybeYield()
  }
  return found
}

/** Looked at in the order of the journal: what was made of something made of them counts, too. */
const createOrigins = (wanted: readonly Wanted[]) => {
  const talk = wanted.filter(({ event }) => isTalk(event)).map(({ seq }) => seq)
  const sources = new Set(wanted.map(({ seq }) => seq))
  const named = new Set(wanted.flatMap(({ event }) => idsOf(event)))
  const spoken = wanted.flatMap(({ event }) => (event.type === 'MessageSpoken' ? [event] : []))
  const turns = createTurns(wanted)
  const pieces = wanted
    .flatMap(({ event }) => textsOf(event).flatMap(tellingPieces))
    .map((text) => Buffer.from(text))

  const repeats = ({ payload }: StoredRecord): boolean => {
    const words = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
    return pieces.some((piece) => words.includes(piece))
  }
  const refers = createReferences({ sources, named, talk, spoken })
  /** Only what may follow is decoded: ⏱ the words of a whole life take ten times as long as its headers. */
  const follows = (record: StoredRecord): boolean => {
    const { turn } = record.cause
    if (turn !== undefined && turns.took(turn)) return true
    const isCall = record.type === 'ModelAnswered'
    if (isCall && !spoken.some((said) => said.turn === turn)) return false
    // Each row takes the event of its own type.
    const row = refers[record.type as EventType] as ((event: PersonaEvent) => boolean) | undefined
    return row?.(entryOf(record).event) ?? false
  }
  return {
    made: (record: StoredRecord): boolean => {
      if (!isKnown(record.type, record.version) || isErased(record)) return false
      turns.pass(record)
      // A path in a message is also in a declaration: that goes by its own position alone.
      if (record.type === 'ToolServerSet') return false
      if (traitsOf(record.type).blank === null || !(follows(record) || repeats(record))) return false
      const { event } = entryOf(record)
      sources.add(record.seq)
      for (const id of idsOf(event)) named.add(id)
      // A turn that ended well says nothing.
      return textsOf(event).length > 0
    },
  }
}

interface Origins {
  readonly sources: ReadonlySet<Seq>
  readonly named: ReadonlySet<string>
  readonly talk: readonly Seq[]
  readonly spoken: readonly EventOf<'MessageSpoken'>[]
}

/** Of what its words say that it was made: by what it refers to, or the step it was said in. */
const createReferences = ({ sources, named, talk, spoken }: Origins) => {
  const isNamed = ({ id }: { readonly id: string }) => named.has(id)
  const isLearned = (event: { readonly id: string; readonly sources: readonly Seq[] }) =>
    isNamed(event) || event.sources.some((source) => sources.has(source))
  const spans = ({ after, upTo }: { readonly after: Seq | 0; readonly upTo: Seq }) =>
    talk.some((seq) => after < seq && seq <= upTo)
  const rows: { readonly [T in EventType]?: (event: EventOf<T>) => boolean } = {
    ModelAnswered: ({ turn, step }) => spoken.some((said) => said.turn === turn && said.step === step),
    MediaDescribed: ({ message }) => sources.has(message),
    MemoryKept: isLearned,
    MemoryRevised: isLearned,
    MemoryRestored: isLearned,
    EntryPlanned: isNamed,
    EntryMoved: isNamed,
    InstructionLearned: isNamed,
    InstructionRevised: isNamed,
    ContextCarried: spans,
    DayClosed: spans,
  }
  return rows
}

/** The turns that took what was heard. */
const createTurns = (wanted: readonly Wanted[]) => {
  const took = new Set<Seq>()
  let heard = wanted.flatMap(({ seq, event }) =>
    event.type === 'MessageHeard' && event.channel ? [{ seq, channel: inboxKey(event.channel) }] : [],
  )
  return {
    took: (turn: Seq) => took.has(turn),
    pass: (record: StoredRecord): void => {
      if (record.type !== 'TurnBegan' || heard.length === 0) return
      const { event, seq } = entryOf(record)
      if (event.type !== 'TurnBegan') return
      const { channel, stimuli } = event
      const here = heard.filter((one) => one.channel === inboxKey(channel))
      if (here.some((one) => stimuli.after < one.seq && one.seq <= stimuli.upTo)) took.add(seq)
      // Consumed by then: no later turn takes it.
      heard = heard.filter((one) => !here.includes(one) || one.seq > stimuli.after)
    },
  }
}

const isTalk = ({ type }: PersonaEvent): boolean => type === 'MessageHeard' || type === 'MessageSpoken'

/** Statements, plans and lessons go on under their ids. */
const idsOf = (event: PersonaEvent): readonly string[] =>
  (event.type.startsWith('Memory') ||
    event.type.startsWith('Entry') ||
    event.type.startsWith('Instruction')) &&
  'id' in event
    ? [event.id]
    : []

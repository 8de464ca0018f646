/** What of a fact can be found, and what is shown of it. */

import type { Media, Seq } from '../../journal/facts/fact-values.ts'
import type { EventOf, EventType } from '../../journal/facts/facts.ts'
import type { Entry, Journal } from '../../journal/log/journal.ts'
import { contentOf } from '../../projections/message-parts.ts'
import { valueAt } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'

export const Kinds = ['said', 'file', 'memory', 'plan', 'instruction', 'day', 'history'] as const
export type Kind = (typeof Kinds)[number]

const kinds: Partial<Record<EventType, Kind>> = {
  MessageHeard: 'said',
  MessageSpoken: 'said',
  MediaDescribed: 'file',
  MemoryKept: 'memory',
  MemoryRevised: 'memory',
  MemoryRestored: 'memory',
  EntryPlanned: 'plan',
  EntryMoved: 'plan',
  InstructionLearned: 'instruction',
  InstructionRevised: 'instruction',
  DayClosed: 'day',
  HistoryFed: 'history',
}
export const kindOf = (type: EventType): Kind | undefined => kinds[type]

/** The message a file came with. */
type Bearer = { readonly entry: Entry; readonly event: EventOf<'MessageHeard' | 'MessageSpoken'>; readonly media: Media }

export interface Found {
  readonly entry: Entry
  readonly kind: Kind
  readonly text: string
  /** For a file: the message it came with, where that can be read. */
  readonly bearer: Bearer | null
}

/** UTF-16 units of a document's words. */
const mostOfFile = 64 * 1024

/** Undefined for a fact without words. Damaged where it cannot be read. */
export const textOf = async (entry: Entry, journal: Journal, { knowledge }: Persona): Promise<Found | undefined> => {
  const kind = kindOf(entry.type)
  if (!kind) return undefined
  const found = (...parts: readonly (string | undefined)[]): Found => ({
    ...{ entry, kind, text: parts.filter(Boolean).join('\n'), bearer: null },
  })
  const { event } = entry
  switch (event.type) {
    case 'MessageHeard':
    case 'MessageSpoken':
      return found(contentOf(event), event.media?.name, event.media?.caption)
    case 'MediaDescribed': {
      if (event.outcome !== 'perceived') return undefined
      const bearer = await bearerOf(event, journal)
      return { ...found(bearer?.media.name, event.text.slice(0, mostOfFile)), bearer }
    }
    case 'MemoryKept':
    case 'MemoryRevised':
    case 'MemoryRestored':
      return found(event.text)
    case 'EntryPlanned':
    case 'EntryMoved':
      return found(event.content)
    case 'InstructionLearned':
      return found(event.intention, event.body)
    case 'InstructionRevised':
      return found(valueAt(knowledge.instructions, event.id)?.intention, event.body)
    case 'DayClosed':
      return found(event.summary)
    case 'HistoryFed':
      return found(event.title, event.summary)
    default:
      return undefined
  }
}

const bearerOf = async ({ message, filename }: EventOf<'MediaDescribed'>, journal: Journal): Promise<Bearer | null> => {
  const entry = await entryAt(journal, message)
  const event = entry?.event
  if (!entry || (event?.type !== 'MessageHeard' && event?.type !== 'MessageSpoken')) return null
  return event.media?.filename === filename ? { entry, event, media: event.media } : null
}

export const entryAt = async (journal: Journal, seq: Seq): Promise<Entry | undefined> => {
  for await (const entry of journal.read({ after: seq - 1, upTo: seq })) return entry
  return undefined
}

/** What was forgotten, put right or removed is not found any more; of a plan only what it last was, which `latest` knows. */
export const stillHolds = async (
  { entry: { seq, event } }: Found,
  { knowledge }: Persona,
  latest: (plan: string) => Promise<Seq | undefined>,
): Promise<boolean> => {
  switch (event.type) {
    case 'MemoryKept':
    case 'MemoryRevised':
    case 'MemoryRestored':
      return valueAt(knowledge.statements, event.id)?.seq === seq
    case 'InstructionLearned':
    case 'InstructionRevised':
      return valueAt(knowledge.instructions, event.id)?.seq === seq
    case 'EntryPlanned':
    case 'EntryMoved':
      return (await latest(event.id)) === seq
    default:
      return true
  }
}

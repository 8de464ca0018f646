/** The searchable text of facts. */
import type { SearchKind } from '../../facts/fact.ts'
import type { Media, Seq } from '../../facts/fact-values.ts'
import { type EventIn, type EventOf, getTraits, isIn, type Searchable } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import { getContent, isNotice } from '../../projections/message-parts.ts'
import { valueAt } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'

/** The message of a file. */
type Bearer = { readonly entry: Entry; readonly event: EventIn<'talk'>; readonly media: Media }

export interface FoundText {
  readonly entry: Entry
  readonly kind: SearchKind
  readonly text: string
  /** For a file: its message, if readable. */
  readonly bearer: Bearer | null
}

/** Of a document, in UTF-16 units. */
const maxFileLength = 64 * 1024

/**
 * Returns undefined for facts that are not searchable, mostly without decoding them, and for notices of the
 * daemon. Throws Damaged.
 */
export const getSearchText = async (
  entry: Entry,
  journal: Journal,
  persona: Persona,
): Promise<FoundText | undefined> => {
  const { search: kind } = getTraits(entry.type)
  if (!kind) return undefined
  const event = entry.event as Searchable
  if (event.type === 'MediaDescribed' && event.outcome !== 'perceived') return undefined
  if (event.type === 'MessageSpoken' && isNotice(event)) return undefined
  const bearer = event.type === 'MediaDescribed' ? await getBearer(event, journal) : null
  return { entry, kind, text: getFields(event, bearer, persona).filter(Boolean).join('\n'), bearer }
}

const getFields = (
  event: Searchable,
  bearer: Bearer | null,
  { knowledge }: Persona,
): readonly (string | undefined)[] => {
  switch (event.type) {
    case 'MessageHeard':
    case 'MessageSpoken':
      return [getContent(event), event.media?.name, event.media?.caption]
    case 'MediaDescribed':
      return [bearer?.media.name, event.text.slice(0, maxFileLength)]
    case 'MemoryKept':
    case 'MemoryRevised':
    case 'MemoryRestored':
      return [event.text]
    case 'EntryPlanned':
    case 'EntryMoved':
      return [event.content]
    case 'InstructionLearned':
      return [event.intention, event.body]
    case 'InstructionRevised':
      return [valueAt(knowledge.instructions, event.id)?.intention, event.body]
    case 'DayClosed':
      return [event.summary]
    case 'HistoryFed':
      return [event.title, event.summary]
  }
}

/** In UTF-16 units. Fits most embedding models, in any script. */
const maxPartLength = 2000

/** Splits a text for embedding. */
export const splitText = (text: string): readonly string[] => {
  const parts: string[] = []
  for (let rest = text.trim(); rest !== ''; ) {
    const part = cutOff(rest)
    parts.push(part.trim())
    rest = rest.slice(part.length).trim()
  }
  return parts
}

/** Cuts between words if possible. */
const cutOff = (text: string): string => {
  if (text.length <= maxPartLength) return text
  const part = text.slice(0, maxPartLength)
  const space = Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'))
  return space > maxPartLength / 2 ? part.slice(0, space) : part.replace(/[\uD800-\uDBFF]$/, '')
}

const getBearer = async (
  { message, filename }: EventOf<'MediaDescribed'>,
  journal: Journal,
): Promise<Bearer | null> => {
  const entry = await entryAt(journal, message)
  const event = entry?.event
  if (!entry || !event || !isIn('talk', event)) return null
  return event.media?.filename === filename ? { entry, event, media: event.media } : null
}

/** False for forgotten, corrected, hidden and removed texts, and for all but the latest version of a plan. */
export const stillHolds = async (
  { kind, entry: { seq, event } }: FoundText,
  { knowledge, talk }: Persona,
  findLatest: (plan: string) => Promise<Seq | undefined>,
): Promise<boolean> => {
  const id = 'id' in event ? event.id : ''
  switch (kind) {
    case 'memory':
      return valueAt(knowledge.statements, id)?.seq === seq
    case 'instruction':
      return valueAt(knowledge.instructions, id)?.seq === seq
    case 'plan':
      return (await findLatest(id)) === seq
    case 'said':
      return !talk.hidden[seq]
    case 'file':
      return !('message' in event && talk.hidden[event.message])
    case 'day':
    case 'history':
      return true
  }
}

/** Reads the recent talk, the days and the failed model calls for a health report from the journal. */
import type { PersonaId, PromptProfile, Seq, Slot } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { yieldNow } from '../../packages/kit/flow/yielding.ts'
import type { Log } from '../../packages/kit/log.ts'
import { toMaskedText } from '../../packages/kit/redact.ts'
import { isoWithOffset } from '../../packages/kit/time/clock.ts'
import { toMessage } from '../../projections/conversation.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { Search } from '../search/search.ts'
import type { VectorsTold } from '../search/vectors.ts'

export interface MindView {
  /** Messages since the last consolidation, oldest first. */
  readonly messages: readonly {
    readonly id: Seq
    readonly role: 'person' | 'assistant'
    readonly content: string
    readonly time: string
  }[]
  /** Closed days, newest first. */
  readonly archive: readonly { readonly time: string; readonly body: string }[]
  readonly context: string
}

export interface JournalReport {
  /** Null if the journal cannot be read. */
  readonly persona: Persona | null
  readonly head: Journal['head'] | null
  readonly mind: MindView
  readonly errors: ReadonlyMap<Slot, FailedCall>
  /** Profile of the last answer in a turn. Null if there is none, or another Mind gave it. */
  readonly profile: PromptProfile | null
  readonly vectors: VectorsTold | null
  /** Null if there are too few messages. */
  readonly factsPerMessage: number | null
}

type FailedCall = { readonly entry: Entry; readonly event: EventOf<'ModelFailed'> }

const emptyReport: JournalReport = {
  persona: null,
  head: null,
  mind: { messages: [], archive: [], context: '' },
  errors: new Map(),
  profile: null,
  vectors: null,
  factsPerMessage: null,
}

interface Deps {
  readonly personas: Pick<PersonaStore, 'read'>
  readonly search: Pick<Search, 'vectors'>
  readonly log: Log
}

/** Reads up to the first damaged record. Rejects with `persona_unknown`. */
export const readJournalReport = async (
  { personas, search, log }: Deps,
  id: PersonaId,
): Promise<JournalReport> => {
  try {
    return await personas.read(id, async ({ persona, journal }) => {
      // Read first: it loads the messages into memory that are shown below.
      const factsPerMessage = await countFactsPerMessage(journal)
      return {
        vectors: await search.vectors(id, { persona, journal }),
        persona,
        head: journal.head,
        mind: {
          messages: await readMessages(id, journal, persona),
          archive: await readArchive(journal),
          context: persona.days.carried?.text ?? '',
        },
        ...(await readCalls(journal, persona.self)),
        factsPerMessage,
      }
    })
  } catch (err) {
    if (err instanceof Refused) throw err
    // The list already reports the problem. The rest of the report is still returned.
    log.debug({ id, err }, 'failed to read the journal')
    return emptyReport
  }
}

/** The estimate uses the latest messages, as many as stay in memory after a read. */
const maxCountedMessages = 200
const minCountedMessages = 20

const countFactsPerMessage = async (journal: Journal): Promise<number | null> => {
  const seqs: Seq[] = []
  await readUntilDamage(journal.read({ kind: 'talk', last: maxCountedMessages }), ({ seq }) => seqs.push(seq))
  const [first] = seqs
  return first === undefined || seqs.length < minCountedMessages
    ? null
    : (journal.head.seq - first + 1) / seqs.length
}

/** Reads entries up to the first damaged one. */
const readUntilDamage = async (
  entries: AsyncIterable<Entry>,
  takeEntry: (entry: Entry) => void,
): Promise<void> => {
  try {
    for await (const entry of entries) takeEntry(entry)
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
  }
}

const maxMessages = 100

const readMessages = async (
  id: PersonaId,
  journal: Journal,
  { days }: Persona,
): Promise<MindView['messages']> => {
  const messages: MindView['messages'][number][] = []
  await readUntilDamage(
    journal.read({ kind: 'talk', after: days.consolidated, last: maxMessages }),
    (entry) => {
      const message = toMessage(id, entry, isoWithOffset(entry.at, entry.offset))
      if (!message) return
      const { role, content, media, time } = message
      messages.push({
        id: entry.seq,
        role,
        content: toMaskedText(content || media?.caption || media?.name || ''),
        time,
      })
    },
  )
  return messages
}

const maxDays = 30
/** The index of days also contains consolidations and nights, so only a limited number of entries is read. */
const pageSize = 64
const maxPages = 8

const readArchive = async (journal: Journal): Promise<MindView['archive']> => {
  const days: MindView['archive'][number][] = []
  let upTo = journal.head.seq
  for (let n = 0; n < maxPages && upTo > 0 && days.length < maxDays; n++) {
    const entries: Entry[] = []
    await readUntilDamage(
      journal.read({ kind: 'days', upTo, last: pageSize }),
      (entry) => void entries.push(entry),
    )
    for (const entry of entries.toReversed()) {
      const event = entry.type === 'DayClosed' ? readEvent(entry) : undefined
      if (event?.type === 'DayClosed')
        days.push({ time: isoWithOffset(event.ended, entry.offset), body: toMaskedText(event.summary) })
    }
    const [oldestEntry] = entries
    if (!oldestEntry || entries.length < pageSize) break
    upTo = oldestEntry.seq - 1
    await yieldNow()
  }
  return days.slice(0, maxDays)
}

const readEvent = (entry: Entry): Entry['event'] | undefined => {
  try {
    return entry.event
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
}

/** Number of latest model calls that are read. Older ones no longer matter. */
const maxCalls = 100

/** Returns the last failure and profile of each organ, if it still has the model that was called. */
const readCalls = async (
  journal: Journal,
  { organs }: Self,
): Promise<Pick<JournalReport, 'errors' | 'profile'>> => {
  const errors = new Map<Slot, FailedCall>()
  let profile: PromptProfile | null = null
  await readUntilDamage(journal.read({ kind: 'calls', last: maxCalls }), (entry) => {
    const event = readEvent(entry)
    if (event?.type !== 'ModelFailed' && event?.type !== 'ModelAnswered') return
    const organ = organs[event.organ]
    if (organ?.model !== event.model || organ.provider !== event.provider) return
    if (event.type === 'ModelFailed') errors.set(event.organ, { entry, event })
    else if (event.cause === 'turn') profile = event.profile ?? 'full'
  })
  return { errors, profile }
}

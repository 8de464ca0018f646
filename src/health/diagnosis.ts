/**
 * The health report of a persona for its user: recent talk, uptime of the last day, organs, channels, journal
 * and diaries.
 */

import type {
  ChannelKind,
  Organ,
  PersonaId,
  Provider,
  Seq,
  Slot,
  Status,
} from '../../journal/facts/fact-values.ts'
import type { EventOf } from '../../journal/facts/facts.ts'
import type { KeptDiary } from '../../journal/files/kept-diaries.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Entry, Journal } from '../../journal/log/journal.ts'
import { yieldNow } from '../../packages/kit/flow/yielding.ts'
import type { Log } from '../../packages/kit/log.ts'
import { toMaskedText } from '../../packages/kit/redact.ts'
import { type Clock, isoIn, isoWithOffset } from '../../packages/kit/time/clock.ts'
import type { Models } from '../../packages/models/models.ts'
import { channelName } from '../../projections/bot-channels.ts'
import { toMessage } from '../../projections/conversation.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import { getWrapper } from '../../projections/view.ts'
import type { Agents } from '../agents/agents.ts'
import type { Diaries } from '../diary/diaries.ts'
import type { PersonaStore, RosterRow, Vitals } from '../persona/persona-store.ts'
import { formatMissingKeys, Refused } from '../persona/refusals.ts'
import type { Search } from '../search/search.ts'
import type { VectorsTold } from '../search/vectors.ts'
import type { DurabilityTold, DurabilityWatch } from './durability-watch.ts'
import type { Minutes } from './minutes.ts'
import { getUptime, type Uptime } from './uptime.ts'

/** `time`: null if unknown. `kind`: null if the organ was marked as failed without a model call. */
export interface OrganError {
  readonly reason: string
  readonly time: string | null
  readonly kind: EventOf<'ModelFailed'>['kind'] | null
}

export interface OrganHealth {
  readonly model: string
  readonly provider: Provider | null
  readonly state: 'well' | 'failing'
  readonly last_error: OrganError | null
  /** Present if the organ refers to a key that no longer exists. */
  readonly key_missing?: true
  /**
   * Request options that the server rejected by name and that are no longer sent. Absent if there are none.
   */
  readonly server_refuses?: readonly string[]
}

export interface Diagnosis {
  readonly status: Status
  readonly running: boolean
  /** Why the persona is sick, failing or not running. Null if no problem is known. */
  readonly reason: string | null
  readonly mind: MindView
  readonly uptime: Uptime
  readonly organs: Readonly<Partial<Record<Slot, OrganHealth>>>
  /** The persona's bots, in the order they were added. */
  readonly channels: readonly {
    readonly type: ChannelKind
    readonly name: string
    readonly verified: boolean
    readonly state: 'well' | 'failing'
    readonly reason: string | null
    /** Number of messages that are not delivered yet. */
    readonly waiting: number
  }[]
  readonly journal: {
    readonly events: number
    readonly bytes: number
    /** Estimated from the latest messages. Null if there are too few. */
    readonly bytes_per_1000_messages: number | null
    readonly head: string
    readonly verified_at: string | null
    /** Only in a cluster. */
    readonly durability?: DurabilityView | undefined
  }
  /** Seconds without a message after which the talk is consolidated. */
  readonly idle_timeout: number
  /** The stored diaries. Null if they cannot be read. */
  readonly diaries: {
    readonly kept: number
    /** Number of diaries that only an older recovery phrase can decrypt. */
    readonly older: number
    readonly last: { readonly time: string; readonly events: number; readonly bytes: number } | null
  } | null
  /** Only if texts are embedded for search. */
  readonly embeddings?: VectorsTold | undefined
}

interface DurabilityView {
  readonly engine: 'jetstream'
  readonly server: string
  readonly replicas: number
  readonly current: number
  readonly differs: readonly string[]
  /** Seconds since the servers reported this. */
  readonly age: number
}

interface MindView {
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

interface Deps {
  readonly personas: Pick<PersonaStore, 'read' | 'vitals'>
  readonly agents: Pick<Agents, 'isRunning' | 'wakingFailure' | 'fault'>
  readonly minutes: Pick<Minutes, 'read'>
  readonly search: Pick<Search, 'vectors'>
  readonly models: Pick<Models, 'refusals'>
  readonly diaries: Pick<Diaries, 'list'>
  /** Null without a cluster. */
  readonly durability: Pick<DurabilityWatch, 'now'> | null
  readonly clock: Clock
  readonly log: Log
}

/**
 * Returns the health report, also for stopped and sick personas. For a damaged journal it covers the readable
 * part. Rejects with `persona_unknown`.
 */
export const diagnose = async (
  { personas, agents, minutes, search, models, diaries, durability, clock, log }: Deps,
  id: PersonaId,
  row: RosterRow,
): Promise<Diagnosis> => {
  const vitals = await personas.vitals(id)
  const [diskErrors, journalData, cells, storedDiaries] = await Promise.all([
    durability?.now() ?? null,
    readJournal({ personas, search, log }, id),
    minutes.read(id),
    diaries.list(id).catch((err: unknown) => {
      if (err instanceof Refused) throw err
      log.debug({ id, err }, 'failed to list the diaries')
      return null
    }),
  ])
  const { self } = journalData.persona ?? row
  const isRunning = agents.isRunning(id)
  const { head, bytes, verified } = vitals
  const known = journalData.head ?? head
  return {
    status: row.self.status,
    running: isRunning,
    reason: getReason(row, isRunning, agents.wakingFailure(id), vitals) ?? agents.fault(id),
    mind: journalData.mind,
    uptime: getUptime(cells, clock.now(), clock.zone),
    organs: toOrganViews(self, {
      ...journalData,
      vitals,
      zone: clock.zone,
      getRefusals: (slot, organ) =>
        models.refusals(organ, slot === 'thinking' ? getWrapper(id, organ) : null),
    }),
    channels: toChannelViews(self, journalData.persona),
    journal: {
      events: known.seq,
      bytes,
      bytes_per_1000_messages:
        journalData.factsPerMessage && Math.round((1000 * bytes * journalData.factsPerMessage) / known.seq),
      head: known.hash,
      verified_at: verified === null ? null : isoIn(clock.zone, verified),
      ...(diskErrors && { durability: toDurabilityView(diskErrors) }),
    },
    idle_timeout: self.idleTimeout,
    diaries: storedDiaries && toDiariesView(storedDiaries, self, clock.zone),
    ...(journalData.vectors && { embeddings: journalData.vectors }),
  }
}

const toDurabilityView = ({ syncInterval: _, ...view }: DurabilityTold): DurabilityView => view

const toDiariesView = (
  storedDiaries: readonly KeptDiary[],
  { recipient }: Self,
  zone: string,
): Diagnosis['diaries'] => {
  const [last] = storedDiaries
  return {
    kept: storedDiaries.length,
    older: storedDiaries.filter((diary) => !diary.isFor(recipient)).length,
    last: last ? { time: isoIn(zone, last.made), events: last.seq, bytes: last.bytes } : null,
  }
}

const toChannelViews = ({ channels }: Self, persona: Persona | null): Diagnosis['channels'] =>
  channels.map((channel) => {
    const { kind: type, paired, trouble: reason } = channel
    const name = channelName(channel)
    const waitingCount =
      persona?.deliveries.waiting.filter(
        (delivery) => delivery.channel.type === type && delivery.channel.name === paired?.target,
      ) ?? []
    return {
      type,
      name,
      verified: paired !== null,
      state: reason === null ? 'well' : 'failing',
      reason,
      waiting: waitingCount.length,
    }
  })

const formatTime = ({ at, offset }: Entry) => isoWithOffset(at, offset)

const getReason = (
  { self, trouble }: RosterRow,
  isRunning: boolean,
  wakingFailure: string | null,
  { keyless }: Vitals,
): string | null => {
  if (trouble !== null) return formatTrouble(trouble)
  const startFailure = self.wanted && !isRunning ? wakingFailure : null
  return self.reason ?? startFailure ?? (keyless.length > 0 ? formatMissingKeys(keyless) : null)
}

/** A journal of a newer version already has a full sentence in the list. */
const formatTrouble = (trouble: string): string =>
  trouble.startsWith('Its journal')
    ? trouble
    : `Its journal is damaged (${trouble}). Salvage it to continue with the part that is intact.`

interface Evidence {
  /** Null if the journal cannot be read. */
  readonly persona: Persona | null
  readonly head: Journal['head'] | null
  readonly mind: MindView
  readonly errors: ReadonlyMap<Slot, FailedCall>
  readonly vectors: VectorsTold | null
  /** Null if there are too few messages. */
  readonly factsPerMessage: number | null
}

type FailedCall = { readonly entry: Entry; readonly event: EventOf<'ModelFailed'> }

const noJournalData: Evidence = {
  persona: null,
  head: null,
  mind: { messages: [], archive: [], context: '' },
  errors: new Map(),
  vectors: null,
  factsPerMessage: null,
}

const readJournal = async (
  { personas, search, log }: Pick<Deps, 'personas' | 'search' | 'log'>,
  id: PersonaId,
): Promise<Evidence> => {
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
        errors: await readErrors(journal, persona.self),
        factsPerMessage,
      }
    })
  } catch (err) {
    if (err instanceof Refused) throw err
    // The list already reports the problem. The rest of the report is still returned.
    log.debug({ id, err }, 'failed to read the journal')
    return noJournalData
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
  take: (entry: Entry) => void,
): Promise<void> => {
  try {
    for await (const entry of entries) take(entry)
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
      const message = toMessage(id, entry, formatTime(entry))
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
    const [oldest] = entries
    if (!oldest || entries.length < pageSize) break
    upTo = oldest.seq - 1
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

/** Number of latest model calls that are searched for errors. Older errors no longer matter. */
const maxCalls = 100

/** Returns the last failure of each organ, if it still has the model that failed. */
const readErrors = async (journal: Journal, { organs }: Self): Promise<Evidence['errors']> => {
  const errors = new Map<Slot, FailedCall>()
  await readUntilDamage(journal.read({ kind: 'calls', last: maxCalls }), (entry) => {
    const event = entry.type === 'ModelFailed' ? readEvent(entry) : undefined
    if (event?.type !== 'ModelFailed') return
    const organ = organs[event.organ]
    if (organ && organ.model === event.model && organ.provider === event.provider)
      errors.set(event.organ, { entry, event })
  })
  return errors
}

type SlotEvidence = Pick<Evidence, 'persona' | 'errors'> & {
  readonly vitals: Vitals
  readonly zone: string
  readonly getRefusals: (slot: Slot, organ: Organ) => readonly string[]
}

const toOrganViews = ({ organs }: Self, known: SlotEvidence): Diagnosis['organs'] =>
  Object.fromEntries(
    (Object.entries(organs) as [Slot, Organ][]).map(([slot, organ]) => {
      const { model, provider } = organ
      const refusals = known.getRefusals(slot, organ)
      const keyless = known.vitals.keyless.includes(slot)
      const isFailing = keyless || known.persona?.life.failed[slot] !== undefined
      const health: OrganHealth = {
        model,
        provider,
        state: isFailing ? 'failing' : 'well',
        last_error: getLastError(slot, known),
        ...(refusals.length > 0 && { server_refuses: refusals }),
      }
      return [
        slot,
        keyless
          ? {
              ...health,
              last_error: { reason: formatMissingKeys([slot]), time: null, kind: 'barred' },
              key_missing: true,
            }
          : health,
      ]
    }),
  )

const getLastError = (slot: Slot, { persona, errors, zone }: SlotEvidence): OrganError | null => {
  const slotError = errors.get(slot)
  if (slotError)
    return {
      reason: toMaskedText(slotError.event.reason),
      time: formatTime(slotError.entry),
      kind: slotError.event.kind,
    }
  const mark = persona?.life.failed[slot]
  return mark ? { reason: toMaskedText(mark.reason), time: isoIn(zone, mark.since), kind: null } : null
}

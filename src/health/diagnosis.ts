/**
 * How it is, for whoever looks after it: what its Mind has before it, how its last day went, its organs, its
 * journal.
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
import { textOf } from '../../packages/kit/masked.ts'
import { type Clock, isoIn, isoWithOffset } from '../../packages/kit/time/clock.ts'
import type { Models } from '../../packages/models/models.ts'
import { channelName } from '../../projections/bot-channels.ts'
import { messageOf } from '../../projections/conversation.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import { wrapperOf } from '../../projections/view.ts'
import type { Agents } from '../agents/agents.ts'
import type { Diaries } from '../diary/diaries.ts'
import { Refused, keysGone } from '../persona/refusals.ts'
import type { Listed, Personas, Vitals } from '../persona/persona-store.ts'
import type { Search } from '../search/search.ts'
import type { VectorsTold } from '../search/vectors.ts'
import type { DurabilityTold, DurabilityWatch } from './durability-watch.ts'
import type { Minutes } from './minutes.ts'
import { type Uptime, uptimeOf } from './uptime.ts'

/** `time` null where nobody knows when; `kind` null where what failed was marked without a call. */
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
  /** Only where it refers to a key that is gone. */
  readonly key_missing?: true
  /** What its server refused by name and is no longer asked. Only if there is any. */
  readonly server_refuses?: readonly string[]
}

export interface Diagnosis {
  readonly status: Status
  readonly running: boolean
  /** Why it is not well or not awake; null where nothing is known to be wrong. */
  readonly reason: string | null
  readonly mind: MindView
  readonly uptime: Uptime
  readonly organs: Readonly<Partial<Record<Slot, OrganHealth>>>
  /** Its bots, in the order they were added. */
  readonly channels: readonly {
    readonly type: ChannelKind
    readonly name: string
    readonly verified: boolean
    readonly state: 'well' | 'failing'
    readonly reason: string | null
    /** Words of its own that are still to be brought there. */
    readonly waiting: number
  }[]
  readonly journal: {
    readonly events: number
    readonly bytes: number
    /** As it has grown of late; null while little was said. */
    readonly bytes_per_1000_messages: number | null
    readonly head: string
    readonly verified_at: string | null
    /** Only in a cluster. */
    readonly durability?: DurabilityView | undefined
  }
  /** Seconds of silence after which it goes over what was said. */
  readonly idle_timeout: number
  /** Those that are kept here; null where the disk does not tell. */
  readonly diaries: {
    readonly kept: number
    /** Of them, those that only an older phrase opens. */
    readonly older: number
    readonly last: { readonly time: string; readonly events: number; readonly bytes: number } | null
  } | null
  /** Only where texts are embedded for search. */
  readonly embeddings?: VectorsTold | undefined
}

interface DurabilityView {
  readonly engine: 'jetstream'
  readonly server: string
  readonly replicas: number
  readonly current: number
  readonly differs: readonly string[]
  /** Seconds since the servers told it. */
  readonly age: number
}

interface MindView {
  /** What was said since it last went over it, oldest first. */
  readonly messages: readonly {
    readonly id: Seq
    readonly role: 'person' | 'assistant'
    readonly content: string
    readonly time: string
  }[]
  /** Days that are over, newest first. */
  readonly archive: readonly { readonly time: string; readonly body: string }[]
  readonly context: string
}

interface Deps {
  readonly personas: Pick<Personas, 'read' | 'vitals'>
  readonly agents: Pick<Agents, 'running' | 'wakingFailure' | 'fault'>
  readonly minutes: Pick<Minutes, 'read'>
  readonly search: Pick<Search, 'vectors'>
  readonly models: Pick<Models, 'refusals'>
  readonly diaries: Pick<Diaries, 'list'>
  /** Null where there is no cluster. */
  readonly durability: Pick<DurabilityWatch, 'now'> | null
  readonly clock: Clock
  readonly log: Log
}

/**
 * Also of one who is stopped or sick, and of a damaged journal what can be read of it. Refused:
 * `persona_unknown`.
 */
export const diagnose = async (
  { personas, agents, minutes, search, models, diaries, durability, clock, log }: Deps,
  id: PersonaId,
  listed: Listed,
): Promise<Diagnosis> => {
  const vitals = await personas.vitals(id)
  const [lasting, found, cells, kept] = await Promise.all([
    durability?.now() ?? null,
    lookInto({ personas, search, log }, id),
    minutes.read(id),
    diaries.list(id).catch((err: unknown) => {
      if (err instanceof Refused) throw err
      log.debug({ id, err }, 'its diaries could not be looked at')
      return null
    }),
  ])
  const { self } = found.persona ?? listed
  const running = agents.running(id)
  const { head, bytes, verified } = vitals
  const known = found.head ?? head
  return {
    status: listed.self.status,
    running,
    reason: reasonOf(listed, running, agents.wakingFailure(id), vitals) ?? agents.fault(id),
    mind: found.mind,
    uptime: uptimeOf(cells, clock.now(), clock.zone),
    organs: organsOf(self, {
      ...found,
      vitals,
      zone: clock.zone,
      refusalsOf: (slot, organ) => models.refusals(organ, slot === 'thinking' ? wrapperOf(id, organ) : null),
    }),
    channels: channelsOf(self, found.persona),
    journal: {
      events: known.seq,
      bytes,
      bytes_per_1000_messages:
        found.factsPerMessage && Math.round((1000 * bytes * found.factsPerMessage) / known.seq),
      head: known.hash,
      verified_at: verified === null ? null : isoIn(clock.zone, verified),
      ...(lasting && { durability: viewOf(lasting) }),
    },
    idle_timeout: self.idleTimeout,
    diaries: kept && diariesOf(kept, self, clock.zone),
    ...(found.vectors && { embeddings: found.vectors }),
  }
}

const viewOf = ({ syncInterval: _, ...told }: DurabilityTold): DurabilityView => told

const diariesOf = (kept: readonly KeptDiary[], { recipient }: Self, zone: string): Diagnosis['diaries'] => {
  const [last] = kept
  return {
    kept: kept.length,
    older: kept.filter((one) => !one.isFor(recipient)).length,
    last: last ? { time: isoIn(zone, last.made), events: last.seq, bytes: last.bytes } : null,
  }
}

const channelsOf = ({ channels }: Self, persona: Persona | null): Diagnosis['channels'] =>
  channels.map((channel) => {
    const { kind: type, paired, trouble: reason } = channel
    const name = channelName(channel)
    const waiting =
      persona?.deliveries.waiting.filter(
        (one) => one.channel.type === type && one.channel.name === paired?.target,
      ) ?? []
    return {
      type,
      name,
      verified: paired !== null,
      state: reason === null ? 'well' : 'failing',
      reason,
      waiting: waiting.length,
    }
  })

const timeOf = ({ at, offset }: Entry) => isoWithOffset(at, offset)

const reasonOf = (
  { self, trouble }: Listed,
  running: boolean,
  wakingFailure: string | null,
  { keyless }: Vitals,
): string | null => {
  if (trouble !== null) return troubleTold(trouble)
  const asleep = self.wanted && !running ? wakingFailure : null
  return self.reason ?? asleep ?? (keyless.length > 0 ? keysGone(keyless) : null)
}

/** The list knows a sentence of its own for a journal of a newer version. */
const troubleTold = (trouble: string): string =>
  trouble.startsWith('Its journal')
    ? trouble
    : `Its journal is damaged (${trouble}). Salvage it to go on with what can still be trusted.`

interface Found {
  /** Null where its journal cannot be looked into. */
  readonly persona: Persona | null
  readonly head: Journal['head'] | null
  readonly mind: MindView
  readonly errors: ReadonlyMap<Slot, FailedCall>
  readonly vectors: VectorsTold | null
  /** Null while little was said. */
  readonly factsPerMessage: number | null
}

type FailedCall = { readonly entry: Entry; readonly event: EventOf<'ModelFailed'> }

const nothingFound: Found = {
  persona: null,
  head: null,
  mind: { messages: [], archive: [], context: '' },
  errors: new Map(),
  vectors: null,
  factsPerMessage: null,
}

const lookInto = async (
  { personas, search, log }: Pick<Deps, 'personas' | 'search' | 'log'>,
  id: PersonaId,
): Promise<Found> => {
  try {
    return await personas.read(id, async ({ persona, journal }) => {
      // First: what is read for it holds the messages that are shown.
      const grown = await factsPerMessage(journal)
      return {
        vectors: await search.vectors(id, { persona, journal }),
        persona,
        head: journal.head,
        mind: {
          messages: await messagesIn(id, journal, persona),
          archive: await archiveIn(journal),
          context: persona.days.carried?.text ?? '',
        },
        errors: await errorsIn(journal, persona.self),
        factsPerMessage: grown,
      }
    })
  } catch (err) {
    if (err instanceof Refused) throw err
    // It is in trouble, as the list says: the rest is told all the same.
    log.debug({ id, err }, 'its journal could not be looked into')
    return nothingFound
  }
}

/** Messages that tell how a journal grows, as many as stay in memory once they were read; and too few. */
const [mostCounted, tooFew] = [200, 20]

const factsPerMessage = async (journal: Journal): Promise<number | null> => {
  const seqs: Seq[] = []
  await upToDamage(journal.read({ kind: 'talk', last: mostCounted }), ({ seq }) => seqs.push(seq))
  const [first] = seqs
  return first === undefined || seqs.length < tooFew ? null : (journal.head.seq - first + 1) / seqs.length
}

/** What can still be read of a damaged journal. */
const upToDamage = async (entries: AsyncIterable<Entry>, take: (entry: Entry) => void): Promise<void> => {
  try {
    for await (const entry of entries) take(entry)
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
  }
}

const mostMessages = 100

const messagesIn = async (
  id: PersonaId,
  journal: Journal,
  { days }: Persona,
): Promise<MindView['messages']> => {
  const messages: MindView['messages'][number][] = []
  await upToDamage(journal.read({ kind: 'talk', after: days.consolidated, last: mostMessages }), (entry) => {
    const message = messageOf(id, entry, timeOf(entry))
    if (!message) return
    const { role, content, media, time } = message
    messages.push({
      id: entry.seq,
      role,
      content: textOf(content || media?.caption || media?.name || ''),
      time,
    })
  })
  return messages
}

const mostDays = 30
/**
 * Going over the talk and sleeping stand in the same index: of a life of many short rests only so much is
 * looked at.
 */
const page = 64
const mostPages = 8

const archiveIn = async (journal: Journal): Promise<MindView['archive']> => {
  const days: MindView['archive'][number][] = []
  let upTo = journal.head.seq
  for (let n = 0; n < mostPages && upTo > 0 && days.length < mostDays; n++) {
    const entries: Entry[] = []
    await upToDamage(journal.read({ kind: 'days', upTo, last: page }), (entry) => void entries.push(entry))
    for (const entry of entries.toReversed()) {
      const event = entry.type === 'DayClosed' ? wordsOf(entry) : undefined
      if (event?.type === 'DayClosed')
        days.push({ time: isoWithOffset(event.ended, entry.offset), body: textOf(event.summary) })
    }
    const [oldest] = entries
    if (!oldest || entries.length < page) break
    upTo = oldest.seq - 1
    await yieldNow()
  }
  return days.slice(0, mostDays)
}

const wordsOf = (entry: Entry): Entry['event'] | undefined => {
  try {
    return entry.event
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
}

/** An organ that was asked so often since has proved to be well. */
const mostCalls = 100

/** The last failure of each organ, of the model it has now. */
const errorsIn = async (journal: Journal, { organs }: Self): Promise<Found['errors']> => {
  const errors = new Map<Slot, FailedCall>()
  await upToDamage(journal.read({ kind: 'calls', last: mostCalls }), (entry) => {
    const event = entry.type === 'ModelFailed' ? wordsOf(entry) : undefined
    if (event?.type !== 'ModelFailed') return
    const organ = organs[event.organ]
    if (organ && organ.model === event.model && organ.provider === event.provider)
      errors.set(event.organ, { entry, event })
  })
  return errors
}

type Known = Pick<Found, 'persona' | 'errors'> & {
  readonly vitals: Vitals
  readonly zone: string
  readonly refusalsOf: (slot: Slot, organ: Organ) => readonly string[]
}

const organsOf = ({ organs }: Self, known: Known): Diagnosis['organs'] =>
  Object.fromEntries(
    (Object.entries(organs) as [Slot, Organ][]).map(([slot, organ]) => {
      const { model, provider } = organ
      const refusals = known.refusalsOf(slot, organ)
      const keyless = known.vitals.keyless.includes(slot)
      const failing = keyless || known.persona?.life.failed[slot] !== undefined
      const health: OrganHealth = {
        model,
        provider,
        state: failing ? 'failing' : 'well',
        last_error: errorOf(slot, known),
        ...(refusals.length > 0 && { server_refuses: refusals }),
      }
      return [
        slot,
        keyless
          ? {
              ...health,
              last_error: { reason: keysGone([slot]), time: null, kind: 'barred' },
              key_missing: true,
            }
          : health,
      ]
    }),
  )

const errorOf = (slot: Slot, { persona, errors, zone }: Known): OrganError | null => {
  const failed = errors.get(slot)
  if (failed)
    return { reason: textOf(failed.event.reason), time: timeOf(failed.entry), kind: failed.event.kind }
  const mark = persona?.life.failed[slot]
  return mark ? { reason: textOf(mark.reason), time: isoIn(zone, mark.since), kind: null } : null
}

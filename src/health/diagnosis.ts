/**
 * The health report of a persona for its user: recent talk, uptime of the last day, organs, channels, journal
 * and diaries.
 */
import type { ChannelKind, PersonaId, Status } from '../../facts/fact-values.ts'
import type { KeptDiary } from '../../home/kept-diaries.ts'
import type { Log } from '../../packages/kit/log.ts'
import { type Clock, isoIn } from '../../packages/kit/time/clock.ts'
import type { Models } from '../../packages/models/models.ts'
import { channelName } from '../../projections/bot-channels.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import { getWrapper } from '../../projections/view.ts'
import type { Agents } from '../agents/agents.ts'
import type { SubscribedCalendars, SubscriptionState } from '../calendar/subscribed-calendars.ts'
import type { Diaries } from '../diary/diaries.ts'
import type { Mailboxes, MailboxState } from '../mail/mailboxes.ts'
import type { PersonaStore, RosterRow, Vitals } from '../persona/persona-store.ts'
import { formatMissingKeys, Refused } from '../persona/refusals.ts'
import type { SignedHeads } from '../persona/signed-heads.ts'
import type { Search } from '../search/search.ts'
import type { VectorsTold } from '../search/vectors.ts'
import { isSubscribedTo } from '../subscriptions/subscription.ts'
import type { SubscriptionsOnDemand } from '../subscriptions/subscriptions-on-demand.ts'
import type { DurabilityTold, DurabilityWatch } from './durability-watch.ts'
import { type MindView, readJournalReport } from './journal-report.ts'
import type { Minutes } from './minutes.ts'
import { type OrganHealths, toOrganViews } from './organ-health.ts'
import { formatStale } from './projections.ts'
import { getUptime, type Uptime } from './uptime.ts'

export interface Diagnosis {
  readonly status: Status
  readonly running: boolean
  /** Why the persona is sick, failing or not running. Null if no problem is known. */
  readonly reason: string | null
  readonly mind: MindView
  readonly uptime: Uptime
  readonly organs: OrganHealths
  /** The persona's bots, in the order they were added. */
  readonly channels: readonly {
    readonly type: ChannelKind
    /** Its name in the API: the paired chat, or the bot before pairing. */
    readonly name: string
    readonly bot: string
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
  /** Signed heads of the journal. Only if one was signed. */
  readonly heads?: { readonly signed: number; readonly events: number; readonly time: string } | undefined
  /** Only if the persona is subscribed to calendars of others. */
  readonly calendars?:
    | readonly {
        readonly id: string
        readonly name: string
        readonly host: string
        readonly state: 'well' | 'failing'
        readonly reason: string | null
        readonly kind: SubscriptionState['errorKind']
        readonly refreshed_at: string | null
      }[]
    | undefined
  /** Only if the persona reads mailboxes. */
  readonly mailboxes?:
    | readonly {
        readonly id: string
        readonly name: string
        readonly host: string
        readonly state: 'well' | 'failing'
        readonly reason: string | null
        readonly kind: MailboxState['errorKind']
        readonly checked_at: string | null
        readonly waiting: number
      }[]
    | undefined
  /** Subscriptions of other programs that do not get its facts. Only if there are any. `*`: all. */
  readonly subscriptions?: readonly { readonly name: string; readonly reason: string }[] | undefined
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

interface Deps {
  readonly personas: Pick<PersonaStore, 'read' | 'vitals'>
  readonly agents: Pick<Agents, 'isRunning' | 'wakingFailure' | 'fault'>
  readonly minutes: Pick<Minutes, 'read'>
  readonly search: Pick<Search, 'vectors'>
  readonly models: Pick<Models, 'refusals'>
  readonly diaries: Pick<Diaries, 'list'>
  readonly signedHeads: Pick<SignedHeads, 'summary'>
  readonly subscribedCalendars: Pick<SubscribedCalendars, 'states'>
  readonly mailboxes: Pick<Mailboxes, 'states'>
  readonly subscriptions: Pick<SubscriptionsOnDemand, 'listLoaded' | 'readTrouble'>
  /** Null without a cluster. */
  readonly durability: Pick<DurabilityWatch, 'now'> | null
  readonly clock: Clock
  readonly log: Log
}

/**
 * Returns the health report, also for stopped and sick personas. For a damaged journal it covers the readable
 * part. Rejects with `persona_unknown`.
 */
export const diagnose = async (deps: Deps, id: PersonaId, row: RosterRow): Promise<Diagnosis> => {
  const {
    personas,
    agents,
    minutes,
    search,
    models,
    diaries,
    subscribedCalendars,
    subscriptions,
    durability,
    clock,
    log,
  } = deps
  const vitals = await personas.vitals(id)
  const [diskErrors, report, cells, calendars, storedDiaries, signedHeads] = await Promise.all([
    durability?.now() ?? null,
    readJournalReport({ personas, search, log }, id),
    minutes.read(id),
    subscribedCalendars.states(id),
    diaries.list(id).catch((err: unknown) => {
      if (err instanceof Refused) throw err
      log.debug({ id, err }, 'failed to list the diaries')
      return null
    }),
    deps.signedHeads.summary(id).catch((err: unknown) => {
      log.debug({ id, err }, 'failed to read the log of signed heads')
      return null
    }),
  ])
  const { self } = report.persona ?? row
  const isRunning = agents.isRunning(id)
  const { head, bytes, verified } = vitals
  const knownHead = report.head ?? head
  return {
    status: row.self.status,
    running: isRunning,
    reason:
      getReason(row, isRunning, agents.wakingFailure(id), vitals) ??
      agents.fault(id) ??
      formatStale(report.persona?.stale ?? {}),
    mind: report.mind,
    uptime: getUptime(cells, clock.now(), clock.zone),
    organs: toOrganViews(self, {
      ...report,
      vitals,
      zone: clock.zone,
      getRefusals: (slot, organ) =>
        models.refusals(organ, slot === 'thinking' ? getWrapper(id, organ) : null),
    }),
    channels: toChannelViews(self, report.persona),
    journal: {
      events: knownHead.seq,
      bytes,
      bytes_per_1000_messages:
        report.factsPerMessage && Math.round((1000 * bytes * report.factsPerMessage) / knownHead.seq),
      head: knownHead.hash,
      verified_at: verified === null ? null : isoIn(clock.zone, verified),
      ...(diskErrors && { durability: toDurabilityView(diskErrors) }),
    },
    idle_timeout: self.idleTimeout,
    diaries: storedDiaries && toDiariesView(storedDiaries, self, clock.zone),
    ...(signedHeads && {
      heads: {
        signed: signedHeads.size,
        events: signedHeads.last.seq,
        time: isoIn(clock.zone, Date.parse(signedHeads.last.time)),
      },
    }),
    ...(calendars.length > 0 && { calendars: toCalendarViews(calendars, clock.zone) }),
    ...toMailboxViews(deps.mailboxes.states(id), clock.zone),
    ...toFailingSubscriptions(subscriptions, await subscriptions.readTrouble(), id),
    ...(report.vectors && { embeddings: report.vectors }),
  }
}

const toFailingSubscriptions = (
  subscriptions: Pick<SubscriptionsOnDemand, 'listLoaded'>,
  trouble: string | null,
  id: PersonaId,
): Pick<Diagnosis, 'subscriptions'> => {
  if (trouble !== null) return { subscriptions: [{ name: '*', reason: trouble }] }
  const failing = subscriptions
    .listLoaded()
    .flatMap(({ subscription, reason }) =>
      reason !== null && isSubscribedTo(subscription, id) ? [{ name: subscription.name, reason }] : [],
    )
  return failing.length > 0 ? { subscriptions: failing } : {}
}

const toCalendarViews = (states: readonly SubscriptionState[], zone: string): Diagnosis['calendars'] =>
  states.map(({ id, name, host, error, errorKind, refreshed }) => ({
    ...{ id, name, host },
    state: error === null ? 'well' : 'failing',
    reason: error,
    kind: errorKind,
    refreshed_at: refreshed === null ? null : isoIn(zone, refreshed),
  }))

const toMailboxViews = (
  states: readonly MailboxState[],
  zone: string,
): Pick<Diagnosis, 'mailboxes'> | undefined =>
  states.length === 0
    ? undefined
    : {
        mailboxes: states.map(({ id, name, host, error, errorKind, checked, waiting }) => ({
          ...{ id, name, host, waiting },
          state: error === null ? 'well' : 'failing',
          reason: error,
          kind: errorKind,
          checked_at: checked === null ? null : isoIn(zone, checked),
        })),
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
      bot: channel.unpaired,
      verified: paired !== null,
      state: reason === null ? 'well' : 'failing',
      reason,
      waiting: waitingCount.length,
    }
  })

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
const formatTrouble = (troubleText: string): string =>
  troubleText.startsWith('Its journal')
    ? troubleText
    : `Its journal is damaged (${troubleText}). Salvage it to continue with the part that is intact.`

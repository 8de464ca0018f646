/**
 * The calendars of others that personas are subscribed to: refreshes them while the persona runs, and lists
 * their events. A failing server delays nothing: events come from the last answer.
 */
import type { PersonaId } from '../../facts/fact-values.ts'
import { CalendarFailed } from '../../packages/calendars/calendar-failed.ts'
import type { Login } from '../../packages/calendars/calendar-http.ts'
import { listedAfterMs, listedBeforeMs } from '../../packages/calendars/calendar-limits.ts'
import type {
  CalendarAddress,
  CalendarReader,
  ReadCalendar,
  ReadOptions,
} from '../../packages/calendars/calendar-reader.ts'
import type { FoundCalendar } from '../../packages/calendars/dav-calendars.ts'
import type { Occurrence } from '../../packages/calendars/event-occurrences.ts'
import { pauseAfter } from '../../packages/kit/flow/backoff.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { CalendarSubscription } from '../../projections/subscribed-calendars.ts'
import { type Bus, listen } from '../bus.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { toAddress } from './calendar-secret.ts'
import { type CachedState, createEventCache } from './event-cache.ts'

export interface SubscriptionState extends CalendarSubscription {
  /** Epoch ms of the last answer of the server; null before the first one. */
  readonly refreshed: number | null
  /** Why the last refresh failed, as a sentence; null if it succeeded. */
  readonly error: string | null
  /** The class of the failure; `daemon` is an error of the daemon. */
  readonly errorKind: CalendarFailed['kind'] | 'daemon' | null
  readonly events: number
  /** Describes the missing events in a sentence; null if the calendar is complete. */
  readonly note: string | null
}

export interface SubscribedEvent extends Occurrence {
  readonly calendar: Pick<CalendarSubscription, 'id' | 'name'>
}

interface Span {
  /** Epoch ms. `to` is exclusive. */
  readonly from: number
  readonly to: number
}

export interface SubscribedCalendars {
  /** Reads a calendar before its subscription. Throws CalendarFailed, or the signal's reason. */
  read(address: CalendarAddress, signal: AbortSignal): Promise<ReadCalendar>
  /** Lists the calendars of a CalDAV server. Throws CalendarFailed, or the signal's reason. */
  find(url: URL, login: Login, signal: AbortSignal): Promise<readonly FoundCalendar[]>
  /** Lists the earliest events of all subscriptions in the span, sorted by start. Sends no requests. */
  listEvents(id: PersonaId, span: Span): Promise<readonly SubscribedEvent[]>
  states(id: PersonaId): Promise<readonly SubscriptionState[]>
  /** Stores the events of a calendar that was read before its subscription. Never rejects. */
  keep(id: PersonaId, subscription: string, read: ReadCalendar): Promise<void>
  /** Asks the server now. A failure is part of the state afterwards. Rejects with the signal's reason. */
  refresh(id: PersonaId, subscription: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

interface Deps {
  readonly personas: Pick<PersonaStore, 'all' | 'getRow' | 'secret'>
  readonly isRunning: (id: PersonaId) => boolean
  readonly home: string
  readonly bus: Bus
  readonly clock: Clock
  readonly log: DiscreetLog
  readonly openReader: () => Promise<CalendarReader>
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const tickMs = 30_000
const usualIntervalMs = 15 * minuteMs
/** A server may ask for another interval within these limits. */
const minIntervalMs = 5 * minuteMs
const maxIntervalMs = dayMs
/** Events are computed again after this time, because the listed span moves on. */
const maxComputedAgeMs = 7 * dayMs
/** Max events of one list. */
export const maxListedEvents = 2000
const backoff = { first: minuteMs, longest: 6 * 60 * minuteMs, factor: 3 }

/** The refreshes of a subscription since the start. */
interface Attempts {
  /** Epoch ms. */
  readonly next: number
  readonly failures: number
  readonly failure: Pick<SubscriptionState, 'error' | 'errorKind'>
}

const noFailure = { error: null, errorKind: null }

export const createSubscribedCalendars = (deps: Deps): SubscribedCalendars => {
  const { personas, isRunning, home, bus, clock, log } = deps
  const cache = createEventCache(home)
  const oneAtATime = createKeyedMutex().run
  const attempts = new Map<string, Attempts>()
  const closing = new AbortController()
  const work = new Set<Promise<void>>()
  let readerTask: Promise<CalendarReader> | undefined

  const reader = () => {
    readerTask ??= deps.openReader().catch((error: unknown) => {
      readerTask = undefined
      throw error
    })
    return readerTask
  }
  const list = (id: PersonaId): readonly CalendarSubscription[] => personas.getRow(id)?.self.calendars ?? []
  const spanNow = () => {
    const now = clock.now()
    return { now, zone: clock.zone, from: now - listedBeforeMs, to: now + listedAfterMs }
  }

  const hideSecrets = ({ url, login }: Pick<CalendarAddress, 'url' | 'login'>) => {
    log.hide(url.href)
    if (login) log.hide(login.password)
  }
  const read = async (
    address: CalendarAddress,
    options: Pick<ReadOptions, 'known' | 'signal' | 'isRefresh'>,
  ) => {
    hideSecrets(address)
    return (await reader()).read(address, { ...spanNow(), ...options })
  }

  const keep = async (id: PersonaId, subscription: string, { calendar, version }: ReadCalendar) => {
    const { now, zone } = spanNow()
    const cached = calendar ? null : await cache.readState(id, subscription)
    if (calendar) {
      const { name: _, occurrences, ...contents } = calendar
      const state = { zone, computed: now, refreshed: now, version, ...contents }
      await cache.write(id, subscription, state, occurrences)
    } else if (cached) await cache.writeState(id, subscription, { ...cached, version, refreshed: now })
    const intervalMs = getIntervalMs(calendar ?? cached)
    attempts.set(toKey(id, subscription), { next: now + intervalMs, failures: 0, failure: noFailure })
  }

  const readNow = async (id: PersonaId, subscription: CalendarSubscription, signal: AbortSignal) => {
    const secret = await personas.secret(id, subscription.secret)
    const address = secret === null ? null : toAddress(subscription, secret)
    if (!address) throw new CalendarFailed('password_missing', missingSecret)
    const cached = await cache.readState(id, subscription.id)
    const isCurrent = cached?.zone === clock.zone && clock.now() - cached.computed < maxComputedAgeMs
    const version = cached && isCurrent ? cached.version : null
    const calendar = await read(address, { known: version, signal, isRefresh: true })
    // The user may have unsubscribed meanwhile.
    if (list(id).some(({ id: listedId }) => listedId === subscription.id))
      await keep(id, subscription.id, calendar)
  }

  /** Rejects only with the signal's reason. */
  const refreshNow = async (id: PersonaId, subscription: CalendarSubscription, signal: AbortSignal) => {
    const key = toKey(id, subscription.id)
    try {
      await readNow(id, subscription, signal)
    } catch (error) {
      signal.throwIfAborted()
      const failures = (attempts.get(key)?.failures ?? 0) + 1
      const next = clock.now() + pauseAfter(failures, backoff)
      const errorKind = error instanceof CalendarFailed ? error.kind : 'daemon'
      attempts.set(key, { next, failures, failure: { error: toSentence(subscription, error), errorKind } })
      if (error instanceof CalendarFailed) log.info({ id }, `a calendar was not refreshed: ${error.kind}`)
      else log.warn({ id, err: error }, 'failed to refresh a calendar')
    }
  }
  const refresh = (id: PersonaId, subscription: string, signal: AbortSignal) =>
    oneAtATime(toKey(id, subscription), async () => {
      const calendar = list(id).find((candidate) => candidate.id === subscription)
      if (calendar) await refreshNow(id, calendar, AbortSignal.any([signal, closing.signal]))
    })

  const isDue = (id: PersonaId, { id: subscription }: CalendarSubscription) =>
    (attempts.get(toKey(id, subscription))?.next ?? 0) <= clock.now()

  const start = (task: Promise<void>) => {
    const settled = task.catch(() => undefined).finally(() => work.delete(settled))
    work.add(settled)
  }
  const refreshDue = (id: PersonaId) => {
    if (closing.signal.aborted || !isRunning(id)) return
    for (const subscription of list(id)) {
      if (!isDue(id, subscription)) continue
      // Not due again while it is being read.
      const key = toKey(id, subscription.id)
      const lastAttempt = attempts.get(key)
      const attempt = { failures: lastAttempt?.failures ?? 0, failure: lastAttempt?.failure ?? noFailure }
      attempts.set(key, { ...attempt, next: clock.now() + usualIntervalMs })
      start(refresh(id, subscription.id, closing.signal))
    }
  }
  const stopTicking = clock.every(tickMs, () => {
    for (const { self } of personas.all()) if (self.calendars.length > 0) refreshDue(self.id)
  })
  const stopSigns = listen(bus.signs, log, (sign) => {
    if (sign.type !== 'presence' || list(sign.id).length === 0) return
    start(cache.sweep(sign.id, getIds(list(sign.id))))
    refreshDue(sign.id)
  })
  const stopCommits = listen(bus.commits, log, ({ id, entries, persona }) => {
    if (!entries.some(({ type }) => changesSubscriptions.has(type))) return
    start(cache.sweep(id, getIds(persona.self.calendars)))
  })

  return {
    read: (address, signal) => read(address, { known: null, signal }),
    find: async (url, login, signal) => {
      hideSecrets({ url, login })
      return (await reader()).find(url, login, signal)
    },
    keep: (id, subscription, calendar) =>
      keep(id, subscription, calendar).catch((err: unknown) =>
        log.warn({ id, err }, 'failed to store the events of a calendar'),
      ),
    refresh,
    listEvents: async (id, span) => {
      const calendars = await Promise.all(
        list(id).map(async ({ id: calendarId, name }) =>
          (await cache.readEvents(id, calendarId))
            .filter((occurrence) => isWithin(occurrence, span))
            .map((occurrence) => ({ ...occurrence, calendar: { id: calendarId, name } })),
        ),
      )
      return calendars
        .flat()
        .sort((first, second) => first.start - second.start || first.end - second.end)
        .slice(0, maxListedEvents)
    },
    states: (id) =>
      Promise.all(
        list(id).map(async (subscription) => {
          const cached = await cache.readState(id, subscription.id)
          return {
            ...subscription,
            refreshed: cached?.refreshed ?? null,
            ...(attempts.get(toKey(id, subscription.id))?.failure ?? noFailure),
            events: cached?.events ?? 0,
            note: cached ? toNote(cached) : null,
          }
        }),
      ),
    close: async () => {
      stopTicking()
      stopSigns()
      stopCommits()
      closing.abort(new Error('the daemon stops'))
      await Promise.all(work)
      await (await readerTask?.catch(() => undefined))?.close()
    },
  }
}

const changesSubscriptions: ReadonlySet<string> = new Set([
  'CalendarUnsubscribed',
  'PersonaRestored',
  'PersonaForked',
])

const getIds = (subscriptions: readonly CalendarSubscription[]): readonly string[] =>
  subscriptions.map(({ id }) => id)

const toKey = (id: PersonaId, subscription: string): string => `${id} ${subscription}`

const isWithin = ({ start, end }: Occurrence, { from, to }: Span): boolean =>
  start < to && Math.max(end, start + 1) > from

const getIntervalMs = (calendar: Pick<CachedState, 'refreshMs'> | null): number =>
  Math.min(Math.max(calendar?.refreshMs ?? usualIntervalMs, minIntervalMs), maxIntervalMs)

const missingSecret = 'its stored address is gone; remove the calendar and subscribe again'

export const toSentence = ({ host }: Pick<CalendarSubscription, 'host'>, error: unknown): string =>
  error instanceof CalendarFailed
    ? `${host}: ${error.message}.`
    : `${host}: it could not be read because of an error of the daemon.`

/** Describes the events that are not shown. Returns null if there are none. */
const toNote = ({ unreadable, isCut, hasUnknownZones }: CachedState): string | null => {
  const notes = [
    ...(unreadable > 0 ? [`${unreadable} ${unreadable === 1 ? 'event' : 'events'} could not be read.`] : []),
    ...(isCut ? ['There are too many events; those nearest to now are shown.'] : []),
    ...(hasUnknownZones ? ['Some times have an unknown time zone and may be wrong.'] : []),
  ]
  return notes.length > 0 ? notes.join(' ') : null
}

/** Computes the occurrences of one event, with its rules, exceptions and changed occurrences. */
import ICAL from 'ical.js'
import { hasUnreadableRule, listWalls, type RuleContext } from './event-rules.ts'
import type { EventZones } from './event-zones.ts'
import { dayMs, type ParsedEvent, parseEvent, toEventWall, toMoment, toWall } from './parse-event.ts'

/** One time of an event. Its texts are words of others. */
export interface Occurrence {
  /** Epoch ms. `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** Only of an event without hours: its days, `YYYY-MM-DD`, both inclusive. */
  readonly days?: { readonly first: string; readonly last: string }
  readonly title: string
  readonly place?: string
  readonly notes?: string
  /** It is not confirmed yet. */
  readonly tentative?: true
  /** It belongs to an event that repeats. */
  readonly repeats?: true
}

interface Collected {
  readonly occurrences: readonly Occurrence[]
  readonly unreadable: number
  readonly isCut: boolean
}

/** `components`: all VEVENTs with the same UID. */
export const collectOccurrences = (
  components: readonly ICAL.Component[],
  context: RuleContext,
): Collected => {
  const events = components.flatMap((component) => tryParse(component, context.zones))
  const changes = latestVersions(events.filter(({ replaces }) => replaces !== null))
  const masters = latestVersions(events.filter(({ replaces }) => replaces === null))
  const expandedMasters = masters.map((master) => expandEvent(master, changes, context))
  // Changes of single occurrences have their own time, even without the event that they change.
  const changedOccurrences = changes
    .filter(({ isForFollowing }) => !isForFollowing || masters.length === 0)
    .flatMap((change) => toOccurrence(change, change.startWall, masters.length > 0))
    .filter((occurrence) => isWithin(occurrence, context))
  return {
    occurrences: [...expandedMasters.flatMap(({ occurrences }) => occurrences), ...changedOccurrences],
    unreadable: components.length - events.length,
    isCut: expandedMasters.some(({ isCut }) => isCut),
  }
}

/** Returns no event if it is damaged, or has a rule that cannot be computed. */
const tryParse = (component: ICAL.Component, zones: EventZones): readonly ParsedEvent[] => {
  try {
    if (hasUnreadableRule(component)) return []
    return [parseEvent(component, zones)]
  } catch {
    return []
  }
}

/**
 * Of events with the same start, or the same replaced occurrence, the one with the highest sequence counts.
 * Of repeating events with the same UID, only one counts.
 */
const latestVersions = (events: readonly ParsedEvent[]): readonly ParsedEvent[] => {
  const eventsByKey = new Map<string, ParsedEvent>()
  for (const event of events) {
    const key = getVersionKey(event)
    const earlierEvent = eventsByKey.get(key)
    if (!earlierEvent || earlierEvent.sequence <= event.sequence) eventsByKey.set(key, event)
  }
  return [...eventsByKey.values()]
}

const getVersionKey = (event: ParsedEvent): string => {
  if (event.replaces) return `${event.replaces.at}`
  return isRepeating(event) ? 'repeating' : `${event.startWall}`
}

const isRepeating = ({ component }: ParsedEvent): boolean =>
  component.hasProperty('rrule') || component.hasProperty('rdate')

const toOccurrence = (event: ParsedEvent, wall: number, repeats: boolean): readonly Occurrence[] => {
  if (event.isCancelled) return []
  const { isDate, zone, durationMs, texts } = event
  const start = zone(wall)
  const common = { ...texts, ...(repeats && { repeats }) } as const
  if (!isDate) return [{ start, end: start + durationMs, ...common }]
  const days = { first: toDay(wall), last: toDay(wall + durationMs - dayMs) }
  return [{ start, end: zone(wall + durationMs), days, ...common }]
}

const toDay = (wall: number): string => new Date(wall).toISOString().slice(0, 10)

/** An event without duration counts at its moment. */
const isWithin = ({ start, end }: Occurrence, { from, to }: RuleContext): boolean =>
  start < to && Math.max(end, start + 1) > from

const expandEvent = (
  event: ParsedEvent,
  changes: readonly ParsedEvent[],
  context: RuleContext,
): Pick<Collected, 'occurrences' | 'isCut'> => {
  if (event.isCancelled) return { occurrences: [], isCut: false }
  const { keys: excluded, days: excludedDays } = readExclusions(event, context.zones)
  for (const { replaces, isForFollowing } of changes)
    if (replaces && !isForFollowing) excluded.add(toKey(event, toEventWall(event, replaces)))
  const following = changes.filter(({ isForFollowing }) => isForFollowing).sort(byReplaced)
  const { walls, isCut } = listWalls(event, context)
  const occurrences = [...walls]
    .filter((wall) => !excluded.has(toKey(event, wall)) && !excludedDays.has(Math.floor(wall / dayMs)))
    .flatMap((wall) => toChangedOccurrence(event, following, wall))
    .filter((occurrence) => isWithin(occurrence, context))
  return { occurrences, isCut }
}

const byReplaced = (first: ParsedEvent, second: ParsedEvent): number =>
  (first.replaces?.at ?? 0) - (second.replaces?.at ?? 0)

/** Identifies an occurrence of the event. The text that names it may use another zone. */
const toKey = ({ isDate, zone }: ParsedEvent, wall: number): number =>
  isDate ? Math.floor(wall / dayMs) : zone(wall)

interface Exclusions {
  readonly keys: Set<number>
  /** Programs exclude whole days of events with hours, against RFC 5545. */
  readonly days: ReadonlySet<number>
}

const readExclusions = (event: ParsedEvent, zones: EventZones): Exclusions => {
  const keys = new Set<number>()
  const days = new Set<number>()
  for (const property of event.component.getAllProperties('exdate'))
    for (const value of property.getValues()) {
      if (!(value instanceof ICAL.Time)) continue
      if (value.isDate) days.add(Math.floor(toWall(value) / dayMs))
      else keys.add(toKey(event, toEventWall(event, toMoment(property, value, zones))))
    }
  return { keys, days }
}

/** A change of all following occurrences moves them by the same time (RFC 5545, 3.8.4.4). */
const toChangedOccurrence = (
  event: ParsedEvent,
  following: readonly ParsedEvent[],
  wall: number,
): readonly Occurrence[] => {
  const at = event.zone(wall)
  const repeats = isRepeating(event)
  const change = following.findLast(({ replaces }) => replaces !== null && replaces.at <= at)
  if (!change?.replaces) return toOccurrence(event, wall, repeats)
  const movedMs = change.startWall - toEventWall(event, change.replaces)
  return toOccurrence(change, wall + movedMs, repeats)
}

/** Computes the occurrences of a calendar in iCalendar (RFC 5545) within a span, within limits. */
import ICAL from 'ical.js'
import { toLine } from '../kit/text-lines.ts'
import { maxCalendarName, maxOccurrences, maxTotalSteps } from './calendar-limits.ts'
import { collectOccurrences, type Occurrence } from './event-occurrences.ts'
import { createEventZones, findIanaName } from './event-zones.ts'
import { limitSteps, type StepBudget } from './rule-steps.ts'
import { splitCalendar } from './split-calendar.ts'

export interface ExpansionOptions {
  /** Epoch ms. `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** Epoch ms. If there are too many occurrences, those nearest to it are kept. */
  readonly now: number
  /** IANA name of the zone for times without one. */
  readonly zone: string
}

export interface ExpandedCalendar {
  /** Name that the calendar gives itself; null if it has none. */
  readonly name: string | null
  /** Requested time between refreshes in ms; null if there is none. */
  readonly refreshMs: number | null
  /** Sorted by start. */
  readonly occurrences: readonly Occurrence[]
  /** Events that could not be read. */
  readonly unreadable: number
  /** There is more in the span than the limits allow. */
  readonly isCut: boolean
  /** An event names a zone that is neither known nor defined. */
  readonly hasUnknownZones: boolean
}

/** The text is not a calendar. */
export class NotACalendar extends Error {
  override readonly name = 'NotACalendar'
}

/** Throws NotACalendar. */
export const expandCalendar = (text: string, options: ExpansionOptions): ExpandedCalendar => {
  const parts = splitCalendar(text, options)
  if (!parts) throw new NotACalendar('it is not a calendar')
  const budget: StepBudget = { total: maxTotalSteps, rule: 0 }
  return limitSteps(budget, () => expandParts(parts, options, budget))
}

const expandParts = (
  { header, zones: zoneTexts, events, isCut: hasTooMany }: NonNullable<ReturnType<typeof splitCalendar>>,
  options: ExpansionOptions,
  budget: StepBudget,
): ExpandedCalendar => {
  const calendarZone = findIanaName(header.get('X-WR-TIMEZONE') ?? '')
  const zones = createEventZones(zoneTexts.flatMap(parseComponent), calendarZone ?? options.zone)
  const { byUid, damagedCount } = parseEvents(events)
  let unreadableCount = damagedCount
  const occurrences: Occurrence[] = []
  let isCut = hasTooMany
  for (const components of byUid.values()) {
    const result = collectOccurrences(components, { ...options, zones, budget })
    for (const occurrence of result.occurrences) occurrences.push(occurrence)
    unreadableCount += result.unreadable
    isCut ||= result.isCut
  }
  const keptOccurrences = keepNearest(occurrences, options.now)
  return {
    name:
      toLine(unescapeText(header.get('X-WR-CALNAME') ?? header.get('NAME') ?? ''), maxCalendarName) || null,
    refreshMs: readDuration(header.get('REFRESH-INTERVAL') ?? header.get('X-PUBLISHED-TTL')),
    occurrences: keptOccurrences,
    unreadable: unreadableCount,
    isCut: isCut || keptOccurrences.length < occurrences.length,
    hasUnknownZones: zones.hasUnknown(),
  }
}

interface ParsedComponents {
  readonly byUid: ReadonlyMap<string, readonly ICAL.Component[]>
  readonly damagedCount: number
}

const parseEvents = (texts: readonly string[]): ParsedComponents => {
  const byUid = new Map<string, ICAL.Component[]>()
  let damagedCount = 0
  for (const [index, text] of texts.entries()) {
    const [component] = parseComponent(text)
    if (!component) damagedCount++
    else {
      const uid = String(component.getFirstPropertyValue('uid') ?? '') || `#${index}`
      const sameUid = byUid.get(uid)
      if (sameUid) sameUid.push(component)
      else byUid.set(uid, [component])
    }
  }
  return { byUid, damagedCount }
}

/** Returns no component if the text is damaged. */
const parseComponent = (text: string): readonly ICAL.Component[] => {
  try {
    return [new ICAL.Component(ICAL.parse(text))]
  } catch {
    return []
  }
}

const keepNearest = (occurrences: readonly Occurrence[], now: number): readonly Occurrence[] => {
  const byStart = (first: Occurrence, second: Occurrence) =>
    first.start - second.start || first.end - second.end
  if (occurrences.length <= maxOccurrences) return [...occurrences].sort(byStart)
  // Events to come matter more than past ones: those count four times as far.
  const getDistance = ({ end, start }: Occurrence) => (end < now ? 4 * (now - end) : Math.max(0, start - now))
  return [...occurrences]
    .sort((first, second) => getDistance(first) - getDistance(second))
    .slice(0, maxOccurrences)
    .sort(byStart)
}

const unescapeText = (text: string): string =>
  text.replace(/\\([nN,;\\])/g, (_, character: string) => (character.toLowerCase() === 'n' ? ' ' : character))

/** Parses a duration such as `PT15M`. */
const readDuration = (text: string | undefined): number | null => {
  if (text === undefined || !/^[+-]?P[\dDHMSTW]{2,40}$/i.test(text.trim())) return null
  try {
    const seconds = ICAL.Duration.fromString(text.trim().toUpperCase()).toSeconds()
    return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null
  } catch {
    return null
  }
}

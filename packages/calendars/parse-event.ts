/** Reads the times and texts of one VEVENT component. */
import ICAL from 'ical.js'
import { toLine, toParagraphs } from '../kit/text-lines.ts'
import { maxNotes, maxPlace, maxTitle } from './calendar-limits.ts'
import { type EventZones, utcRule, type ZoneRule } from './event-zones.ts'

/** Words of others. */
interface EventTexts {
  readonly title: string
  readonly place?: string
  readonly notes?: string
  /** It is not confirmed yet. */
  readonly tentative?: true
}

export interface ParsedEvent {
  /** A wall time is written as the epoch ms that it would have in UTC. */
  readonly startWall: number
  readonly zone: ZoneRule
  /** It has days, but no hours. */
  readonly isDate: boolean
  /** Of an event without hours: whole days. */
  readonly durationMs: number
  /** The occurrence that it replaces; null for the event itself. */
  readonly replaces: Moment | null
  /** It also changes all occurrences after the replaced one. */
  readonly isForFollowing: boolean
  readonly isCancelled: boolean
  readonly sequence: number
  readonly component: ICAL.Component
  readonly texts: EventTexts
}

export interface Moment {
  readonly wall: number
  /** Epoch ms. */
  readonly at: number
}

export const dayMs = 24 * 60 * 60_000
const maxDurationMs = 10 * 366 * dayMs

/** Throws if it has no valid start. */
export const parseEvent = (component: ICAL.Component, zones: EventZones): ParsedEvent => {
  const startProperty = component.getFirstProperty('dtstart')
  const start = startProperty?.getFirstValue()
  if (!startProperty || !(start instanceof ICAL.Time)) throw new Error('an event without a start')
  const times = {
    startWall: toWall(start),
    zone: findZone(startProperty, start, zones),
    isDate: start.isDate,
  }
  const status = String(component.getFirstPropertyValue('status') ?? '').toUpperCase()
  return {
    ...times,
    ...readReplaced(component, zones),
    durationMs: readDuration(component, times, zones),
    isCancelled: status === 'CANCELLED',
    sequence: Number(component.getFirstPropertyValue('sequence')) || 0,
    component,
    texts: readTexts(component, status),
  }
}

const readReplaced = (
  component: ICAL.Component,
  zones: EventZones,
): Pick<ParsedEvent, 'replaces' | 'isForFollowing'> => {
  const property = component.getFirstProperty('recurrence-id')
  const time = property?.getFirstValue()
  if (!property || !(time instanceof ICAL.Time)) return { replaces: null, isForFollowing: false }
  const range = String(property.getParameter('range') ?? '').toUpperCase()
  return { replaces: toMoment(property, time, zones), isForFollowing: range === 'THISANDFUTURE' }
}

const readTexts = (component: ICAL.Component, status: string): EventTexts => {
  const place = toLine(component.getFirstPropertyValue('location'), maxPlace)
  const notes = toParagraphs(component.getFirstPropertyValue('description'), maxNotes)
  return {
    title: toLine(component.getFirstPropertyValue('summary'), maxTitle),
    ...(place !== '' && { place }),
    ...(notes !== '' && { notes }),
    ...(status === 'TENTATIVE' && { tentative: true }),
  }
}

/** Throws for a date that does not exist in calendars. */
export const toWall = ({ year, month, day, hour, minute, second }: ICAL.Time): number => {
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  if (Number.isNaN(wall) || year < 1 || year > 9998) throw new Error('a date out of range')
  return wall
}

const findZone = (property: ICAL.Property, time: ICAL.Time, zones: EventZones): ZoneRule => {
  if (time.isDate) return zones.floating
  if (time.zone === ICAL.Timezone.utcTimezone) return utcRule
  const zoneId = property.getParameter('tzid')
  return typeof zoneId === 'string' && zoneId !== '' ? zones.find(zoneId) : zones.floating
}

export const toMoment = (property: ICAL.Property, time: ICAL.Time, zones: EventZones): Moment => {
  const wall = toWall(time)
  return { wall, at: findZone(property, time, zones)(wall) }
}

/** Returns the wall time of a moment in the event's zone. */
export const toEventWall = ({ isDate, zone }: ParsedEvent, { wall, at }: Moment): number =>
  isDate ? wall : wall + at - zone(wall)

/** Without an end, an event lasts its day, or no time (RFC 5545, 3.6.1). */
const readDuration = (
  component: ICAL.Component,
  { startWall, zone, isDate }: Pick<ParsedEvent, 'startWall' | 'zone' | 'isDate'>,
  zones: EventZones,
): number => {
  const toDuration = (ms: number) => {
    const wholeMs = isDate ? Math.max(1, Math.round(ms / dayMs)) * dayMs : Math.max(0, ms)
    return Math.min(wholeMs, maxDurationMs)
  }
  const endProperty = component.getFirstProperty('dtend')
  const end = endProperty?.getFirstValue()
  if (endProperty && end instanceof ICAL.Time) {
    const { wall, at } = toMoment(endProperty, end, zones)
    return toDuration(isDate ? wall - startWall : at - zone(startWall))
  }
  const duration = component.getFirstPropertyValue('duration')
  return toDuration(duration instanceof ICAL.Duration ? duration.toSeconds() * 1000 : 0)
}

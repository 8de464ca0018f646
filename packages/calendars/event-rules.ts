/** Computes the wall times at which an event occurs, from its rules and dates. */
import ICAL from 'ical.js'
import { maxOccurrencesOfEvent } from './calendar-limits.ts'
import { type EventZones, toTime } from './event-zones.ts'
import { dayMs, type ParsedEvent, toEventWall, toMoment, toWall } from './parse-event.ts'
import type { StepBudget } from './rule-steps.ts'

export interface RuleContext {
  readonly from: number
  readonly to: number
  readonly now: number
  readonly zones: EventZones
  readonly budget: StepBudget
}

/** Returns the wall times that may be in the span. `isCut`: there are more. */
export const listWalls = (
  event: ParsedEvent,
  context: RuleContext,
): { readonly walls: ReadonlySet<number>; readonly isCut: boolean } => {
  const rules = readRules(event.component)
  const walls = new Set<number>(rules.length === 0 ? [event.startWall] : [])
  addDates(walls, event, context)
  const isWhole = rules.map((rule) => addRule(walls, event, rule, context))
  return { walls, isCut: isWhole.includes(false) }
}

const readRules = (component: ICAL.Component): readonly ICAL.Recur[] =>
  component
    .getAllProperties('rrule')
    .flatMap((property) => property.getFirstValue())
    .filter((value) => value instanceof ICAL.Recur)

/** Returns whether the library would compute wrong times for a rule of the event. */
export const hasUnreadableRule = (component: ICAL.Component): boolean =>
  readRules(component).some((rule) => !isReadable(rule))

/**
 * Measured with ical.js 2.2.1: it ignores `BYWEEKNO`, and `BYSETPOS` unless it selects from the weekdays of
 * one month.
 */
const isReadable = (rule: ICAL.Recur): boolean => {
  const count = (part: string) => rule.getComponent(part).length
  if (count('BYWEEKNO') > 0) return false
  if (count('BYSETPOS') === 0) return true
  const isOfMonth = rule.freq === 'MONTHLY' || (rule.freq === 'YEARLY' && count('BYMONTH') === 1)
  return (
    isOfMonth &&
    count('BYDAY') > 0 &&
    count('BYMONTHDAY') + count('BYYEARDAY') === 0 &&
    ['BYHOUR', 'BYMINUTE', 'BYSECOND'].every((part) => count(part) <= 1)
  )
}

const addDates = (walls: Set<number>, event: ParsedEvent, { zones }: RuleContext): void => {
  for (const property of event.component.getAllProperties('rdate'))
    for (const value of property.getValues()) {
      const time = value instanceof ICAL.Period ? value.start : value
      if (time instanceof ICAL.Time && walls.size < maxOccurrencesOfEvent)
        walls.add(toEventWall(event, toMoment(property, time, zones)))
    }
}

/** Returns false if there are more times. */
const addRule = (walls: Set<number>, event: ParsedEvent, rule: ICAL.Recur, context: RuleContext): boolean => {
  context.budget.rule = 0
  try {
    for (const wall of ruleWalls(event, rule, context)) {
      if (walls.size >= maxOccurrencesOfEvent) return false
      walls.add(wall)
    }
    return true
  } catch {
    // Too many steps, or a rule that the library refuses.
    return false
  }
}

const unitsMs: Readonly<Record<string, number>> = {
  SECONDLY: 1000,
  MINUTELY: 60_000,
  HOURLY: 60 * 60_000,
  DAILY: dayMs,
  WEEKLY: 7 * dayMs,
}

/** Wall times may differ by this from the instants of the span. */
const zoneMarginMs = 2 * dayMs

function* ruleWalls(event: ParsedEvent, rule: ICAL.Recur, context: RuleContext): Generator<number> {
  const unitMs = unitsMs[String(rule.freq)]
  // Of a rule that repeats within hours, the times to come are enough.
  const isFrequent = unitMs !== undefined && unitMs < dayMs
  const firstWall = (isFrequent ? context.now : context.from - zoneMarginMs) - event.durationMs
  const lastWall = context.to + zoneMarginMs
  const lastInstant = readUntil(event, rule)
  const isPast = (wall: number) =>
    wall > lastWall || (lastInstant !== null && (event.isDate ? wall : event.zone(wall)) > lastInstant)
  const isPossible = createCheck(rule, toTime(event.startWall))
  const iterator = withoutEnd(rule).iterator(toTime(findStart(event, rule, { unitMs, firstWall })))
  let leftCount = rule.count || Number.POSITIVE_INFINITY
  for (let time = iterator.next(); time && leftCount > 0; time = iterator.next()) {
    const wall = toWall(time)
    if (isPast(wall)) return
    if (!isPossible(time)) continue
    leftCount--
    if (wall >= firstWall) yield wall
  }
}

/** Old rules begin near the span, on the same grid. Rules with a count must be counted from the start. */
const findStart = (
  { startWall }: ParsedEvent,
  { count, interval }: ICAL.Recur,
  { unitMs, firstWall }: { readonly unitMs: number | undefined; readonly firstWall: number },
): number => {
  if (unitMs === undefined || count || startWall >= firstWall) return startWall
  const gridMs = unitMs * Math.max(1, interval)
  return startWall + Math.floor((firstWall - startWall) / gridMs) * gridMs
}

/**
 * The end is compared as an instant, but the library compares wall times. Its count includes dates that do
 * not exist.
 */
const withoutEnd = (rule: ICAL.Recur): ICAL.Recur => Object.assign(rule.clone(), { until: null, count: null })

/** `UNTIL` is a date, or an instant. A date includes its whole day. */
const readUntil = (event: ParsedEvent, { until }: ICAL.Recur): number | null => {
  if (!until) return null
  const wall = toWall(until)
  if (event.isDate) return wall
  if (until.isDate) return event.zone(wall + dayMs - 1000)
  return until.zone === ICAL.Timezone.utcTimezone ? wall : event.zone(wall)
}

/**
 * Measured with ical.js 2.2.1: `FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30` returns days in March, and `FREQ=YEARLY`
 * from 29 February returns 1 March. Days that the rule, or else the start, does not name are left out.
 */
const createCheck = (rule: ICAL.Recur, start: ICAL.Time): ((time: ICAL.Time) => boolean) => {
  const hasDays = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].some((part) => rule.getComponent(part).length > 0)
  const isYearly = rule.freq === 'YEARLY'
  const namedMonths = readNumbers(rule, 'BYMONTH')
  const months = isYearly && !hasDays && namedMonths.length === 0 ? [start.month] : namedMonths
  const isOnSameDay = !hasDays && (isYearly || rule.freq === 'MONTHLY')
  const days = isOnSameDay ? [start.day] : readNumbers(rule, 'BYMONTHDAY')
  return ({ year, month, day }) => {
    if (months.length > 0 && !months.includes(month)) return false
    if (days.length === 0) return true
    const fromEnd = day - ICAL.Time.daysInMonth(month, year) - 1
    return days.includes(day) || days.includes(fromEnd)
  }
}

const readNumbers = (rule: ICAL.Recur, part: string): readonly number[] =>
  rule.getComponent(part).map(Number).filter(Number.isFinite)

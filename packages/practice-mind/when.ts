/** Resolves the phrases of time at the start and end of a text against local time. */
import type { Moment, Part, Questions } from './moment.ts'
import type { Phrase } from './phrase-builders.ts'
import {
  type Day,
  exists,
  getWeekday,
  plusDays,
  plusMinutes,
  plusMonths,
  toDay,
  toWall,
  type Wall,
} from './wall-clock.ts'

export interface When {
  readonly wall: Wall
  /** Minutes from now. Used because the local clock has no seconds. */
  readonly minutes?: number
  readonly recurrence: string | null
}

/** Returns the time fields of the input of the tool `plan`. */
export const toPlanInput = ({ wall, minutes, recurrence }: When): Readonly<Record<string, unknown>> => ({
  ...(minutes === undefined ? { when: wall } : { in_minutes: minutes }),
  ...(recurrence ? { recurrence } : {}),
})

const hours: Readonly<Record<Part, number>> = { morning: 9, afternoon: 15, evening: 19, night: 20 }

/**
 * Removes phrases of time from one end of a text while there are any, and adds them to `moment`. Returns the
 * rest.
 */
export type Peel = (
  text: string,
  moment: Moment,
  edge: 'start' | 'end' | 'both',
  mode?: 'all' | 'time',
) => string

/** `fillers`: words between a phrase of time and the rest, at the end of a text. */
export const createPeel = (phrases: readonly Phrase[], fillers: RegExp): Peel => {
  const peel: Peel = (text, moment, edge, mode = 'all') => {
    if (edge === 'both') return peel(peel(text, moment, 'end', mode), moment, 'start', mode)
    let rest = text.trim()
    for (;;) {
      const length = getLongestLength(rest, moment, edge, mode)
      if (!length) return rest
      rest = edge === 'end' ? rest.slice(0, rest.length - length) : rest.slice(length)
      rest = edge === 'end' ? trimEnd(rest) : rest.replace(/^[\s,]+/, '')
    }
  }

  const trimEnd = (text: string): string => {
    // Linear: the lookbehind lets a match begin only at the start of a run.
    const trimmedText = text.replace(/(?<![\s,!?;:]|(?<!\d)\.)(?:[\s,!?;:]|(?<!\d)\.)+$/, '')
    return fillers.test(trimmedText) ? trimEnd(trimmedText.replace(fillers, '')) : trimmedText
  }

  const getLongestLength = (
    text: string,
    moment: Moment,
    edge: 'start' | 'end',
    mode: 'all' | 'time',
  ): number => {
    let bestMatch: { readonly length: number; readonly apply: () => void } | undefined
    for (const { kind, start, end, apply } of phrases) {
      if (mode === 'time' && kind !== 'time') continue
      const match = (edge === 'start' ? start : end).exec(text)
      if (!match || match[0].length <= (bestMatch?.length ?? 0)) continue
      const trial = { ...moment }
      if (!apply(trial, match.groups ?? {})) continue
      bestMatch = { length: match[0].length, apply: () => Object.assign(moment, trial) }
    }
    bestMatch?.apply()
    return bestMatch?.length ?? 0
  }
  return peel
}

export const hasTime = (moment: Moment) => moment.hour !== undefined || moment.minutes !== undefined
export const isSaid = (moment: Moment) => Object.keys(moment).length > 0

/** Returns the local time, or the question to ask if the time is incomplete or impossible. */
export const resolve = (moment: Moment, now: Wall, questions: Questions): When | { readonly ask: string } => {
  if (moment.unclear) return { ask: moment.unclear }
  const recurrence = moment.recurrence ?? null
  if (moment.minutes !== undefined)
    return { wall: plusMinutes(now, moment.minutes), minutes: moment.minutes, recurrence }
  if (recurrence === 'hourly' && moment.hour === undefined) return { wall: plusMinutes(now, 60), recurrence }
  if (moment.days === 0 && moment.hour === undefined && !moment.part) return { ask: questions.time }

  const [hour, minute] = clock(moment)
  const withTime = (wall: Wall): Wall => toWall(toDay(wall), hour, minute)
  const date = resolveDate(moment, now, withTime)
  if (date === undefined) return { ask: questions.noDay }
  if (date > now) return { wall: date, recurrence }
  if (recurrence === 'daily' || !isDated(moment)) return { wall: plusDays(date, 1), recurrence }
  // "Today at eight" at ten in the morning is eight in the evening.
  const evening = plusMinutes(date, 12 * 60)
  if (
    !moment.exact &&
    !moment.part &&
    hour < 12 &&
    evening > now &&
    evening.slice(0, 10) === date.slice(0, 10)
  )
    return { wall: evening, recurrence }
  return { ask: questions.past }
}

export const isDated = ({ days, months, day, dayOfMonth, weekday }: Moment) =>
  [days, months, day, dayOfMonth, weekday].some((field) => field !== undefined)

/**
 * Hours from 1 to 6 without am or pm are in the afternoon. With minutes, as in 6:30, only hours up to 4 are.
 */
const clock = ({
  hour,
  minute = 0,
  exact = false,
  written = false,
  part,
}: Moment): readonly [number, number] => {
  if (hour === undefined) return [part ? hours[part] : 9, 0]
  if (exact || hour > 12) return [hour, minute]
  if (part === 'morning') return [hour === 12 ? 0 : hour, minute]
  if (part === 'night') return [hour === 12 ? 0 : hour >= 5 ? hour + 12 : hour, minute]
  if (part || hour <= (written ? 4 : 6)) return [hour === 12 ? 12 : hour + 12, minute]
  return [hour, minute]
}

const resolveDate = (moment: Moment, now: Wall, withTime: (wall: Wall) => Wall): Wall | undefined => {
  const { days, months, day, dayOfMonth, weekday, recurrence } = moment
  if (day) return onDate(day, now, withTime)
  if (dayOfMonth !== undefined) return onDayOfMonth(dayOfMonth, now, withTime)
  if (weekday !== undefined) return onWeekday(weekday, moment.next ?? false, now, withTime)
  if (days !== undefined) return withTime(plusDays(now, days + (moment.midnight ? 1 : 0)))
  if (months !== undefined) return withTime(plusMonths(now, months))
  const today = withTime(now)
  if (today > now || !recurrence || recurrence === 'daily') return today
  if (recurrence === 'weekly') return plusDays(today, 7)
  return plusMonths(today, recurrence === 'yearly' ? 12 : 1)
}

const onDate = (
  { month, day, year }: NonNullable<Moment['day']>,
  now: Wall,
  withTime: (wall: Wall) => Wall,
): Wall | undefined => {
  const first = year ?? toDay(now).year
  // Any nine consecutive years contain a 29 February.
  for (
    let candidateYear = first;
    candidateYear < (year === undefined ? first + 9 : first + 1);
    candidateYear++
  ) {
    const date: Day = { year: candidateYear, month, day }
    if (exists(date) && (year !== undefined || withTime(toWall(date)) > now)) return withTime(toWall(date))
  }
  return undefined
}

const onDayOfMonth = (day: number, now: Wall, withTime: (wall: Wall) => Wall): Wall | undefined => {
  const { year, month } = toDay(now)
  for (let n = 0; n < 13; n++) {
    const first = toDay(plusMonths(toWall({ year, month, day: 1 }), n))
    const date: Day = { ...first, day }
    if (exists(date) && withTime(toWall(date)) > now) return withTime(toWall(date))
  }
  return undefined
}

/** "Next Friday" is the Friday of next week. Weeks begin on Monday. */
const onWeekday = (weekday: number, next: boolean, now: Wall, withTime: (wall: Wall) => Wall): Wall => {
  const today = getWeekday(now)
  if (next) return withTime(plusDays(now, weekday - today + 7))
  const thisWeek = withTime(plusDays(now, (weekday - today + 7) % 7))
  return thisWeek > now ? thisWeek : plusDays(thisWeek, 7)
}

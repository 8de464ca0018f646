/** Builds phrases of time: patterns that are anchored at the start or the end of a text. */
import type { Moment } from './moment.ts'

type Groups = Readonly<Record<string, string | undefined>>

export interface Phrase {
  readonly kind: 'date' | 'time' | 'rhythm'
  readonly start: RegExp
  readonly end: RegExp
  /** Returns false if the phrase contradicts the phrases before it. */
  readonly apply: (moment: Moment, groups: Groups) => boolean
}

const isFree = (moment: Moment) =>
  [moment.day, moment.dayOfMonth, moment.weekday, moment.days, moment.months, moment.minutes].every(
    (field) => field === undefined,
  )

export const phrase = (kind: Phrase['kind'], source: string, apply: Phrase['apply']): Phrase => ({
  kind,
  start: new RegExp(`^(?:${source})(?=$|[\\s,.!?;:])`, 'i'),
  end: new RegExp(`(?:^|(?<=[\\s,]))(?:${source})$`, 'i'),
  apply,
})

export const date = (source: string, apply: (moment: Moment, groups: Groups) => void): Phrase =>
  phrase('date', source, (moment, groups) => {
    if (!isFree(moment)) return false
    apply(moment, groups)
    return true
  })

export const time = (source: string, apply: (moment: Moment, groups: Groups) => void): Phrase =>
  phrase('time', source, (moment, groups) => {
    if (moment.hour !== undefined || moment.minutes !== undefined) return false
    apply(moment, groups)
    return (moment.hour ?? 0) < 24 && (moment.minute ?? 0) < 60
  })

export const rhythm = (source: string, apply: (moment: Moment, groups: Groups) => void): Phrase =>
  phrase('rhythm', source, (moment, groups) => {
    if (moment.recurrence !== undefined) return false
    apply(moment, groups)
    return true
  })

export const setDay = (moment: Moment, day: number, month: number, year: string | undefined): void => {
  const fullYear = year === undefined ? undefined : Number(year) + (year.length === 2 ? 2000 : 0)
  moment.day = { day, month, year: fullYear }
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

export const setSpan = (moment: Moment, unit: Unit, n: number): void => {
  if (unit === 'second') moment.minutes = n / 60
  else if (unit === 'minute') moment.minutes = n
  else if (unit === 'hour') moment.minutes = n * 60
  else if (unit === 'day') moment.days = Math.round(n)
  else if (unit === 'week') moment.days = Math.round(n * 7)
  else moment.months = Math.round(unit === 'month' ? n : n * 12)
}

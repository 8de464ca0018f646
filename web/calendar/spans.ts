/** Which days a view shows, and what they are called. */
import { locale } from '../shared/locale.ts'
import type { Span, View } from './calendar-entries.ts'

/** Days that the agenda goes back at a time. */
const agendaDays = 28

const dayOf = (moment: Date, days = 0): Date =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + days)

/** Weeks begin on the day they begin on where the person lives. */
export const firstDay = (): 0 | 1 | 6 => {
  const spoken = new Intl.Locale(locale) as Intl.Locale & {
    readonly weekInfo?: { readonly firstDay: number }
    readonly getWeekInfo?: () => { readonly firstDay: number }
  }
  const day = (spoken.getWeekInfo?.() ?? spoken.weekInfo)?.firstDay
  return day === 7 ? 0 : day === 6 ? 6 : 1
}

/** The first and the last day that a week or a month shows, whole weeks and one more on either side. */
export const spanOf = (view: Exclude<View, 'agenda'>, day: Date): Span => {
  const first = view === 'month' ? new Date(day.getFullYear(), day.getMonth(), 1) : dayOf(day)
  const last = view === 'month' ? new Date(day.getFullYear(), day.getMonth() + 1, 1) : dayOf(day, 7)
  return { from: dayOf(first, -7), to: dayOf(last, 7) }
}

/** From so many steps ago. */
export const agendaFrom = (now: Date, steps: number): Date => dayOf(now, -agendaDays * steps)

/** Steps of the agenda that reach a moment. */
export const stepsTo = (now: Date, moment: Date): number =>
  Math.max(1, Math.ceil((now.getTime() - moment.getTime()) / 86_400_000 / agendaDays))

/** A week or a month later, or earlier. */
export const stepped = (view: View, day: Date, step: 1 | -1): Date =>
  view === 'month' ? new Date(day.getFullYear(), day.getMonth() + step, 1) : dayOf(day, 7 * step)

const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
const whole = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' })

export const spanName = (view: View, day: Date): string => {
  if (view === 'month') return month.format(day)
  const first = firstOfWeek(day)
  return whole.formatRange(first, dayOf(first, 6))
}

const firstOfWeek = (day: Date): Date => dayOf(day, -((day.getDay() - firstDay() + 7) % 7))

/** When a moment is in another zone. */
export const whenIn = (zone: string, moment: Date): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'full', timeStyle: 'short' }).format(moment)

/** Null if the browser reports none that it knows itself, as Etc/Unknown. */
export const zoneHere = (): string | null => {
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!zone || zone === 'Etc/Unknown') return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Whether clocks there show another time now than here. */
export const isElsewhere = (zone: string, now = new Date()): boolean => {
  const shown = (timeZone?: string) =>
    new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(now)
  try {
    return zone !== zoneHere() && shown(zone) !== shown()
  } catch {
    // This browser knows no such zone.
    return false
  }
}

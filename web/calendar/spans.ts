/** The date range of each calendar view, and its title. */
import { locale } from '../shared/locale.ts'
import type { Span, View } from './calendar-entries.ts'

/** Number of days that each step of the agenda reaches further back. */
const agendaDays = 28

const addDays = (moment: Date, days = 0): Date =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + days)

/** Returns the first day of the week in the user's locale. */
export const firstDay = (): 0 | 1 | 6 => {
  const userLocale = new Intl.Locale(locale) as Intl.Locale & {
    readonly weekInfo?: { readonly firstDay: number }
    readonly getWeekInfo?: () => { readonly firstDay: number }
  }
  const day = (userLocale.getWeekInfo?.() ?? userLocale.weekInfo)?.firstDay
  return day === 7 ? 0 : day === 6 ? 6 : 1
}

/** Returns the range to load for a week or a month, with one more week on either side. */
export const getSpan = (view: Exclude<View, 'agenda'>, day: Date): Span => {
  const first = view === 'month' ? new Date(day.getFullYear(), day.getMonth(), 1) : addDays(day)
  const last = view === 'month' ? new Date(day.getFullYear(), day.getMonth() + 1, 1) : addDays(day, 7)
  return { from: addDays(first, -7), to: addDays(last, 7) }
}

/** Returns the first day of an agenda that reaches back the given number of steps. */
export const getAgendaStart = (today: Date, steps: number): Date => addDays(today, -agendaDays * steps)

/** Returns how many steps the agenda must reach back to include a moment. */
export const countSteps = (today: Date, moment: Date): number =>
  Math.max(1, Math.ceil((today.getTime() - moment.getTime()) / 86_400_000 / agendaDays))

/** Returns the day one week or month later or earlier. */
export const addStep = (view: View, day: Date, step: 1 | -1): Date =>
  view === 'month' ? new Date(day.getFullYear(), day.getMonth() + step, 1) : addDays(day, 7 * step)

const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
const fullDate = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' })

export const spanName = (view: View, day: Date): string => {
  if (view === 'month') return month.format(day)
  const first = getWeekStart(day)
  return fullDate.formatRange(first, addDays(first, 6))
}

const getWeekStart = (day: Date): Date => addDays(day, -((day.getDay() - firstDay() + 7) % 7))

/** Formats a moment in another time zone. */
export const whenIn = (zone: string, moment: Date): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'full', timeStyle: 'short' }).format(moment)

/**
 * Returns the user's time zone. Null if the browser reports one that it does not support, such as
 * Etc/Unknown.
 */
export const zoneHere = (): string | null => {
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!zone || zone === 'Etc/Unknown') return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Returns true if clocks in the zone currently show another time than local clocks. */
export const isOtherZone = (zone: string, today = new Date()): boolean => {
  const formatNow = (timeZone?: string) =>
    new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(today)
  try {
    return zone !== zoneHere() && formatNow(zone) !== formatNow()
  } catch {
    // The browser does not know this zone.
    return false
  }
}

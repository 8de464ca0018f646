/** Formats times and days in the browser's time zone. An invalid time becomes an empty string. */
import { text } from '../strings/strings.ts'
import { createDateFormat, getClockFormat } from './locale.ts'

const getYearFormat = createDateFormat({ weekday: 'long', day: 'numeric', month: 'long' })
const getDayFormat = createDateFormat({ day: 'numeric', month: 'short' })
const getWeekFormat = createDateFormat({ weekday: 'short' })
const getLongFormat = createDateFormat({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const getShortFormat = createDateFormat({ day: 'numeric', month: 'short', year: 'numeric' })
const getFullFormat = createDateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

const isMoment = (moment: Date) => !Number.isNaN(moment.getTime())

const createFormatter = (getFormat: () => Intl.DateTimeFormat) => (time: string | Date | number) => {
  const moment = new Date(time)
  return isMoment(moment) ? getFormat().format(moment) : ''
}

/** Hour and minute. */
export const formatClock = createFormatter(getClockFormat)
/** Weekday, day, month and year. */
export const longDay = createFormatter(getLongFormat)
/** Day, month and year. */
export const shortDay = createFormatter(getShortFormat)
/** Weekday, day, month, year, hour and minute. */
export const momentName = createFormatter(getFullFormat)

/** Returns a key that is equal for two moments of the same local day. */
export const toDay = (moment: Date): string => (isMoment(moment) ? moment.toDateString() : '')

const daysBefore = (moment: Date, days: number): Date =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() - days)

export const dayName = (moment: Date, today = new Date()): string => {
  const day = toDay(moment)
  if (day === toDay(today)) return text.talk.today
  if (day === toDay(daysBefore(today, 1))) return text.talk.yesterday
  return (moment.getFullYear() === today.getFullYear() ? getYearFormat : getLongFormat)().format(moment)
}

/** Returns day and time, with "today" and "yesterday" for near days. */
export const whenName = (moment: Date, today = new Date()): string =>
  isMoment(moment) ? `${dayName(moment, today)}, ${formatClock(moment)}` : ''

/** Returns the shortest form: the time for today, the weekday for this week, else the date. */
export const formatBriefly = (moment: Date, today = new Date()): string => {
  if (!isMoment(moment)) return ''
  if (toDay(moment) === toDay(today)) return formatClock(moment)
  if (toDay(moment) === toDay(daysBefore(today, 1))) return text.talk.yesterday
  if (moment > daysBefore(today, 6) && moment < today) return getWeekFormat().format(moment)
  return (moment.getFullYear() === today.getFullYear() ? getDayFormat : getShortFormat)().format(moment)
}

/** `birthday` is YYYY-MM-DD without a zone, so noon of the local zone is used. */
export const dateName = (birthday: string): string => longDay(`${birthday}T12:00:00`)

const getMonthFormat = createDateFormat({ month: 'long', year: 'numeric' })

const getWeekdayFormat = createDateFormat({ weekday: 'long' })

/** Formats `2027`, `2027-03` or `2027-03-31`, and a day of the last or next six days as its weekday. */
export const partialDateName = (date: string, side: 'past' | 'future', now = new Date()): string => {
  if (/^\d{4}$/.test(date)) return date
  if (date.length === 7) return createFormatter(getMonthFormat)(`${date}-01T12:00:00`)
  const noon = new Date(`${date}T12:00:00`)
  const nearDays = [1, 2, 3, 4, 5, 6].map((days) => toDay(daysBefore(now, side === 'past' ? days : -days)))
  return nearDays.includes(toDay(noon)) ? getWeekdayFormat().format(noon) : shortDay(noon)
}

/** Formats a duration as `m:ss`. */
export const lengthName = (seconds: number): string => {
  const rounded = Math.max(0, Math.round(seconds))
  return `${Math.floor(rounded / 60)}:${pad2(rounded % 60)}`
}

const pad2 = (count: number) => String(count).padStart(2, '0')

/** Returns the local date as YYYY-MM-DD. */
export const toDateField = (moment: Date): string =>
  `${moment.getFullYear()}-${pad2(moment.getMonth() + 1)}-${pad2(moment.getDate())}`

/** Returns the local time as HH:MM. */
export const toTimeField = (moment: Date): string => `${pad2(moment.getHours())}:${pad2(moment.getMinutes())}`

/** Times and days as people say them, in this browser's zone. What is no moment is told as nothing. */
import { text } from '../strings/strings.ts'
import { clockLocale, locale } from './locale.ts'

const clock = new Intl.DateTimeFormat(clockLocale, { hour: '2-digit', minute: '2-digit' })
const inYear = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const inWeek = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const long = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const whole = new Intl.DateTimeFormat(locale, {
  ...{ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit' },
})

const isMoment = (moment: Date) => !Number.isNaN(moment.getTime())

const told = (format: Intl.DateTimeFormat) => (time: string | Date | number) => {
  const moment = new Date(time)
  return isMoment(moment) ? format.format(moment) : ''
}

/** The hour and the minute. */
export const clockOf = told(clock)
/** The day of the week, day, month and year. */
export const longDay = told(long)
/** Day, month and year. */
export const shortDay = told(short)
/** The day of the week, day, month, year, hour and minute. */
export const momentName = told(whole)

/** Equal for two moments of the same day here. */
export const dayOf = (moment: Date): string => (isMoment(moment) ? moment.toDateString() : '')

const daysBefore = (moment: Date, days: number): Date =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() - days)

export const dayName = (moment: Date, now = new Date()): string => {
  const day = dayOf(moment)
  if (day === dayOf(now)) return text.talk.today
  if (day === dayOf(daysBefore(now, 1))) return text.talk.yesterday
  return (moment.getFullYear() === now.getFullYear() ? inYear : long).format(moment)
}

/** Day and time; of days that are near, the day's own name. */
export const whenName = (moment: Date, now = new Date()): string =>
  isMoment(moment) ? `${dayName(moment, now)}, ${clockOf(moment)}` : ''

/** As briefly as can be: the time of today, the day of this week, else the date. */
export const briefly = (moment: Date, now = new Date()): string => {
  if (!isMoment(moment)) return ''
  if (dayOf(moment) === dayOf(now)) return clockOf(moment)
  if (dayOf(moment) === dayOf(daysBefore(now, 1))) return text.talk.yesterday
  return moment > daysBefore(now, 6) && moment < now ? inWeek.format(moment) : short.format(moment)
}

/** `birthday` as YYYY-MM-DD: a date without a zone, so it is read in this one. */
export const dateName = (birthday: string): string => longDay(`${birthday}T12:00:00`)

/** `m:ss` of a clip. */
export const lengthName = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

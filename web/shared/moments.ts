/** Times and days as people say them, in this browser's zone. */
import { language, text } from '../strings/strings.ts'

// Days are told in the language of the page; the clock is the person's own, with 12 hours or 24.
const spoken =
  navigator.languages.find((tag) => tag.startsWith(language) && isTag(tag)) ??
  (language === 'en' ? 'en-GB' : language)
const clock = new Intl.DateTimeFormat(isTag(undefined) ? undefined : spoken, {
  hour: '2-digit',
  minute: '2-digit',
})
const thisYear = new Intl.DateTimeFormat(spoken, { weekday: 'long', day: 'numeric', month: 'long' })
const anyYear = new Intl.DateTimeFormat(spoken, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const short = new Intl.DateTimeFormat(spoken, { day: 'numeric', month: 'short', year: 'numeric' })

/**
 * Whether days can be told in it; undefined: in the browser's own. A system may give its browser what is no
 * tag of a language, as `en-US@posix`.
 */
function isTag(language: string | undefined): boolean {
  try {
    return new Intl.DateTimeFormat(language).resolvedOptions().locale !== ''
  } catch {
    return false
  }
}

export const clockOf = (moment: Date): string => (isMoment(moment) ? clock.format(moment) : '')

/** Equal for two moments of the same day here. */
export const dayOf = (moment: Date): string => (isMoment(moment) ? moment.toDateString() : '')

export const dayName = (moment: Date, now = new Date()): string => {
  const day = dayOf(moment)
  if (day === dayOf(now)) return text.talk.today
  if (day === dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)))
    return text.talk.yesterday
  return (moment.getFullYear() === now.getFullYear() ? thisYear : anyYear).format(moment)
}

/** Day and time; of days that are near, the day's own name. */
export const whenName = (moment: Date, now = new Date()): string =>
  isMoment(moment) ? `${dayName(moment, now)}, ${clockOf(moment)}` : ''

/** `birthday` as YYYY-MM-DD: a date without a zone, so it is read in this one. */
export const dateName = (birthday: string): string => {
  const moment = new Date(`${birthday}T12:00:00`)
  return isMoment(moment) ? anyYear.format(moment) : ''
}

const isMoment = (moment: Date) => !Number.isNaN(moment.getTime())

/** Day, month and year in short. */
export const shortDate = (moment: Date): string => (isMoment(moment) ? short.format(moment) : '')

/** `m:ss` of a clip. */
export const lengthName = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** A whole moment, amounts and money in the language of the page. */
import { language } from '../strings/strings.ts'

/** The person's own kind of it, where their browser names one. */
const locale = (): string => {
  const tag = navigator.languages.find((one) => one.toLowerCase().startsWith(language))
  try {
    return new Intl.DateTimeFormat(tag ?? language).resolvedOptions().locale
  } catch {
    return language
  }
}

const spoken = locale()
const whole = new Intl.DateTimeFormat(spoken, {
  ...{ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit' },
})
const day = new Intl.DateTimeFormat(spoken, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const brief = new Intl.DateTimeFormat(spoken, { day: 'numeric', month: 'short', year: 'numeric' })
const clock = new Intl.DateTimeFormat(spoken, { hour: '2-digit', minute: '2-digit' })
const number = new Intl.NumberFormat(spoken)
const short = new Intl.NumberFormat(spoken, { notation: 'compact', maximumFractionDigits: 1 })
const tenths = new Intl.NumberFormat(spoken, { maximumFractionDigits: 1 })

const named = (format: Intl.DateTimeFormat) => (time: string | Date | number) => {
  const moment = new Date(time)
  return Number.isNaN(moment.getTime()) ? '' : format.format(moment)
}

export const momentName = named(whole)
export const longDay = named(day)
export const shortDay = named(brief)
export const clockTime = named(clock)

export const countName = (count: number): string => number.format(count)
export const shortCount = (count: number): string => short.format(count)

const units = ['B', 'KB', 'MB', 'GB'] as const

export const sizeName = (bytes: number): string => {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return `${tenths.format(bytes / 1000 ** step)} ${units[step]}`
}

export const secondsName = (ms: number): string =>
  ms < 1000 ? `${number.format(Math.round(ms))} ms` : `${tenths.format(ms / 1000)} s`

/** What cost less than a cent is told to its first two digits. */
export const moneyName = (usd: number): string =>
  new Intl.NumberFormat(spoken, {
    ...{ style: 'currency', currency: 'USD' },
    ...(usd > 0 && usd < 0.01 ? { maximumSignificantDigits: 2 } : {}),
  }).format(usd)

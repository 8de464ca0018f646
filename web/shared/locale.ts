/** The locale for times and amounts. */
import { language } from '../strings/strings.ts'

/**
 * Some systems report an invalid tag such as `en-US@posix`. Browsers have no quick check that they support a
 * tag, but they fall back to its language.
 */
const isLocale = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The language of the page, with the user's region if the browser reports one. */
export const locale: string =
  navigator.languages.find((tag) => tag.toLowerCase().startsWith(language) && isLocale(tag)) ??
  (language === 'en' ? 'en-GB' : language)

/**
 * Calls a function once, on the first use. Measured on a slow phone: to create the formats of the talk takes
 * 70 ms, which would delay the first paint.
 */
export const createOnce = <T extends object>(create: () => T): (() => T) => {
  let value: T | undefined
  return () => {
    value ??= create()
    return value
  }
}

export const createDateFormat = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
  createOnce(() => new Intl.DateTimeFormat(locale, options))

/** In the browser's own locale, so that the user's choice of 12 or 24 hours applies. */
export const getClockFormat = createOnce((): Intl.DateTimeFormat => {
  const options = { hour: '2-digit', minute: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat(undefined, options)
  } catch {
    return new Intl.DateTimeFormat(locale, options)
  }
})

/** The locale for times and amounts. */
import { language } from '../strings/strings.ts'

/**
 * Returns true if the browser can format in the locale; undefined means its default. Some systems report an
 * invalid tag such as `en-US@posix`.
 */
const isLocale = (tag: string | undefined): boolean => {
  try {
    return new Intl.DateTimeFormat(tag).resolvedOptions().locale !== ''
  } catch {
    return false
  }
}

/** The language of the page, with the user's region if the browser reports one. */
export const locale: string =
  navigator.languages.find((tag) => tag.toLowerCase().startsWith(language) && isLocale(tag)) ??
  (language === 'en' ? 'en-GB' : language)

/**
 * The locale for clock times. It is the browser's own, so that the user's choice of 12 or 24 hours applies.
 */
export const clockLocale: string | undefined = isLocale(undefined) ? undefined : locale

/** How times and amounts are told. */
import { language } from '../strings/strings.ts'

/**
 * Whether the browser can tell them in it; undefined: in its own. A system may give it what is no tag of a
 * language, as `en-US@posix`.
 */
const isLocale = (tag: string | undefined): boolean => {
  try {
    return new Intl.DateTimeFormat(tag).resolvedOptions().locale !== ''
  } catch {
    return false
  }
}

/** The language of the page, of the person's own kind where the browser names one. */
export const locale: string =
  navigator.languages.find((tag) => tag.toLowerCase().startsWith(language) && isLocale(tag)) ??
  (language === 'en' ? 'en-GB' : language)

/** Of clocks, with 12 hours or 24: the browser's own, whatever the page speaks. */
export const clockLocale: string | undefined = isLocale(undefined) ? undefined : locale

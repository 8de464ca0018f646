/** Formats counts, bytes, durations and money in the language of the page. */
import { createOnce, locale } from './locale.ts'

const getNumberFormat = createOnce(() => new Intl.NumberFormat(locale))
const getCompactFormat = createOnce(
  () => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
)
const getTenthsFormat = createOnce(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }))

export const countName = (count: number): string => getNumberFormat().format(count)
export const shortCount = (count: number): string => getCompactFormat().format(count)

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export const sizeName = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const size = bytes / 1000 ** power
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 0 && size < 10 ? 1 : 0,
  }).format(size)
}

export const secondsName = (ms: number): string =>
  ms < 1000 ? `${getNumberFormat().format(Math.round(ms))} ms` : `${getTenthsFormat().format(ms / 1000)} s`

/** Formats an amount. Amounts below a cent get two significant digits. */
export const moneyName = (usd: number): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    ...(usd > 0 && usd < 0.01 ? { maximumSignificantDigits: 2 } : {}),
  }).format(usd)

/** Bytes as people say them. */
import { language } from '../strings/strings.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export const sizeName = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1000 ** power)
}

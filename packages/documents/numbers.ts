/**
 * A number in a cell of a workbook as its format shows it: as a date, a time, a share, or as itself (ECMA-376
 * 18.8.30).
 */

export type Shape = 'number' | 'percent' | 'date' | 'time' | 'moment' | 'duration'

/**
 * The formats without a code of their own; the East Asian ones from 27 on mean dates and times in every
 * language.
 */
const builtIn = (id: number): Shape => {
  if (id === 9 || id === 10) return 'percent'
  if (
    (id >= 14 && id <= 17) ||
    (id >= 27 && id <= 31) ||
    id === 36 ||
    (id >= 50 && id <= 54) ||
    id === 57 ||
    id === 58
  )
    return 'date'
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47 || id === 55 || id === 56)
    return 'time'
  if (id === 46) return 'duration'
  return id === 22 ? 'moment' : 'number'
}

/** `code` is the format's own, where the workbook has one for it. */
export const getNumberShape = (id: number, code?: string): Shape => {
  if (code === undefined) return builtIn(id)
  const [first = ''] = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .toLowerCase()
    .split(';')
  if (/\[(h+|m+|s+)\]/.test(first)) return 'duration'
  // What is left in brackets is a colour, a condition or a language.
  const letters = first.replace(/\[[^[\]]*\]/g, '').replace(/general|am\/pm|a\/p/g, '')
  const date = /[yd]/.test(letters) || (/m/.test(letters) && !/[hs]/.test(letters))
  const time = /[hs]/.test(letters)
  if (date && time) return 'moment'
  if (date || time) return date ? 'date' : 'time'
  return letters.includes('%') ? 'percent' : 'number'
}

/** `raw` is what stands in the file; what is no number stays as it is. */
export const numberAs = (raw: string, shape: Shape, from1904: boolean): string => {
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  if (shape === 'percent') return `${tidy(value * 100)}%`
  // ⏱ Rounding makes it three times as slow, and few have digits enough to need it.
  if (shape === 'number') return raw.length > 16 ? tidy(value) : String(value)
  if (shape === 'duration') return clock(Math.round(value * daySeconds))
  const seconds = secondsOf(value, from1904)
  if (seconds === undefined) return tidy(value)
  if (shape === 'date') return dateOf(seconds)
  return shape === 'time' && value < 1 ? timeOf(seconds) : `${dateOf(seconds)} ${timeOf(seconds)}`
}

/** Without the noise that binary fractions leave behind the 15th digit. */
const tidy = (value: number): string => String(Number(value.toPrecision(15)))

const daySeconds = 86_400

/** Since the day before 31 December 1899; undefined for what is no day of Excel's. */
const secondsOf = (serial: number, from1904: boolean): number | undefined => {
  // Day 60 is a 29 February 1900 that never was.
  const days = from1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  return days < 0 || days >= 2_958_466 ? undefined : Math.round(days * daySeconds)
}

/** ⏱ A sheet has few days and many cells: written anew each takes 1.8 µs, looked up 0.06. */
const dates = new Map<number, string>()

const dateOf = (seconds: number): string => {
  const day = Math.floor(seconds / daySeconds)
  const known = dates.get(day)
  if (known !== undefined) return known
  const date = new Date((day - 25_569) * daySeconds * 1000).toISOString().slice(0, 10)
  if (dates.size < 10_000) dates.set(day, date)
  return date
}

const timeOf = (seconds: number): string => {
  const time = clock(seconds % daySeconds).padStart(8, '0')
  return time.endsWith(':00') ? time.slice(0, 5) : time
}

const clock = (seconds: number): string => {
  const rest = Math.abs(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${seconds < 0 ? '-' : ''}${Math.floor(rest / 3600)}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`
}

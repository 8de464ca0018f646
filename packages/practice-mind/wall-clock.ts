/**
 * Arithmetic and formatting of local time such as `2026-11-24T09:00`. Time zones and instants are not
 * supported.
 */

export type Wall = string

export interface Day {
  readonly year: number
  /** From 1 to 12. */
  readonly month: number
  readonly day: number
}

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export const months =
  'january february march april may june july august september october november december'.split(' ')

const minute = 60_000
const toEpoch = (wall: Wall) => Date.parse(`${wall}:00Z`)
const wallAt = (epoch: number): Wall => new Date(epoch).toISOString().slice(0, 16)

export const toDay = (wall: Wall): Day => {
  const [year = 0, month = 1, day = 1] = wall.slice(0, 10).split('-').map(Number)
  return { year, month, day }
}

export const toWall = ({ year, month, day }: Day, hour = 0, minutes = 0): Wall =>
  wallAt(Date.UTC(year, month - 1, day, hour, minutes))

/** Returns false for days such as 31 November. */
export const exists = ({ year, month, day }: Day): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

export const plusMinutes = (wall: Wall, n: number): Wall => wallAt(toEpoch(wall) + n * minute)
export const plusDays = (wall: Wall, n: number): Wall => plusMinutes(wall, n * 24 * 60)

/** Uses the last day of the month if the month is too short. */
export const plusMonths = (wall: Wall, n: number): Wall => {
  const { year, month, day } = toDay(wall)
  const first = new Date(Date.UTC(year, month - 1 + n, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return `${first.toISOString().slice(0, 8)}${pad(Math.min(day, last))}${wall.slice(10)}`
}

/** 0 is Monday. */
export const getWeekday = (wall: Wall): number => (new Date(toEpoch(wall)).getUTCDay() + 6) % 7

const daysBetween = (from: Wall, to: Wall): number =>
  Math.round((toEpoch(`${to.slice(0, 10)}T00:00`) - toEpoch(`${from.slice(0, 10)}T00:00`)) / (1440 * minute))

const pad = (n: number) => String(n).padStart(2, '0')
export const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

const ordinal = (n: number) =>
  `${n}${n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`

const dateWords = (wall: Wall, now: Wall): string => {
  const { year, month, day } = toDay(wall)
  return `${day} ${capital(months[month - 1] ?? '')}${year === toDay(now).year ? '' : ` ${year}`}`
}

const weekdayWords = (wall: Wall) => capital(weekdays[getWeekday(wall)] ?? '')

/** Formats a day: "tomorrow, Tuesday, 24 November". */
export const sayDay = (wall: Wall, now: Wall): string => {
  const days = daysBetween(now, wall)
  if (days === 0) return 'today'
  if (days === -1) return 'yesterday'
  const date = `${weekdayWords(wall)}, ${dateWords(wall, now)}`
  return days === 1 ? `tomorrow, ${date}` : `on ${date}`
}

/**
 * Formats a time: "tomorrow, Tuesday, 24 November, at 09:00", "every Monday at 09:00, from 30 November on".
 */
export const sayWhen = (wall: Wall, now: Wall, recurrence: string | null | undefined): string => {
  const time = wall.slice(11, 16)
  const day = sayDay(wall, now)
  const from =
    day === 'today'
      ? 'from today on'
      : day.startsWith('tomorrow')
        ? 'from tomorrow on'
        : `from ${dateWords(wall, now)} on`
  const { month, day: number } = toDay(wall)
  switch (recurrence) {
    case 'hourly':
      return `every hour, first ${day} at ${time}`
    case 'daily':
      return `every day at ${time}, ${from}`
    case 'weekly':
      return `every ${weekdayWords(wall)} at ${time}, ${from}`
    case 'monthly':
      return `every month on the ${ordinal(number)}${number > 28 ? ' (on the last day where there is none)' : ''} at ${time}, ${from}`
    case 'yearly':
      return `every year on ${number} ${capital(months[month - 1] ?? '')} at ${time}, ${from}`
    default:
      return `${day}${day.includes(',') ? ',' : ''} at ${time}`
  }
}

/** Formats a delay: "in 90 minutes", "in 2 hours", "in 30 seconds". */
export const saySpan = (minutes: number): string => {
  const [unit, size] =
    minutes < 1
      ? (['second', 1 / 60] as const)
      : minutes >= 60 && minutes % 60 === 0
        ? (['hour', 60] as const)
        : (['minute', 1] as const)
  const n = Math.round((minutes / size) * 10) / 10
  return `in ${n} ${unit}${n === 1 ? '' : 's'}`
}

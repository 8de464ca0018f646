/**
 * Arithmetic of local time such as `2026-11-24T09:00`. Time zones and instants are not supported.
 */

export type Wall = string

export interface Day {
  readonly year: number
  /** From 1 to 12. */
  readonly month: number
  readonly day: number
}

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

export const daysBetween = (from: Wall, to: Wall): number =>
  Math.round((toEpoch(`${to.slice(0, 10)}T00:00`) - toEpoch(`${from.slice(0, 10)}T00:00`)) / (1440 * minute))

const pad = (n: number) => String(n).padStart(2, '0')
export const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** The minutes of the last day in rows of one hour. Rows and cells are ordered newest first. */
import { isoWithOffset } from '../../packages/kit/time/clock.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import { type CallMarks, formatMarks, noMarks } from './marks.ts'
import { type Cell, minutesOfDay, toMinute } from './minutes.ts'

export interface Uptime {
  readonly rows: readonly UptimeRow[]
}

/** One hour, from `from` (inclusive) to `to` (exclusive), in ISO 8601. */
export interface UptimeRow {
  readonly from: string
  readonly to: string
  readonly cells: readonly UptimeCell[]
}

/** `at`: begin of the minute. */
export interface UptimeCell extends CallMarks {
  readonly at: string
}

const minutesOfRow = 60

/**
 * Returns elapsed minutes, the current one first. A change of the UTC offset is visible in the times only.
 */
export const getUptime = (cells: readonly Cell[], now: number, zone: string): Uptime => {
  const marks = new Map(cells.map((cell) => [cell.minute, cell.marks]))
  const last = toMinute(now)
  const rows = Array.from({ length: minutesOfDay / minutesOfRow }, (_, row) => {
    const newestMinute = last - row * minutesOfRow
    const minutes = Array.from({ length: minutesOfRow }, (_, n) => newestMinute - n)
    const time = createTimeFormatter(newestMinute - minutesOfRow + 1, newestMinute + 1, zone)
    return {
      from: time(newestMinute - minutesOfRow + 1),
      to: time(newestMinute + 1),
      cells: minutes.map((minute) => ({ at: time(minute), ...formatMarks(marks.get(minute) ?? noMarks) })),
    }
  })
  return { rows }
}

/**
 * Formats the minutes of an hour. Measured: formatting each one separately takes as long as all the rest. The
 * offset changes at most once within an hour.
 */
const createTimeFormatter = (from: number, to: number, zone: string) => {
  const getOffset = (minute: number) => offsetAt(minute * 60_000, zone)
  const first = getOffset(from)
  const last = getOffset(to)
  const hours = new Map<number, string>()
  return (minute: number): string => {
    const offset = first === last ? first : getOffset(minute)
    const minuteOfHour = (((minute + offset) % 60) + 60) % 60
    const hour = minute - minuteOfHour
    const time = hours.get(hour) ?? isoWithOffset(hour * 60_000, offset)
    hours.set(hour, time)
    return `${time.slice(0, minuteIndex)}${String(minuteOfHour).padStart(2, '0')}${time.slice(minuteIndex + 2)}`
  }
}

/** Index of the minutes in `2026-11-23T10:15:…`. */
const minuteIndex = 14

/** A day of minutes as rows of an hour, the newest first both ways. */
import { isoWithOffset } from '../../packages/kit/time/clock.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import { noMarks, type Told, toldOf } from './marks.ts'
import { type Cell, minuteOf, minutesOfDay } from './minutes.ts'

export interface Uptime {
  readonly rows: readonly UptimeRow[]
}

/** The hour from `from` to before `to`, ISO 8601. */
export interface UptimeRow {
  readonly from: string
  readonly to: string
  readonly cells: readonly UptimeCell[]
}

/** `at`: when its minute began. */
export interface UptimeCell extends Told {
  readonly at: string
}

const minutesOfRow = 60

/** Real minutes, the current one first: where the clocks change, the times show it. */
export const uptimeOf = (cells: readonly Cell[], now: number, zone: string): Uptime => {
  const marks = new Map(cells.map((cell) => [cell.minute, cell.marks]))
  const last = minuteOf(now)
  const rows = Array.from({ length: minutesOfDay / minutesOfRow }, (_, row) => {
    const newest = last - row * minutesOfRow
    const minutes = Array.from({ length: minutesOfRow }, (_, n) => newest - n)
    const time = timesWithin(newest - minutesOfRow + 1, newest + 1, zone)
    return {
      from: time(newest - minutesOfRow + 1),
      to: time(newest + 1),
      cells: minutes.map((minute) => ({ at: time(minute), ...toldOf(marks.get(minute) ?? noMarks) })),
    }
  })
  return { rows }
}

/**
 * Times of the minutes of an hour: ⏱ written one by one they take as long as all the rest. Within an hour the
 * clocks change once at most.
 */
const timesWithin = (from: number, to: number, zone: string) => {
  const offsetOf = (minute: number) => offsetAt(minute * 60_000, zone)
  const [first, last] = [offsetOf(from), offsetOf(to)]
  const hours = new Map<number, string>()
  return (minute: number): string => {
    const offset = first === last ? first : offsetOf(minute)
    const past = (((minute + offset) % 60) + 60) % 60
    const hour = minute - past
    const time = hours.get(hour) ?? isoWithOffset(hour * 60_000, offset)
    hours.set(hour, time)
    return `${time.slice(0, minuteAt)}${String(past).padStart(2, '0')}${time.slice(minuteAt + 2)}`
  }
}

/** Where the minutes stand in `2026-11-23T10:15:…`. */
const minuteAt = 14

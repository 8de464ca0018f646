/** Usage by day without gaps, and totals of it. */
import type { Shape } from '../shared/shapes.ts'

export type Usage = Shape<'Usage'>

export interface DayUse {
  /** YYYY-MM-DD */
  readonly day: string
  readonly tokens: number
  readonly usd: number
}

const dayMs = 24 * 60 * 60 * 1000
const toNoon = (day: string): number => Date.parse(`${day}T12:00:00Z`)
const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Returns the local date the given number of days ago, as YYYY-MM-DD. */
export const dateBefore = (days: number, today = new Date()): string =>
  dayAt(Date.UTC(today.getFullYear(), today.getMonth(), today.getDate() - days))

/** Returns every day from `from` (default: the first day with usage) to `to`. */
export const getUsageDays = (
  { days }: Usage,
  firstDay: string | null,
  lastDay: string,
): readonly DayUse[] => {
  const usageByDay = new Map(days.map((usage) => [usage.day, usage]))
  const knownDates = [...usageByDay.keys()].sort()
  const firstDate = firstDay ?? knownDates[0]
  if (firstDate === undefined) return []
  const end = [lastDay, knownDates.at(-1) ?? lastDay].sort().at(-1) ?? lastDay
  const all: DayUse[] = []
  for (let time = toNoon(firstDate); time <= toNoon(end); time += dayMs) {
    const day = dayAt(time)
    const sum = usageByDay.get(day)
    all.push({ day, tokens: (sum?.input ?? 0) + (sum?.output ?? 0), usd: sum?.usd ?? 0 })
  }
  // Drops the unused days at the start, but keeps at least a week.
  const first = all.findIndex(({ tokens }) => tokens > 0)
  return all.slice(Math.max(0, Math.min(first, all.length - 7)))
}

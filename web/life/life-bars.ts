/** The bars of the timeline: one per day, or one per hour for a short life. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { readJournal } from '../shared/journal-lines.ts'
import { longDay, momentName, toDateField } from '../shared/moments.ts'
import { getTypes } from './fact-kinds.ts'

export interface Bar {
  /** Epoch milliseconds. `start` is inclusive, `end` is exclusive. */
  readonly start: number
  readonly end: number
  readonly name: string
  readonly count: number
}

export interface LifeBars {
  readonly by: 'day' | 'hour'
  readonly bars: readonly Bar[]
}

const hour = 60 * 60 * 1000
const shortLife = 2 * 24 * hour

export const loadBars = async (persona_id: string): Promise<Answer<LifeBars>> => {
  const first = await readJournal(persona_id, { upto: 1 })
  if (!first.ok) return first
  const nowEpoch = Date.now()
  const birth = Date.parse(first.value.lines[0]?.at ?? '') || nowEpoch
  if (nowEpoch - birth < shortLife) return hours(persona_id, birth, nowEpoch)
  const usage = await answerTo(
    client.GET('/api/persona/{persona_id}/usage', { params: { path: { persona_id } } }),
  )
  if (!usage.ok) return usage
  const counts = new Map(usage.value.days.map(({ day, calls }) => [day, calls]))
  return { ok: true, value: { by: 'day', bars: dayBars(birth, nowEpoch, counts) } }
}

const hours = async (id: string, birth: number, nowEpoch: number): Promise<Answer<LifeBars>> => {
  const journalAnswer = await readJournal(id, { type: getTypes('main') })
  if (!journalAnswer.ok) return journalAnswer
  const start = Math.floor(birth / hour) * hour
  const bars = Array.from({ length: Math.max(1, Math.ceil((nowEpoch - start) / hour)) }, (_, n) => {
    const barStart = start + n * hour
    return { start: barStart, end: barStart + hour, name: momentName(barStart), count: 0 }
  })
  for (const { at } of journalAnswer.value.lines) {
    const bar = bars[Math.floor((Date.parse(at) - start) / hour)]
    if (bar) bar.count += 1
  }
  return { ok: true, value: { by: 'hour', bars } }
}

/** Returns a bar per local day. The daemon's count of a date is used for the local day of the same date. */
const dayBars = (birth: number, nowEpoch: number, counts: ReadonlyMap<string, number>): readonly Bar[] => {
  const bars: Bar[] = []
  const day = new Date(birth)
  day.setHours(0, 0, 0, 0)
  while (day.getTime() <= nowEpoch) {
    const start = day.getTime()
    const date = toDateField(day)
    day.setDate(day.getDate() + 1)
    bars.push({ start, end: day.getTime(), name: longDay(start), count: counts.get(date) ?? 0 })
  }
  return bars
}

/** Returns the index of the bar that contains a moment, or of the last bar for now (null). */
export const barAt = (bars: readonly Bar[], time: number | null): number => {
  if (time === null) return bars.length - 1
  const index = bars.findLastIndex(({ start }) => start <= time)
  return Math.max(0, index)
}

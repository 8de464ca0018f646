/** Lists plans to come and past ones. */
import * as z from 'zod'
import { isLocalTime, localTimeAt, shortLocalTime, toInstant } from '../../../packages/kit/time/local-time.ts'
import { fallenWithin } from '../../../projections/past-calendar.ts'
import { listValues } from '../../../projections/persistent-map.ts'
import { yieldingJournal } from '../../persona/yielding-journal.ts'
import type { ToolContext } from './tool.ts'

const Wall = z.string().describe('local date and time, as 2026-11-24T09:00, or a date')
export const CalendarInput = z.object({ from: Wall.optional(), to: Wall.optional() })

const readWall = (text: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text)

export const notLocal = 'from and to must be local dates or times, as YYYY-MM-DD or YYYY-MM-DDThh:mm.'

/** Returns null if `from` or `to` is not a local time. */
export const entriesBetween = async (
  { from, to }: z.infer<typeof CalendarInput>,
  context: CalendarContext,
) => {
  const { now, zone, persona } = context
  const [first, last] = [from, to].map((text) => text && readWall(text))
  if ((first && !isLocalTime(first)) || (last && !isLocalTime(last))) return null
  const start = first ? toInstant(first, zone) : now
  const end = last ? toInstant(last, zone) : Number.POSITIVE_INFINITY
  const plans = listValues(persona.plans.open)
    .map((plan) => ({ plan, at: toInstant(plan.wall, plan.zone) }))
    .filter(({ at }) => at >= start && at < end)
    .sort((a, b) => a.at - b.at)
    .map(({ plan: { id, kind, content, recurrence, via, allDay }, at }) => ({
      id,
      kind,
      when: shortLocalTime(localTimeAt(at, zone)),
      content,
      recurrence,
      ...(via && { via }),
      ...(allDay && { allDay }),
    }))
  return { plans, past: first ? await listPastEntries(context, start, Math.min(end, now)) : [] }
}
type CalendarContext = Pick<ToolContext, 'journal' | 'now' | 'persona' | 'turn' | 'zone'>

/** Returns the plans that fell due in the span. */
const listPastEntries = async (
  { journal, persona, turn, zone }: CalendarContext,
  from: number,
  to: number,
) => {
  const query = { span: { from, to }, waiting: persona.plans.due, toInstant, upTo: turn }
  const pastPlans = await fallenWithin(yieldingJournal(journal), query)
  return pastPlans.map(({ plan: { kind, content, via, allDay }, at }) => ({
    kind,
    when: shortLocalTime(localTimeAt(at, zone)),
    content,
    ...(via && { via }),
    ...(allDay && { allDay }),
  }))
}

/** Entries of a calendar as callers write and see them. */
import * as z from 'zod'
import { Recurrence, Via } from '../../../journal/facts/fact-values.ts'
import type { EventOf } from '../../../journal/facts/facts.ts'
import { isoIn, isoWithOffset } from '../../../packages/kit/time/clock.ts'
import type { ClosedDay, Fallen } from '../../../projections/calendar.ts'
import type { Plan } from '../../../projections/plans.ts'

/** Local times have their offset; that of `when` has none. */
export const CalendarEntry = z
  .object({
    ...{ id: z.string(), kind: z.enum(['reminder', 'schedule']) },
    time: z.string().describe('When it comes next, with its offset.'),
    when: z.string().describe('The same on the wall there.'),
    zone: z
      .string()
      .describe(
        'The zone that was asked for; UTC for what comes once, in the second of an hour that comes twice: it has no name there.',
      ),
    body: z.string(),
    recurrence: Recurrence.nullable(),
  })
  .meta({ id: 'CalendarEntry' })
type CalendarEntry = z.infer<typeof CalendarEntry>

/** As a calendar lists them. */
export const ListedEntries = z
  .array(
    z.object({
      ...{ id: z.string(), time: z.string(), body: z.string(), recurrence: Recurrence.nullable() },
      via: Via.optional().describe('Where words of others in it came from.'),
    }),
  )
  .readonly()

export const ListedDays = z.array(z.object({ time: z.string(), body: z.string() })).readonly()

export const dayView = ({ at, offset, body }: ClosedDay) => ({ time: isoWithOffset(at, offset), body })

type Planned = Omit<EventOf<'EntryPlanned'>, 'type'>

/** One that is planned, whole. */
export const entryView = async ({
  id,
  kind,
  wall,
  zone,
  content,
  recurrence,
}: Planned): Promise<CalendarEntry> => {
  const { instantOf } = await import('../../../packages/kit/time/local-time.ts')
  return { id, kind, time: isoIn(zone, instantOf(wall, zone)), when: wall, zone, body: content, recurrence }
}

interface Listed {
  readonly at: number
  readonly plan: Pick<Planned, 'id' | 'kind' | 'zone' | 'content' | 'recurrence' | 'via'>
}

/** Of one kind, as a window of a calendar lists them. */
export const listed = (entries: readonly Listed[], kind: Planned['kind']) =>
  entries
    .filter(({ plan }) => plan.kind === kind)
    .map(({ at, plan: { id, zone, content, recurrence, via } }) => ({
      ...{ id, time: isoIn(zone, at), body: content, recurrence },
      ...(via && { via }),
    }))

/** What is still to come and lies in the span, in order. What has fallen due meanwhile is not to come. */
export const comingWithin = async (
  open: readonly Plan[],
  fallen: readonly Fallen[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly Listed[]> => {
  const { instantOf } = await import('../../../packages/kit/time/local-time.ts')
  const gone = new Set(fallen.map(({ plan }) => plan.id))
  return open
    .map((plan) => ({ at: instantOf(plan.wall, plan.zone), plan }))
    .filter(({ at, plan }) => at >= from && at < to && !gone.has(plan.id))
    .sort((one, other) => one.at - other.at)
}

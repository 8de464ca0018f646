/** Shapes of calendar entries in requests and responses. */
import * as z from 'zod'
import { Recurrence, Via } from '../../../facts/fact-values.ts'
import type { EventOf } from '../../../facts/facts.ts'
import { isoIn, isoWithOffset } from '../../../packages/kit/time/clock.ts'
import type { ClosedDay, Fallen } from '../../../projections/past-calendar.ts'
import type { Plan } from '../../../projections/plans.ts'

const AllDay = z
  .literal(true)
  .optional()
  .describe('No hour was given: the entry is for the day, and its hour only tells when it falls due.')

/** Local times have their offset, except `when`. */
export const CalendarEntry = z
  .object({
    id: z.string(),
    kind: z.enum(['reminder', 'schedule']),
    time: z.string().describe('Its next time, with the offset.'),
    when: z.string().describe('The same as local time in `zone`.'),
    zone: z
      .string()
      .describe(
        'The zone that was given. UTC for a single entry in the second occurrence of a repeated hour, which has no name in its zone.',
      ),
    body: z.string(),
    recurrence: Recurrence.nullable(),
    all_day: AllDay,
  })
  .meta({ id: 'CalendarEntry' })
type CalendarEntry = z.infer<typeof CalendarEntry>

/** Entries as a calendar lists them. */
export const ListedEntries = z
  .array(
    z.object({
      id: z.string(),
      time: z.string(),
      body: z.string(),
      recurrence: Recurrence.nullable(),
      all_day: AllDay,
      via: Via.optional().describe('Source of text in it that the user did not write.'),
    }),
  )
  .readonly()

export const ListedDays = z.array(z.object({ time: z.string(), body: z.string() })).readonly()

export const toDayView = ({ at, offset, body }: ClosedDay) => ({ time: isoWithOffset(at, offset), body })

type Planned = Omit<EventOf<'EntryPlanned'>, 'type'>

/** Returns all fields of a planned entry. */
export const toEntryView = async ({
  id,
  kind,
  wall,
  zone,
  content,
  recurrence,
  allDay,
}: Planned): Promise<CalendarEntry> => {
  const { toInstant: instantOf } = await import('../../../packages/kit/time/local-time.ts')
  const time = isoIn(zone, instantOf(wall, zone))
  return { id, kind, time, when: wall, zone, body: content, recurrence, ...(allDay && { all_day: allDay }) }
}

interface Listed {
  readonly at: number
  readonly plan: Pick<Planned, 'id' | 'kind' | 'zone' | 'content' | 'recurrence' | 'via' | 'allDay'>
}

/** Returns the entries of one kind in the form of a calendar list. */
export const listEntries = (entries: readonly Listed[], kind: Planned['kind']) =>
  entries
    .filter(({ plan }) => plan.kind === kind)
    .map(({ at, plan: { id, zone, content, recurrence, via, allDay } }) => ({
      id,
      time: isoIn(zone, at),
      body: content,
      recurrence,
      ...(allDay && { all_day: allDay }),
      ...(via && { via }),
    }))

/**
 * Returns the planned entries in the span, sorted by time. Entries that have fallen due meanwhile are left
 * out.
 */
export const comingWithin = async (
  open: readonly Plan[],
  fallenEntries: readonly Fallen[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly Listed[]> => {
  const { toInstant: instantOf } = await import('../../../packages/kit/time/local-time.ts')
  const fallenIds = new Set(fallenEntries.map(({ plan }) => plan.id))
  return open
    .map((plan) => ({ at: instantOf(plan.wall, plan.zone), plan }))
    .filter(({ at, plan }) => at >= from && at < to && !fallenIds.has(plan.id))
    .sort((a, b) => a.at - b.at)
}

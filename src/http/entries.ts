/** Entries of a calendar as callers write and see them. */
import * as z from 'zod'
import { type EventOf, Recurrence } from '../../journal/events.ts'
import type { Fallen } from '../../projections/calendar.ts'
import type { Plan } from '../../projections/plans.ts'
import { type Clock, isoWithOffset, offsetAt } from '../clock.ts'
import { HttpRefused } from './refused.ts'
import { readMoment } from './window.ts'

/** Local times have their offset; the wall time of `when` has none. */
export const CalendarEntry = z
  .object({
    ...{ id: z.string(), kind: z.enum(['reminder', 'schedule']) },
    time: z.string().describe('When it comes next, with its offset.'),
    when: z.string().describe('The same on the wall there.'),
    zone: z.string(),
    body: z.string(),
    recurrence: Recurrence.nullable(),
  })
  .meta({ id: 'CalendarEntry' })
type CalendarEntry = z.infer<typeof CalendarEntry>

type Planned = Omit<EventOf<'EntryPlanned'>, 'type'>

/** When it comes next, and what its later occurrences are counted from. */
type When = Pick<Planned, 'wall' | 'zone' | 'anchor'>

/** A wall time in the zone, or one with an offset, as that zone shows it. Refused: when_invalid. */
export const readWhen = async (text: string, zone: string): Promise<Pick<Planned, 'wall' | 'zone'> & { readonly at: number }> => {
  const { instantOf, isWall, wallOf } = await import('../mind/wall.ts')
  const moment = await readMoment(text)
  if (!moment || moment.dateAlone) throw new HttpRefused({ code: 'when_invalid', dateAlone: moment?.dateAlone ?? false })
  const wall = moment.at === null ? moment.wall.slice(0, 19) : wallOf(moment.at, zone)
  if (!isWall(wall)) throw new HttpRefused({ code: 'when_invalid', dateAlone: false })
  return { wall, zone, at: moment.at ?? instantOf(wall, zone) }
}

/** Of what recurs, the next occurrence; what comes once must be still to come. Refused: when_past. */
export const placed = async (
  { wall, zone, at }: Awaited<ReturnType<typeof readWhen>>,
  recurrence: Recurrence | null,
  now: number,
): Promise<When> => {
  const { instantOf, nextAfter, wallOf } = await import('../mind/wall.ts')
  if (recurrence !== null) {
    const next = instantOf(wall, zone) > now ? wall : nextAfter(wall, zone, recurrence, now)
    return { wall: next, zone, anchor: wall }
  }
  if (at <= now) throw new HttpRefused({ code: 'when_past', when: wall })
  if (Math.abs(instantOf(wall, zone) - at) < 1000) return { wall, zone, anchor: wall }
  // The second of an hour that comes twice has no name on that wall.
  const utc = wallOf(at, 'UTC')
  return { wall: utc, zone: 'UTC', anchor: utc }
}

/** Refused: zone_unknown. */
export const readZone = async (text: string | null | undefined, { zone }: Pick<Clock, 'zone'>): Promise<string> => {
  if (text === null || text === undefined) return zone
  const { zoneNamed } = await import('../mind/wall.ts')
  const named = zoneNamed(text)
  if (named === null) throw new HttpRefused({ code: 'zone_unknown' })
  return named
}

const isoOf = (at: number, zone: string): string => isoWithOffset(at, offsetAt(at, zone))

/** One that is planned, whole. */
export const entryView = async ({ id, kind, wall, zone, content, recurrence }: Planned): Promise<CalendarEntry> => {
  const { instantOf } = await import('../mind/wall.ts')
  return { id, kind, time: isoOf(instantOf(wall, zone), zone), when: wall, zone, body: content, recurrence }
}

interface Listed {
  readonly at: number
  readonly plan: Pick<Planned, 'id' | 'kind' | 'zone' | 'content' | 'recurrence'>
}

/** Of one kind, as a window of a calendar lists them. */
export const listed = (entries: readonly Listed[], kind: Planned['kind']) =>
  entries
    .filter(({ plan }) => plan.kind === kind)
    .map(({ at, plan: { id, zone, content, recurrence } }) => ({ id, time: isoOf(at, zone), body: content, recurrence }))

/** What is still to come and lies in the span, in order. What has fallen due meanwhile is not to come. */
export const comingWithin = async (
  open: Readonly<Record<string, Plan>>,
  fallen: readonly Fallen[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly Listed[]> => {
  const { instantOf } = await import('../mind/wall.ts')
  const gone = new Set(fallen.map(({ plan }) => plan.id))
  return Object.values(open)
    .map((plan) => ({ at: instantOf(plan.wall, plan.zone), plan }))
    .filter(({ at, plan }) => at >= from && at < to && !gone.has(plan.id))
    .sort((one, other) => one.at - other.at)
}

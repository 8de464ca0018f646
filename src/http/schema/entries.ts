/** Entries of a calendar as callers write and see them. */
import * as z from 'zod'
import { Recurrence } from '../../../journal/facts/fact-values.ts'
import type { EventOf } from '../../../journal/facts/facts.ts'
import type { Fallen } from '../../../projections/calendar.ts'
import type { Plan } from '../../../projections/plans.ts'
import { type Clock, isoIn } from '../../time/clock.ts'
import { HttpRefused } from './refused.ts'
import { isWritten, readMoment } from './window.ts'

/** Local times have their offset; the wall time of `when` has none. */
export const CalendarEntry = z
  .object({
    ...{ id: z.string(), kind: z.enum(['reminder', 'schedule']) },
    time: z.string().describe('When it comes next, with its offset.'),
    when: z.string().describe('The same on the wall there.'),
    zone: z
      .string()
      .describe('The zone that was asked for; UTC for what comes once, in the second of an hour that comes twice: it has no name there.'),
    body: z.string(),
    recurrence: Recurrence.nullable(),
  })
  .meta({ id: 'CalendarEntry' })
type CalendarEntry = z.infer<typeof CalendarEntry>

type Planned = Omit<EventOf<'EntryPlanned'>, 'type'>

/** When it comes next, and what its later occurrences are counted from. */
type When = Pick<Planned, 'wall' | 'zone' | 'anchor'>

/** A wall time in a zone, and the instant it was asked for: not the one it names there, where that is the second of an hour that comes twice. */
export interface Asked extends Pick<Planned, 'wall' | 'zone'> {
  /** Epoch milliseconds, whole seconds. */
  readonly at: number
}

const anHour = 60 * 60_000
/** Local times that every calendar and every display can tell. */
const [firstYear, lastYear] = ['1970', '9998']

/** A wall time in the zone, or one with an offset, as that zone shows it. Refused: when_invalid. */
export const readWhen = async (text: string, zone: string): Promise<Asked> => {
  const { instantOf, isLocalTime, localTimeAt } = await import('../../time/local-time.ts')
  const moment = await readMoment(text)
  if (!moment) throw new HttpRefused({ code: 'when_invalid', why: isWritten(text) ? 'unreal' : 'unreadable' })
  if (moment.dateAlone) throw new HttpRefused({ code: 'when_invalid', why: 'date_alone' })
  const wall = moment.at === null ? moment.wall.slice(0, 19) : localTimeAt(moment.at, zone)
  const year = wall.slice(0, 4)
  if (!isLocalTime(wall) || year < firstYear || year > lastYear) throw new HttpRefused({ code: 'when_invalid', why: 'far' })
  return { wall, zone, at: moment.at === null ? instantOf(wall, zone) : Math.floor(moment.at / 1000) * 1000 }
}

/**
 * Of what recurs, the next occurrence that is not before what was asked for, counted from `anchor`; what comes once must be still to come.
 * Refused: when_past.
 */
export const placed = async (
  { wall, zone, at }: Asked,
  recurrence: Recurrence | null,
  now: number,
  anchor: string = wall,
): Promise<When> => {
  const { instantOf, nextAfter, localTimeAt } = await import('../../time/local-time.ts')
  const named = instantOf(wall, zone)
  if (recurrence !== null) {
    if (named > now && named >= at) return { wall, zone, anchor }
    const next = nextAfter(anchor, zone, recurrence, Math.max(now, at - 1))
    const same =
      recurrence === 'hourly' ? (instantOf(next, zone) - instantOf(anchor, zone)) % anHour === 0 : isRegular(next, anchor, recurrence)
    // Where that comes to the same, it begins when it first comes: calendars show everything since its beginning.
    return { wall: next, zone, anchor: same ? next : anchor }
  }
  if (at <= now) throw new HttpRefused({ code: 'when_past', when: wall })
  if (named === at) return { wall, zone, anchor: wall }
  // The second of an hour that comes twice has no name on that wall.
  const utc = localTimeAt(at, 'UTC')
  return { wall: utc, zone: 'UTC', anchor: utc }
}

/** The part of a wall time that every occurrence has: a 31st may stand on a 30th, and a time that the clocks skip comes later that day. */
const lasting = { daily: 11, weekly: 11, monthly: 8, yearly: 5 } as const

const isRegular = (wall: string, anchor: string, recurrence: Exclude<Recurrence, 'hourly'>): boolean =>
  wall.slice(lasting[recurrence]) === anchor.slice(lasting[recurrence])

/** Refused: zone_unknown. */
export const readZone = async (text: string | null | undefined, { zone }: Pick<Clock, 'zone'>): Promise<string> => {
  if (text === null || text === undefined) return zone
  const { zoneNamed } = await import('../../time/local-time.ts')
  const named = zoneNamed(text)
  if (named === null) throw new HttpRefused({ code: 'zone_unknown' })
  return named
}

/** One that is planned, whole. */
export const entryView = async ({ id, kind, wall, zone, content, recurrence }: Planned): Promise<CalendarEntry> => {
  const { instantOf } = await import('../../time/local-time.ts')
  return { id, kind, time: isoIn(zone, instantOf(wall, zone)), when: wall, zone, body: content, recurrence }
}

interface Listed {
  readonly at: number
  readonly plan: Pick<Planned, 'id' | 'kind' | 'zone' | 'content' | 'recurrence'>
}

/** Of one kind, as a window of a calendar lists them. */
export const listed = (entries: readonly Listed[], kind: Planned['kind']) =>
  entries
    .filter(({ plan }) => plan.kind === kind)
    .map(({ at, plan: { id, zone, content, recurrence } }) => ({ id, time: isoIn(zone, at), body: content, recurrence }))

/** What is still to come and lies in the span, in order. What has fallen due meanwhile is not to come. */
export const comingWithin = async (
  open: readonly Plan[],
  fallen: readonly Fallen[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly Listed[]> => {
  const { instantOf } = await import('../../time/local-time.ts')
  const gone = new Set(fallen.map(({ plan }) => plan.id))
  return open
    .map((plan) => ({ at: instantOf(plan.wall, plan.zone), plan }))
    .filter(({ at, plan }) => at >= from && at < to && !gone.has(plan.id))
    .sort((one, other) => one.at - other.at)
}

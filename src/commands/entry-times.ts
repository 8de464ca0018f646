/** When an entry of a calendar comes, as callers write it. */
import type { Recurrence } from '../../journal/facts/fact-values.ts'
import type { EventOf } from '../../journal/facts/facts.ts'
import { Refused } from '../persona/refusals.ts'
import type { Clock } from '../time/clock.ts'
import { isWritten, readMoment } from '../time/moments.ts'
import { zoneNamed } from '../time/zone-name.ts'

/** As a fact has it. */
export type PlannedEntry = Omit<EventOf<'EntryPlanned'>, 'type'>

/** When it comes next, and what its later occurrences are counted from. */
type When = Pick<PlannedEntry, 'wall' | 'zone' | 'anchor'>

/**
 * A wall time in a zone, and the instant it was asked for: not the one it names there, where that is the
 * second of an hour that comes twice.
 */
export interface Asked extends Pick<PlannedEntry, 'wall' | 'zone'> {
  /** Epoch milliseconds, whole seconds. */
  readonly at: number
}

const anHour = 60 * 60_000
/** Local times that every calendar and every display can tell. */
const [firstYear, lastYear] = ['1970', '9998']

/** A wall time in the zone, or one with an offset, as that zone shows it. Refused: when_invalid. */
export const readWhen = async (text: string, zone: string): Promise<Asked> => {
  const { instantOf, isLocalTime, localTimeAt } = await import('../time/local-time.ts')
  const moment = await readMoment(text)
  if (!moment) throw new Refused({ code: 'when_invalid', why: isWritten(text) ? 'unreal' : 'unreadable' })
  if (moment.dateAlone) throw new Refused({ code: 'when_invalid', why: 'date_alone' })
  const wall = moment.at === null ? moment.wall.slice(0, 19) : localTimeAt(moment.at, zone)
  const year = wall.slice(0, 4)
  if (!isLocalTime(wall) || year < firstYear || year > lastYear)
    throw new Refused({ code: 'when_invalid', why: 'far' })
  return { wall, zone, at: moment.at === null ? instantOf(wall, zone) : Math.floor(moment.at / 1000) * 1000 }
}

/**
 * Of what recurs, the next occurrence that is not before what was asked for, counted from `anchor`; what
 * comes once must be still to come. Refused: when_past.
 */
export const placed = async (
  { wall, zone, at }: Asked,
  recurrence: Recurrence | null,
  now: number,
  anchor: string = wall,
): Promise<When> => {
  const { instantOf, nextAfter, localTimeAt } = await import('../time/local-time.ts')
  const named = instantOf(wall, zone)
  if (recurrence !== null) {
    if (named > now && named >= at) return { wall, zone, anchor }
    const next = nextAfter(anchor, zone, recurrence, Math.max(now, at - 1))
    const same =
      recurrence === 'hourly'
        ? (instantOf(next, zone) - instantOf(anchor, zone)) % anHour === 0
        : isRegular(next, anchor, recurrence)
    // Where that comes to the same, it begins when it first comes: calendars show everything since its
    // beginning.
    return { wall: next, zone, anchor: same ? next : anchor }
  }
  if (at <= now) throw new Refused({ code: 'when_past', when: wall })
  if (named === at) return { wall, zone, anchor: wall }
  // The second of an hour that comes twice has no name on that wall.
  const utc = localTimeAt(at, 'UTC')
  return { wall: utc, zone: 'UTC', anchor: utc }
}

/**
 * The part of a wall time that every occurrence has: a 31st may stand on a 30th, and a time that the clocks
 * skip comes later that day.
 */
const lasting = { daily: 11, weekly: 11, monthly: 8, yearly: 5 } as const

const isRegular = (wall: string, anchor: string, recurrence: Exclude<Recurrence, 'hourly'>): boolean =>
  wall.slice(lasting[recurrence]) === anchor.slice(lasting[recurrence])

/** Refused: zone_unknown. */
export const readZone = async (
  text: string | null | undefined,
  { zone }: Pick<Clock, 'zone'>,
): Promise<string> => {
  if (text === null || text === undefined) return zone
  const named = zoneNamed(text)
  if (named === null) throw new Refused({ code: 'zone_unknown' })
  return named
}

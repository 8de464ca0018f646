/** Parses and computes the times of calendar entries. */
import type { Recurrence } from '../../journal/facts/fact-values.ts'
import type { EventOf } from '../../journal/facts/facts.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { isWritten, readMoment } from '../../packages/kit/time/moments.ts'
import { zoneNamed } from '../../packages/kit/time/zone-name.ts'
import { Refused } from '../persona/refusals.ts'

export type PlannedEntry = Omit<EventOf<'EntryPlanned'>, 'type'>

/** The next occurrence, and the anchor from which later ones are counted. */
type When = Pick<PlannedEntry, 'wall' | 'zone' | 'anchor'>

/** A wall time and its instant. They differ for the second pass of an hour that occurs twice. */
export interface Asked extends Pick<PlannedEntry, 'wall' | 'zone'> {
  /** Epoch milliseconds, whole seconds. */
  readonly at: number
}

const hourMs = 60 * 60_000
// The range of calendars and displays.
const firstYear = '1970'
const lastYear = '9998'

/** Parses a local time, or converts a time with offset to the zone. Throws Refused: when_invalid. */
export const readWhen = async (text: string, zone: string): Promise<Asked> => {
  const { instantOf, isLocalTime, localTimeAt } = await import('../../packages/kit/time/local-time.ts')
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
 * Computes the stored time. Recurring: the first occurrence after now and not before the requested time,
 * counted from `anchor`. Once: throws Refused: when_past unless it is in the future.
 */
export const placed = async (
  { wall, zone, at }: Asked,
  recurrence: Recurrence | null,
  now: number,
  anchor: string = wall,
): Promise<When> => {
  const { instantOf, nextAfter, localTimeAt } = await import('../../packages/kit/time/local-time.ts')
  const named = instantOf(wall, zone)
  if (recurrence !== null) {
    if (named > now && named >= at) return { wall, zone, anchor }
    const next = nextAfter(anchor, zone, recurrence, Math.max(now, at - 1))
    const same =
      recurrence === 'hourly'
        ? (instantOf(next, zone) - instantOf(anchor, zone)) % hourMs === 0
        : isRegular(next, anchor, recurrence)
    // With the same sequence, it is anchored at its first occurrence: calendars show all since the anchor.
    return { wall: next, zone, anchor: same ? next : anchor }
  }
  if (at <= now) throw new Refused({ code: 'when_past', when: wall })
  if (named === at) return { wall, zone, anchor: wall }
  // In this zone no wall time names the second pass of a repeated hour.
  const utc = localTimeAt(at, 'UTC')
  return { wall: utc, zone: 'UTC', anchor: utc }
}

/**
 * Start of the part of a wall time that all occurrences share. It differs after a short month or a clock
 * change.
 */
const sharedFrom = { daily: 11, weekly: 11, monthly: 8, yearly: 5 } as const

const isRegular = (wall: string, anchor: string, recurrence: Exclude<Recurrence, 'hourly'>): boolean =>
  wall.slice(sharedFrom[recurrence]) === anchor.slice(sharedFrom[recurrence])

/** Throws Refused: zone_unknown. */
export const readZone = async (
  text: string | null | undefined,
  { zone }: Pick<Clock, 'zone'>,
): Promise<string> => {
  if (text === null || text === undefined) return zone
  const named = zoneNamed(text)
  if (named === null) throw new Refused({ code: 'zone_unknown' })
  return named
}

/** Adds, changes and cancels calendar entries. */
import type { PersonaId, Recurrence, Via } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { isWritten, readMoment } from '../../packages/kit/time/moments.ts'
import { zoneNamed } from '../../packages/kit/time/zone-name.ts'
import { valueAt } from '../../projections/persistent-map.ts'
import type { Plan } from '../../projections/plans.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'

export interface NewEntry {
  readonly kind: PlannedEntry['kind']
  /** A local date and time, or one with an offset. */
  readonly when: string
  readonly content: string
  readonly recurrence: Recurrence | null
  /** Default: the daemon's zone. */
  readonly zone: string | null | undefined
  /** Set for a program. */
  readonly via?: Via
}

/** Throws Refused: persona_unknown, when_invalid, when_past, zone_unknown, entry_empty, too_long. */
export const writeEntry = async (
  { personas, clock, newId }: Pick<CommandDeps, 'personas' | 'clock' | 'newId'>,
  persona: PersonaId,
  { kind, when, content, recurrence, zone, via }: NewEntry,
): Promise<PlannedEntry> => {
  requireListed(personas, persona)
  const moment = await readWhen(when, await readZone(zone, clock))
  // Short, since the Mind repeats it to cancel a plan.
  const id = `p${newId().slice(0, 8)}`
  const entry = {
    id,
    kind,
    content: content.trim(),
    recurrence,
    ...(await resolveEntryTimes(moment, recurrence, clock.now())),
    ...(via && { via }),
  }
  await personas.execute(persona, { type: 'WriteEntry', entry }, 'person')
  return entry
}

export interface EntryChange {
  readonly kind?: PlannedEntry['kind'] | undefined
  readonly when?: string | undefined
  readonly content?: string | undefined
  /** Null for the daemon's zone. */
  readonly zone?: string | null | undefined
  /** Null ends the recurrence. */
  readonly recurrence?: Recurrence | null | undefined
}

/**
 * Throws Refused: persona_unknown, plan_unknown, when_invalid, when_past, zone_unknown, entry_empty,
 * too_long.
 */
export const changeEntry = async (
  { personas, clock, inTurn }: Pick<CommandDeps, 'personas' | 'clock' | 'inTurn'>,
  persona: PersonaId,
  id: string,
  change: EntryChange,
): Promise<PlannedEntry> => {
  requireListed(personas, persona)
  // Serialized, so that concurrent changes of one entry all count.
  return inTurn(`calendar of ${persona}`, async () => {
    const plan = await personas.read(persona, async ({ persona: { plans } }) => valueAt(plans.open, id))
    if (!plan) throw new Refused({ code: 'plan_unknown', id })
    const entry = await applyChange(plan, change, clock)
    if (!isSame(entry, plan)) await personas.execute(persona, { type: 'MoveEntry', entry }, 'person')
    return entry
  })
}

type ChangedEntry = Omit<Plan, 'seq'>

const applyChange = async (
  { seq: _, ...plan }: Plan,
  change: EntryChange,
  clock: Clock,
): Promise<ChangedEntry> => {
  const { kind = plan.kind, when, content = plan.content, recurrence = plan.recurrence } = change
  const entry = { ...plan, kind, content: content.trim(), recurrence }
  const zone = change.zone === undefined ? plan.zone : await readZone(change.zone, clock)
  const moment = when === undefined && zone === plan.zone ? null : await readWhen(when ?? plan.wall, zone)
  // If the time stays, a monthly entry on the 31st keeps its day, even when it is now on the 28th.
  const anchor =
    recurrence === plan.recurrence && (!moment || moment.wall === plan.wall) ? plan.anchor : plan.wall
  if (!moment || (await isSameTime(plan, moment))) return { ...entry, anchor }
  // Hourly entries count from an instant, which differs in another zone.
  const isCounted = moment.wall === plan.wall && recurrence !== 'hourly'
  // The user gives an hour.
  const { allDay: _allDay, ...timed } = entry
  return {
    ...timed,
    ...(await resolveEntryTimes(moment, recurrence, clock.now(), isCounted ? anchor : moment.wall)),
  }
}

const isSameTime = async ({ wall, zone }: Plan | ChangedEntry, moment: RequestedTime): Promise<boolean> => {
  const { toInstant } = await import('../../packages/kit/time/local-time.ts')
  return moment.zone === zone && moment.wall === wall && moment.at === toInstant(wall, zone)
}

const isSame = (entry: ChangedEntry, plan: Plan): boolean =>
  (['kind', 'content', 'recurrence', 'wall', 'zone', 'anchor'] as const).every(
    (part) => entry[part] === plan[part],
  )

/** Throws Refused: persona_unknown, plan_unknown. */
export const dropEntry = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  persona: PersonaId,
  id: string,
): Promise<void> => {
  requireListed(personas, persona)
  await personas.execute(persona, { type: 'CancelEntry', id }, 'person')
}

export type PlannedEntry = Omit<EventOf<'EntryPlanned'>, 'type'>

/** The next occurrence, and the anchor from which later ones are counted. */
type EntryTime = Pick<PlannedEntry, 'wall' | 'zone' | 'anchor'>

/** A wall time and its instant. They differ for the second pass of an hour that occurs twice. */
export interface RequestedTime extends Pick<PlannedEntry, 'wall' | 'zone'> {
  /** Epoch milliseconds, whole seconds. */
  readonly at: number
}

const hourMs = 60 * 60_000
// The range of calendars and displays.
const firstYear = '1970'
const lastYear = '9998'

/** Parses a local time, or converts a time with offset to the zone. Throws Refused: when_invalid. */
export const readWhen = async (text: string, zone: string): Promise<RequestedTime> => {
  const { toInstant, isLocalTime, localTimeAt } = await import('../../packages/kit/time/local-time.ts')
  const moment = await readMoment(text)
  if (!moment) throw new Refused({ code: 'when_invalid', why: isWritten(text) ? 'unreal' : 'unreadable' })
  if (moment.dateAlone) throw new Refused({ code: 'when_invalid', why: 'date_alone' })
  const wall = moment.at === null ? moment.wall.slice(0, 19) : localTimeAt(moment.at, zone)
  const year = wall.slice(0, 4)
  if (!isLocalTime(wall) || year < firstYear || year > lastYear)
    throw new Refused({ code: 'when_invalid', why: 'far' })
  return { wall, zone, at: moment.at === null ? toInstant(wall, zone) : Math.floor(moment.at / 1000) * 1000 }
}

/**
 * Computes the stored time. Recurring: the first occurrence after now and not before the requested time,
 * counted from `anchor`. Once: throws Refused: when_past unless it is in the future.
 */
const resolveEntryTimes = async (
  { wall, zone, at }: RequestedTime,
  recurrence: Recurrence | null,
  now: number,
  anchor: string = wall,
): Promise<EntryTime> => {
  const { toInstant, nextAfter, localTimeAt } = await import('../../packages/kit/time/local-time.ts')
  const instant = toInstant(wall, zone)
  if (recurrence !== null) {
    if (instant > now && instant >= at) return { wall, zone, anchor }
    const next = nextAfter(anchor, zone, recurrence, Math.max(now, at - 1))
    const isUnchanged =
      recurrence === 'hourly'
        ? (toInstant(next, zone) - toInstant(anchor, zone)) % hourMs === 0
        : isRegular(next, anchor, recurrence)
    // With the same sequence, it is anchored at its first occurrence: calendars show all since the anchor.
    return { wall: next, zone, anchor: isUnchanged ? next : anchor }
  }
  if (at <= now) throw new Refused({ code: 'when_past', when: wall })
  if (instant === at) return { wall, zone, anchor: wall }
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
  const zoneName = zoneNamed(text)
  if (zoneName === null) throw new Refused({ code: 'zone_unknown' })
  return zoneName
}

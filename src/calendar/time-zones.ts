/** The clock changes of a zone as a VTIMEZONE (RFC 5545, 3.6.5). */
import { IANAZone } from 'luxon'
import { knownZone } from '../../packages/kit/time/zone-name.ts'
import { localTime } from './content-lines.ts'

/** A clock change. Offsets in minutes east of UTC, `at` in epoch milliseconds. */
export interface Change {
  readonly at: number
  readonly from: number
  readonly to: number
}

const minute = 60_000
/** No zone has changed its clocks twice within this time. */
const step = 14 * 24 * 60 * minute

/** Returns the changes with `from < at <= to`, epoch milliseconds. */
export const getOffsetChanges = (zone: string, from: number, to: number): readonly Change[] => {
  const offsets = IANAZone.create(knownZone(zone))
  const changes: Change[] = []
  let instant = from
  let offsetBefore = offsets.offset(from)
  while (instant < to) {
    const next = Math.min(instant + step, to)
    const offsetAfter = offsets.offset(next)
    if (offsetAfter !== offsetBefore)
      changes.push({
        at: findChange(offsets, offsetAfter, instant, next),
        from: offsetBefore,
        to: offsetAfter,
      })
    instant = next
    offsetBefore = offsetAfter
  }
  return changes
}

/** Binary search for the first second of an offset that is valid at `later`, but not at `earlier`. */
const findChange = (zone: IANAZone, offset: number, earlierMs: number, laterMs: number): number => {
  let lowSecond = Math.floor(earlierMs / 1000)
  let highSecond = Math.ceil(laterMs / 1000)
  while (highSecond - lowSecond > 1) {
    const middleSecond = Math.floor((lowSecond + highSecond) / 2)
    if (zone.offset(middleSecond * 1000) === offset) highSecond = middleSecond
    else lowSecond = middleSecond
  }
  return highSecond * 1000
}

/** A VTIMEZONE for `from <= t <= to`: the first offset, then all changes, grouped by kind. */
export const timeZoneLines = (zone: string, from: number, to: number): readonly string[] => {
  const changes = getOffsetChanges(zone, from, to)
  const first = IANAZone.create(knownZone(zone)).offset(from)
  const kinds = new Map<string, Change[]>()
  for (const change of changes) {
    const kind = `${change.from} ${change.to}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), change])
  }
  // Clocks are set forward to summer time. If the first change is backward, it was summer before.
  const isSummer = changes[0] !== undefined && changes[0].to < changes[0].from
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observance([{ at: from, from: first, to: first }], isSummer),
    ...[...kinds.values()].flatMap((changesOfKind) =>
      observance(
        changesOfKind,
        changesOfKind.some((change) => change.to > change.from),
      ),
    ),
    'END:VTIMEZONE',
  ]
}

/** RFC 5545: the times of changes are in the offset before the change. */
const observance = (changes: readonly Change[], isSummer: boolean): readonly string[] => {
  const [first] = changes
  if (!first) return []
  const [firstStart, ...otherChanges] = changes.map(({ at, from }) =>
    localTime(new Date(at + from * minute).toISOString()),
  )
  const name = isSummer ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${name}`,
    `DTSTART:${firstStart}`,
    ...(otherChanges.length > 0 ? [`RDATE:${otherChanges.join(',')}`] : []),
    `TZOFFSETFROM:${offsetText(first.from)}`,
    `TZOFFSETTO:${offsetText(first.to)}`,
    `END:${name}`,
  ]
}

/** `+0200`, with seconds if the zone has them. */
const offsetText = (offset: number): string => {
  const seconds = Math.round(Math.abs(offset) * 60)
  const padTwo = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${padTwo(seconds / 3600)}${padTwo((seconds / 60) % 60)}${seconds % 60 > 0 ? padTwo(seconds % 60) : ''}`
}

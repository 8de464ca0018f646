/** Returns the current time as ISO 8601 in the daemon's zone, for frames without a fact. */
import { type Clock, isoWithOffset } from '../../packages/kit/time/clock.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'

/** Zones change their offset only at quarter hours, and computing it is slow. */
const quarterHour = 900_000

export const createStamp = (clock: Clock): (() => string) => {
  let quarter = Number.NaN
  let offset = 0
  return () => {
    const now = clock.now()
    const current = Math.floor(now / quarterHour)
    if (current !== quarter) offset = offsetAt(now, clock.zone)
    quarter = current
    return isoWithOffset(now, offset)
  }
}

/** The time on a frame that reports no fact: now, as ISO 8601 in the daemon's zone. */
import { type Clock, isoWithOffset } from '../time/clock.ts'
import { offsetAt } from '../time/zone-offset.ts'

/** A zone changes its offset on quarter hours only, and asking for it costs more than the frame. */
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

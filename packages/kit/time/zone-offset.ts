/** The offset of a zone's clocks from UTC. */
import { knownZone } from './zone-name.ts'

/** Cache granularity in ms: offsets change only on quarter hours. */
const quarter = 15 * 60_000
const formats = new Map<string, Intl.DateTimeFormat>()
const cache = new Map<string, { readonly slot: number; readonly offset: number }>()

/** Returns the minutes east of UTC at an instant in a zone. */
export const offsetAt = (epoch: number, zone: string): number => {
  const slot = Math.floor(epoch / quarter)
  const cachedOffset = cache.get(zone)
  if (cachedOffset?.slot === slot) return cachedOffset.offset
  const offset = lookUp(epoch, knownZone(zone))
  cache.set(zone, { slot, offset })
  return offset
}

const lookUp = (epoch: number, zone: string): number => {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  const name = format.formatToParts(epoch).find((part) => part.type === 'timeZoneName')?.value
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name ?? '')
  if (!match) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return match[1] === '-' ? -minutes : minutes
}

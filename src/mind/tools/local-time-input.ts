/** Reads the times that models write. */
import { DateTime } from 'luxon'
import { isLocalTime, localTimeAt } from '../../../packages/kit/time/local-time.ts'

interface LocalTimeInput {
  /** As `2026-11-24T09:00`. */
  readonly wall: string
  /** True if no time was given. `wall` is then midnight. */
  readonly isDate: boolean
}

/**
 * Accepts a space for `T`, seconds, `9 pm`, a name of a weekday before the date, and an offset. Ignores a
 * `Z`, which models append to local times. Returns null for anything else.
 */
export const readLocalTime = (text: string, zone: string): LocalTimeInput | null => {
  const groups = pattern.exec(text.trim())?.groups
  if (!groups) return null
  const { year, month = '', day = '', hour = '0', minute = '00', second = '00', half, offset } = groups
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour)
  const wall = `${date}T${String(hours).padStart(2, '0')}:${minute}:${second}`
  if (!isLocalTime(wall)) return null
  if (!offset) return { wall: wall.slice(0, 16), isDate: groups.hour === undefined }
  const instant = DateTime.fromISO(`${wall}${offset}`)
  return instant.isValid ? { wall: localTimeAt(instant.toMillis(), zone).slice(0, 16), isDate: false } : null
}

const pattern =
  /^(?:[a-z]{3,9},? )?(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?:(?:[T ]|, | at )(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?::(?<second>\d{2})(?:\.\d+)?)? ?(?<half>[ap]\.?m\.?)? ?(?:Z|UTC|(?<offset>[+-]\d{2}:?\d{2}))?(?:\[.*\])?)?$/i

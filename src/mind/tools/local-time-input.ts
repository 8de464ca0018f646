/** Reads the times that models write. */
import { DateTime } from 'luxon'
import { formatWall, isLocalTime, localTimeAt, toDate } from '../../../packages/kit/time/local-time.ts'
import { toPlainText } from '../../../projections/knowledge.ts'
import { findDaysAhead, findWeekday } from '../prompt/named-times.ts'

interface LocalTimeInput {
  /** As `2026-11-24T09:00`. */
  readonly wall: string
  /** True if no time was given. `wall` is then midnight. */
  readonly isDate: boolean
}

interface Place {
  /** Epoch ms. */
  readonly now: number
  readonly zone: string
}

/**
 * Accepts a space for `T`, seconds, `9 pm`, a name of a weekday before the date, `13.12.2026`, and an offset.
 * Ignores a `Z`, which models append to local times. Also accepts the next weekday or a day such as tomorrow,
 * with or without a time. Returns null for anything else.
 */
export const readLocalTime = (text: string, place: Place): LocalTimeInput | null => {
  const isoOrder = text.trim().replace(germanDate, '$<year>-$<month>-$<day>')
  const groups = pattern.exec(isoOrder)?.groups
  if (!groups) return readNamedDay(text, place)
  const { year, month = '', day = '', second = '00', offset } = groups
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const wall = `${date}T${toClock(groups)}:${second}`
  if (!isLocalTime(wall)) return null
  if (!offset) return { wall: wall.slice(0, 16), isDate: groups.hour === undefined }
  const instant = DateTime.fromISO(`${wall}${offset}`)
  return instant.isValid
    ? { wall: localTimeAt(instant.toMillis(), place.zone).slice(0, 16), isDate: false }
    : null
}

const germanDate = /(?<!\d)(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})(?!\d)/
const pattern =
  /^(?:\p{L}{2,12},? )?(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?:(?:T|,? (?:(?:at|um) )?)(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?::(?<second>\d{2})(?:\.\d+)?)? ?(?<half>[ap]\.?m\.?|Uhr)? ?(?:Z|UTC|(?<offset>[+-]\d{2}:?\d{2}))?(?:\[.*\])?)?$/iu

/** Formats as `09:00`. */
const toClock = ({ hour = '0', minute = '00', half = '' }: Readonly<Record<string, string | undefined>>) => {
  const isHalf = /^[ap]/i.test(half)
  const hours = isHalf ? (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hour)
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/** Reads one day, perhaps one time, and words such as "on" and "next". */
const readNamedDay = (text: string, { now, zone }: Place): LocalTimeInput | null => {
  const clock = namedClock.exec(text)
  const words = toPlainText(clock ? text.replace(clock[0], ' ') : text).split(' ')
  const day = words.filter((word) => !besidesDay.has(word)).join(' ')
  const weekday = findWeekday(day)
  const daysAhead = findDaysAhead(day)
  if (weekday === null && daysAhead === null) return null
  const today = DateTime.fromISO(toDate(now, zone), { zone: 'utc' })
  const time = clock?.groups ?? {}
  const hours = toClock(evening.test(day) && Number(time.hour) < 12 ? { ...time, half: 'pm' } : time)
  const toWall = (days: number) => `${today.plus({ days }).toISODate()}T${hours}`
  const days = daysAhead ?? ((weekday ?? 0) - today.weekday + 7) % 7
  // The next such day: today only if the time is still to come.
  const isOver = daysAhead === null && days === 0 && toWall(0) <= localTimeAt(now, zone)
  const wall = toWall(isOver ? 7 : days)
  return isLocalTime(wall) ? { wall, isDate: clock === null } : null
}

const namedClock =
  /(?<!\d)(?<hour>\d{1,2})(?:[:.h](?<minute>\d{2}))?(?::\d{2})? ?(?<half>[ap]\.?m\.?|uhr|h)?(?![\p{L}\d])/iu
const evening = /^(?:tonight|ce soir|esta noche|stasera|ma este|今晚|今夜)$/
const besidesDay: ReadonlySet<string> = new Set(
  'on at the next this coming by am um den nachste nachsten nachster kommenden diesen le la el les prochain prochaine a las proximo proxima il alle o e op om volgende kl'.split(
    ' ',
  ),
)

/** Reads "in 15 minutes", in the languages most users write. Returns null for anything else. */
export const readMinutesAhead = (text: string): number | null => {
  const [, count = '', word = ''] =
    /^(?:in|dans|en|tra|fra|em|over|om|za|через)? ?([\d.,]+|an?|one|eine[rmn]?|une?|una?|um) ?(\p{L}+)(?: from now)?$/u.exec(
      text.trim().toLowerCase(),
    ) ?? []
  const unit = units.find(({ words }) => words.test(word))
  const number = /^\d/.test(count) ? Number(count.replace(',', '.')) : 1
  return unit && number > 0 ? number * unit.minutes : null
}

const units = [
  { minutes: 1, words: /^(?:m|min\p{L}{0,6}|минут\p{L}?)$/u },
  {
    minutes: 60,
    words: /^(?:h|hrs?|hours?|stunden?|heures?|horas?|or[ae]|uur|uren|godzin\p{L}?|час\p{L}{0,2})$/u,
  },
  {
    minutes: 1440,
    words: /^(?:d|days?|tage?n?|jours?|d[ií]as?|giorn[oi]|dag(?:en)?|dni|дн\p{L}{1,2}|день)$/u,
  },
  {
    minutes: 7 * 1440,
    words: /^(?:weeks?|wochen?|semaines?|semanas?|settiman[ae]|we(?:ek|ken)|недел\p{L}{0,2})$/u,
  },
]

/** Names the present and the dates of the coming days, for a model that cannot compute them. */
export const describeComingDays = ({ now, zone }: Place): string => {
  const wall = localTimeAt(now, zone).slice(0, 16)
  const today = DateTime.fromISO(wall, { zone: 'utc' })
  const days = Array.from({ length: 6 }, (_, n) => today.plus({ days: n + 1 }).toISODate() ?? '')
  return `Now is ${formatWall(wall)}; ${days.map((day) => formatWall(day).replace(' ', ' is ')).join(', ')}.`
}

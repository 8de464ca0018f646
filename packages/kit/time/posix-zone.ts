/**
 * Time zones in the POSIX format of TZ, which is also at the end of TZif files: `CET-1CEST,M3.5.0,M10.5.0/3`
 * (POSIX.1-2017, Base Definitions, 8.3). Offsets count west of UTC: `UTC+3` is 3 hours behind UTC.
 */

import { zoneNamed } from './zone-name.ts'
import { offsetAt } from './zone-offset.ts'

/** Returns the time of a change in a year: the start of a day plus an offset, in ms. */
type Change = (year: number) => number

/** Offsets in minutes east of UTC. */
interface PosixZone {
  /** Without the quotes `<` and `>`. */
  readonly name: string
  readonly standard: number
  /** `begins` and `ends`: epoch ms of local midnight and time, as if it were UTC; null without a rule. */
  readonly summer: {
    readonly name: string
    readonly offset: number
    readonly changes: { readonly begins: Change; readonly ends: Change } | null
  } | null
}

const name = /([a-z]{3,}|<[a-z0-9+-]{3,}>)/.source
const offset = /([+-]?\d{1,2}(?::\d{2}){0,2})/.source
const rule = /([^,]+)/.source
const form = new RegExp(`^${name}${offset}(?:${name}${offset}?(?:,${rule},${rule})?)?$`, 'i')

/** Returns null if the text has another format. */
export const readPosixZone = (text: string): PosixZone | null => {
  const [, standardName, standard, summerName, summer, beginRule, end] = form.exec(text) ?? []
  if (standardName === undefined || standard === undefined) return null
  const east = -toMinutes(standard)
  if (Math.abs(east) > 24 * 60) return null
  if (summerName === undefined) return { name: removeBrackets(standardName), standard: east, summer: null }
  const beginChange = readChange(beginRule)
  const endChange = readChange(end)
  if (beginRule !== undefined && (!beginChange || !endChange)) return null
  const changes = beginChange && endChange ? { begins: beginChange, ends: endChange } : null
  const summerOffset = summer === undefined ? east + 60 : -toMinutes(summer)
  return {
    name: removeBrackets(standardName),
    standard: east,
    summer: { name: removeBrackets(summerName), offset: summerOffset, changes },
  }
}

const removeBrackets = (quotedName: string): string => quotedName.replace(/[<>]/g, '')

const toMinutes = (text: string): number => {
  const [hours = 0, minutes = 0] = text.replace(/^[+-]/, '').split(':').map(Number)
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

const dayLength = 24 * 60 * 60_000

/** Parses `M3.5.0/2` (month, week, day of the week), `J60/2` (without 29 February) or `59/2` (from 0). */
const readChange = (text: string | undefined): Change | null => {
  const [day = '', time = '2'] = (text ?? '').split('/')
  if (!/^[+-]?\d{1,3}(?::\d{2}){0,2}$/.test(time)) return null
  const offsetMs = toMinutes(time) * 60_000
  const [, month, week, weekday] = /^M(\d{1,2})\.([1-5])\.([0-6])$/.exec(day) ?? []
  if (month !== undefined) {
    return (year) => dayOfWeek(year, Number(month) - 1, Number(week), Number(weekday)) + offsetMs
  }
  const [, leapless, number] = /^(J?)(\d{1,3})$/.exec(day) ?? []
  if (number === undefined) return null
  if (leapless === '') return (year) => Date.UTC(year, 0, 1) + Number(number) * dayLength + offsetMs
  // 2001 has no 29 February.
  const date = new Date(Date.UTC(2001, 0, Number(number)))
  return (year) => Date.UTC(year, date.getUTCMonth(), date.getUTCDate()) + offsetMs
}

/** Week 5 is the last one of the month. */
const dayOfWeek = (year: number, month: number, week: number, weekday: number): number => {
  const first = 1 + ((weekday - new Date(Date.UTC(year, month, 1)).getUTCDay() + 7) % 7)
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = first + (week - 1) * 7
  return Date.UTC(year, month, day > last ? day - 7 : day)
}

/** Preferred among zones with equal clocks: those with the most people. */
export const likelyZones: readonly string[] = [
  ...['Europe/Berlin', 'Europe/London', 'Europe/Athens', 'Europe/Moscow'],
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Sao_Paulo'],
  ...['Asia/Kolkata', 'Asia/Shanghai', 'Asia/Tokyo', 'Australia/Sydney', 'Pacific/Auckland'],
]

/** Returns a zone with equal clocks in the year of `now`; null if there is none. */
export const zoneLike = (posix: PosixZone, now: number): string | null => {
  const { standard, summer } = posix
  if (!summer && standard % 60 === 0 && standard <= 14 * 60 && standard >= -12 * 60)
    return standard === 0 ? 'UTC' : `Etc/GMT${standard > 0 ? '-' : '+'}${Math.abs(standard / 60)}`
  const isFitting = comparison(posix, new Date(now).getUTCFullYear())
  for (const zone of candidates(posix)) if (isFitting(zone)) return zone
  return null
}

/** Returns whether the zone has equal clocks in the year of `now`. */
export const isLike = (zone: string, posix: PosixZone, now: number): boolean =>
  comparison(posix, new Date(now).getUTCFullYear())(zone)

function* candidates({ name, summer }: PosixZone): Generator<string> {
  yield* likelyZones
  if (summer && zoneNamed(name) !== null) yield name
  const isRemote = (zone: string) => /^(Antarctica|Arctic)\//.test(zone)
  const zones = Intl.supportedValuesOf('timeZone')
  yield* zones.filter((zone) => !isRemote(zone))
  yield* zones.filter(isRemote)
}

const comparison = ({ standard, summer }: PosixZone, year: number): ((zone: string) => boolean) => {
  const months = [0, 3, 6, 9].map((month) => Date.UTC(year, month, 15))
  if (!summer) return (zone) => months.every((timeMs) => offsetAt(timeMs, zone) === standard)
  if (!summer.changes)
    return (zone) => {
      const offsets = months.map((timeMs) => offsetAt(timeMs, zone))
      return Math.min(...offsets) === standard && Math.max(...offsets) === summer.offset
    }
  const summerStart = summer.changes.begins(year) - standard * 60_000
  const summerEnd = summer.changes.ends(year) - summer.offset * 60_000
  const isSummer = (timeMs: number) =>
    summerStart < summerEnd
      ? timeMs >= summerStart && timeMs < summerEnd
      : timeMs >= summerStart || timeMs < summerEnd
  const hour = 60 * 60_000
  const moments = [...months, summerStart - hour, summerStart + hour, summerEnd - hour, summerEnd + hour]
  return (zone) =>
    moments.every((timeMs) => offsetAt(timeMs, zone) === (isSummer(timeMs) ? summer.offset : standard))
}

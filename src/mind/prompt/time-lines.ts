/** The lines in front of messages that tell when they were sent. They depend only on the times of facts. */
import { DateTime } from 'luxon'
import { knownZone } from '../../../packages/kit/time/zone-name.ts'

export interface TimeLines {
  /** Returns the line for a message at this time (epoch ms), or an empty string if it needs none. */
  next(timeMs: number): string
  /** Records an event without a line. */
  pass(timeMs: number): void
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** After this long without a line, a message gets a short one, so that "in ten minutes" can be computed. */
const maxAgeMs = 10 * minuteMs

/**
 * The first message of a day, and one after a pause of an hour, get the date and the time. `first`: time of
 * the first message, which the system prompt states.
 */
export const createTimeLines = (zone: string, first: number): TimeLines => {
  let lastAt = first
  let lastLineAt = first
  let day = toDaySpan(first, zone)
  return {
    next: (timeMs) => {
      const pauseMs = timeMs - lastAt
      const isNewDay = timeMs < day.start || timeMs > day.end
      const isPause = pauseMs >= hourMs
      const isOld = Math.abs(timeMs - lastLineAt) >= maxAgeMs
      lastAt = timeMs
      if (!isNewDay && !isPause && !isOld) return ''
      lastLineAt = timeMs
      if (isNewDay) day = toDaySpan(timeMs, zone)
      if (!isNewDay && !isPause) return `(${inLocalTime(timeMs, zone).toFormat('HH:mm')})`
      const laterText = isPause ? `, ${formatPause(pauseMs)} later` : ''
      return `(${formatTime(timeMs, zone)}${laterText})`
    },
    pass: (timeMs) => {
      lastAt = timeMs
    },
  }
}

const inLocalTime = (timeMs: number, zone: string) =>
  DateTime.fromMillis(timeMs, { zone: knownZone(zone), locale: 'en' })

/** Returns the first and the last millisecond of a local day. Compared for each message, so not by luxon. */
const toDaySpan = (timeMs: number, zone: string): { readonly start: number; readonly end: number } => {
  const time = inLocalTime(timeMs, zone)
  return { start: time.startOf('day').toMillis(), end: time.endOf('day').toMillis() }
}

/** Formats as `Saturday 28 November 2026, 10:00`. */
export const formatTime = (timeMs: number, zone: string): string =>
  inLocalTime(timeMs, zone).toFormat('cccc d LLLL yyyy, HH:mm')

const formatPause = (ms: number): string => {
  const hours = Math.floor(ms / hourMs)
  if (hours < 48) return hours === 1 ? '1 hour' : `${hours} hours`
  return `${Math.floor(hours / 24)} days`
}

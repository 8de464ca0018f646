/** Time as a dependency: the daemon has one clock, which tests can stop and move. */
import { systemZone } from './system-zone.ts'
import { offsetAt } from './zone-offset.ts'

export interface Clock {
  /** Epoch ms. May jump back. */
  now(): number
  /** IANA name of the daemon's zone. */
  readonly zone: string
  /** Why the zone may be wrong, and what to do; null if it is fine. */
  readonly zoneWarning?: string | null
  /** Resolves after `ms`, or immediately when the signal aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back every `ms` until the returned function is called. */
  every(ms: number, beat: () => void): () => void
}

/** Epoch ms, and minutes east of UTC at that time. */
export interface Instant {
  readonly at: number
  readonly offset: number
}

export const systemClock = (): Clock => ({
  now: Date.now,
  get zone() {
    return systemZone().zone
  },
  get zoneWarning() {
    return systemZone().warning
  },
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const finish = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, ms)
      signal?.addEventListener('abort', finish, { once: true })
    }),
  every: (ms, beat) => {
    const timer = setInterval(beat, ms)
    return () => clearInterval(timer)
  },
})

/** Formats a time as ISO 8601 with the given offset in minutes. */
export const isoWithOffset = (epoch: number, offset: number): string => {
  const local = Math.trunc(epoch) + offset * 60_000
  const day = Math.floor(local / dayLength)
  if (day !== latestDay.day) latestDay = { day, words: new Date(day * dayLength).toISOString().slice(0, -13) }
  const msOfDay = local - day * dayLength
  const minute = Math.trunc(msOfDay / 60_000)
  const ms = msOfDay % 1000
  const time = `${twoDigits(Math.trunc(minute / 60))}:${twoDigits(minute % 60)}:${twoDigits(Math.trunc(msOfDay / 1000) % 60)}`
  const sign = offset < 0 ? '-' : '+'
  const minutes = Math.abs(offset)
  return `${latestDay.words}${time}.${ms < 100 ? '0' : ''}${twoDigits(ms)}${sign}${twoDigits(Math.trunc(minutes / 60))}:${twoDigits(minutes % 60)}`
}

const dayLength = 24 * 60 * 60_000
/**
 * Cache of the last date, because consecutive times usually share it. Measured: a fifth of the time of a
 * `Date` each.
 */
let latestDay = { day: 0, words: '1970-01-01T' }

const twoDigits = (n: number): string => (n < 10 ? `0${n}` : String(n))

/** Formats a time with the offset of a zone at that time. */
export const isoIn = (zone: string, epoch: number): string => isoWithOffset(epoch, offsetAt(epoch, zone))

/**
 * Returns the offset at `epoch` from the view of a fact: that of the zone if the fact has the zone's offset,
 * else the fact's own, since the daemon was in another zone then.
 */
export const offsetThen =
  (zone: string) =>
  (epoch: number, { at, offset }: Instant): number =>
    offsetAt(at, zone) === offset ? offsetAt(epoch, zone) : offset

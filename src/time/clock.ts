/** Time as a dependency: one clock for the daemon, which tests can hold still and move. */

export interface Clock {
  /** Epoch milliseconds. May jump back. */
  now(): number
  /** IANA name of the zone the daemon lives in. */
  readonly zone: string
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back every `ms` until the returned function is called. */
  every(ms: number, beat: () => void): () => void
}

/** Epoch milliseconds, and the minutes from UTC then. */
export interface Instant {
  readonly at: number
  readonly offset: number
}

// Asked late: it loads the time zones, which takes longer than the rest of a start needs.
let here: string | undefined
const zoneHere = (): string => {
  here ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return here
}

export const systemClock = (): Clock => ({
  now: Date.now,
  get zone() {
    return zoneHere()
  },
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done, { once: true })
    }),
  every: (ms, beat) => {
    const timer = setInterval(beat, ms)
    return () => clearInterval(timer)
  },
})

/** Offsets change on quarter hours at the finest: one look per zone and quarter hour is enough. */
const quarter = 15 * 60_000
const formats = new Map<string, Intl.DateTimeFormat>()
const looked = new Map<string, { readonly slot: number; readonly offset: number }>()

/** Minutes east of UTC at an instant, in a zone. */
export const offsetAt = (epoch: number, zone: string): number => {
  const slot = Math.floor(epoch / quarter)
  const known = looked.get(zone)
  if (known?.slot === slot) return known.offset
  const offset = lookUp(epoch, zone)
  looked.set(zone, { slot, offset })
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

/** ISO 8601 with the given offset in minutes, as every time the daemon shows. */
export const isoWithOffset = (epoch: number, offset: number): string => {
  const local = Math.trunc(epoch) + offset * 60_000
  const day = Math.floor(local / dayLength)
  if (day !== latest.day) latest = { day, words: new Date(day * dayLength).toISOString().slice(0, -13) }
  const left = local - day * dayLength
  const [minute, ms] = [Math.trunc(left / 60_000), left % 1000]
  const time = `${two(Math.trunc(minute / 60))}:${two(minute % 60)}:${two(Math.trunc(left / 1000) % 60)}`
  const sign = offset < 0 ? '-' : '+'
  const minutes = Math.abs(offset)
  return `${latest.words}${time}.${ms < 100 ? '0' : ''}${two(ms)}${sign}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`
}

const dayLength = 24 * 60 * 60_000
/** ⏱ Most times that are told one after another are of one day: a fifth of what a `Date` of each costs. */
let latest = { day: 0, words: '1970-01-01T' }

const two = (n: number): string => (n < 10 ? `0${n}` : String(n))

/** The same, with the offset of a zone at that instant. */
export const isoIn = (zone: string, epoch: number): string => isoWithOffset(epoch, offsetAt(epoch, zone))

/**
 * The clocks may have been set between a moment and the fact that tells of it; where it lived elsewhere then,
 * only what the fact says is known.
 */
export const offsetThen =
  (zone: string) =>
  (epoch: number, { at, offset }: Instant): number =>
    offsetAt(at, zone) === offset ? offsetAt(epoch, zone) : offset

/**
 * The time zone of this machine. Node reads it from TZ or /etc/localtime and supports fewer formats than the
 * C library: for the others it reports undefined, Etc/Unknown or UTC.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isLike, likelyZones, readPosixZone, zoneLike } from './posix-zone.ts'
import { zoneNamed } from './zone-name.ts'

export interface SystemZone {
  readonly zone: string
  /** What to correct if the zone may be wrong. */
  readonly warning: string | null
}

export interface ZoneSources {
  readonly tz: string | undefined
  /** The zone that Node reports. */
  readonly reported: string | undefined
  readonly platform: NodeJS.Platform
  /** Epoch ms. */
  readonly now: number
  readonly paths: { readonly localtime: string; readonly timezone: string; readonly zoneinfo: string }
}

let resolvedZone: SystemZone | undefined

/** Resolved once, on first use, because loading the zones takes Node longer than the rest of a start. */
export const systemZone = (): SystemZone => {
  resolvedZone ??= resolveZone({
    tz: process.env.TZ,
    reported: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: process.platform,
    now: Date.now(),
    paths: { localtime: '/etc/localtime', timezone: '/etc/timezone', zoneinfo: '/usr/share/zoneinfo' },
  })
  return resolvedZone
}

export const resolveZone = (sources: ZoneSources): SystemZone => {
  const { tz, platform } = sources
  const reportedZone = zoneNamed(sources.reported ?? '')
  const isReliable =
    reportedZone !== null && (platform === 'win32' || platform === 'darwin' || !isUtc(reportedZone))
  const value = unquote(tz ?? '')
  if (value === '') return isReliable ? toZone(reportedZone) : ofMachine(sources, reportedZone)
  const zone = ofVariable(value, sources, isReliable ? reportedZone : null)
  if (zone !== null) return toZone(zone)
  const machine = ofMachine(sources, null)
  return {
    zone: machine.zone,
    warning: `TZ is ${JSON.stringify(value.slice(0, maxShownLength))}, which is not a time zone that this daemon knows: ${machine.zone} is used. ${advice}`,
  }
}

const toZone = (zone: string): SystemZone => ({ zone, warning: null })
const advice = 'Set TZ to the name of a zone, such as Europe/Berlin, and restart the daemon.'
/** Max characters of an invalid value in a message. */
const maxShownLength = 60

const isUtc = (zone: string): boolean => /^(?:etc\/)?(?:utc|uct|universal|zulu|gmt|greenwich)$/i.test(zone)

/**
 * Removes quotes, which come from settings files that no shell reads, and a colon, POSIX's mark of a name or
 * a path.
 */
const unquote = (tz: string): string =>
  tz
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/^:/, '')
    .trim()

/** `reported`: Node's result for TZ, if it is reliable. */
const ofVariable = (value: string, sources: ZoneSources, reportedZone: string | null): string | null => {
  const namedZone = zoneNamed(withoutFolder(value))
  if (namedZone !== null) return reportedZone ?? namedZone
  if (sources.platform === 'win32' || sources.platform === 'darwin')
    if (reportedZone !== null) return reportedZone
  const posix = readPosixZone(value)
  if (posix) return zoneLike(posix, sources.now)
  const path = value === 'localtime' ? sources.paths.localtime : value
  return path.startsWith('/') ? ofFile(path, sources) : null
}

/** Turns `/usr/share/zoneinfo/Europe/Berlin` and `posix/Europe/Berlin` into `Europe/Berlin`. */
const withoutFolder = (path: string): string =>
  path.replace(/^\/.*\/zoneinfo[\w.-]*\//, '').replace(/^(?:posix|right)\//, '')

/** `reported`: Node's result without TZ. It is UTC if Node could not find the zone. */
const ofMachine = (sources: ZoneSources, reportedZone: string | null): SystemZone => {
  const { localtime, timezone } = sources.paths
  const zone = ofFile(localtime, sources) ?? zoneNamed(readText(timezone))
  if (zone !== null) return toZone(reportedZone !== null && isUtc(zone) ? reportedZone : zone)
  if (reportedZone !== null) return toZone(reportedZone)
  return { zone: 'UTC', warning: `The time zone of this machine is not known: UTC is used. ${advice}` }
}

/**
 * Returns the zone of a symbolic link's target or of a TZif file (RFC 8536). The content counts if another
 * file was mounted over the target.
 */
const ofFile = (path: string, sources: ZoneSources): string | null => {
  const { now, paths } = sources
  const bytes = readZoneFile(path)
  const posix = bytes && readPosixZone(lastLine(bytes))
  const linkedZone = zoneNamed(withoutFolder(realPath(path)))
  if (linkedZone !== null && (!posix || isLike(linkedZone, posix, now))) return linkedZone
  if (!bytes || !posix) return null
  if (lastLine(bytes) === 'UTC0') return 'UTC'
  const names = new Set([readText(paths.timezone), ...likelyZones, ...Intl.supportedValuesOf('timeZone')])
  for (const name of names) {
    if (zoneNamed(name) === null) continue
    const file = readZoneFile(join(paths.zoneinfo, name), bytes.length)
    if (file?.equals(bytes)) return name
  }
  return zoneLike(posix, now)
}

/** Bytes. The largest zone file has 4 KB. */
const maxBytes = 64 * 1024

/** Returns null if the file is missing, is not a TZif file, or does not have the expected size. */
const readZoneFile = (path: string, size?: number): Buffer | null => {
  try {
    const stats = statSync(path)
    if (!stats.isFile() || stats.size > maxBytes || (size !== undefined && stats.size !== size)) return null
    const bytes = readFileSync(path)
    return bytes.subarray(0, 4).toString('latin1') === 'TZif' ? bytes : null
  } catch {
    return null
  }
}

/** Returns the rule for times after the last one in the file. */
const lastLine = (bytes: Buffer): string =>
  bytes.subarray(bytes.lastIndexOf('\n', bytes.length - 2) + 1, -1).toString('latin1')

const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const readText = (path: string): string => {
  try {
    return statSync(path).size <= maxBytes ? readFileSync(path, 'utf8').trim() : ''
  } catch {
    return ''
  }
}

/**
 * Names of time zones, checked against those of this Node. Loads no library, because every start needs it.
 */

/** Rejects bare offsets, which some versions of Node accept but which have no summer time. */
const isName = (text: string): boolean => /^[a-z]/i.test(text) && !/^etc\/unknown$/i.test(text)

/** Returns the IANA name in its usual spelling, or null if the zone is unknown. */
export const zoneNamed = (text: string): string | null => {
  if (!isName(text)) return null
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions()
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text
  } catch {
    return null
  }
}

const canonicalNames = new Map<string, string>()
const maxCachedNames = 2000

/**
 * Returns the zone if this Node knows it, otherwise UTC. A fact may name a zone that only another version of
 * Node knows, and a wrong hour is better than a persona that cannot answer.
 */
export const knownZone = (zone: string): string => {
  const canonicalName = canonicalNames.get(zone)
  if (canonicalName !== undefined) return canonicalName
  if (canonicalNames.size >= maxCachedNames) canonicalNames.clear()
  const knownName = zoneNamed(zone) === null ? 'UTC' : zone
  canonicalNames.set(zone, knownName)
  return knownName
}

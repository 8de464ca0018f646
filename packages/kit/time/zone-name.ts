/** Names of time zones, checked against those that this Node knows. Loads no library: a start needs it. */

/** A bare offset is accepted by some versions of Node, and has no summer time. */
const isName = (text: string): boolean => /^[a-z]/i.test(text) && !/^etc\/unknown$/i.test(text)

/** The IANA name in its usual spelling, or null if there is no such zone. */
export const zoneNamed = (text: string): string | null => {
  if (!isName(text)) return null
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions()
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text
  } catch {
    return null
  }
}

const known = new Map<string, string>()
const mostKnown = 2000

/**
 * The zone if this Node knows it, otherwise UTC: a fact may hold a zone that only another version of Node
 * knows, and a wrong hour is better than a persona that cannot answer.
 */
export const knownZone = (zone: string): string => {
  const before = known.get(zone)
  if (before !== undefined) return before
  if (known.size >= mostKnown) known.clear()
  const checked = zoneNamed(zone) === null ? 'UTC' : zone
  known.set(zone, checked)
  return checked
}

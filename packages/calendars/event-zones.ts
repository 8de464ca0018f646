/** The time zones of a calendar: IANA names, names of Windows, and definitions in the calendar itself. */
import ICAL from 'ical.js'
import { toInstant } from '../kit/time/local-time.ts'
import { zoneNamed } from '../kit/time/zone-name.ts'
// From CLDR's windowsZones.xml, territory 001.
import windowsZones from './windows-zones.json' with { type: 'json' }

/**
 * Converts a wall time to an instant. A wall time is written as the epoch ms that it would have in UTC. A
 * skipped time moves forward with the clocks; of a repeated time the first counts.
 */
export type ZoneRule = (wallMs: number) => number

export interface EventZones {
  /** The zone of times without a zone. */
  readonly floating: ZoneRule
  readonly find: (zoneId: string) => ZoneRule
  /** Returns whether a zone was unknown, so that the floating one was used. */
  readonly hasUnknown: () => boolean
}

/** `definitions`: VTIMEZONE components. `floatingZone`: an IANA name. */
export const createEventZones = (
  definitions: readonly ICAL.Component[],
  floatingZone: string,
): EventZones => {
  const floating = ruleOfIana(floatingZone)
  const knownRules = new Map<string, ZoneRule>()
  let hasUnknown = false
  const resolve = (zoneId: string): ZoneRule => {
    const name = findIanaName(zoneId)
    if (name !== null) return ruleOfIana(name)
    const definition = definitions.find((component) => component.getFirstPropertyValue('tzid') === zoneId)
    const rule = definition && ruleOfDefinition(definition, zoneId)
    if (rule) return rule
    hasUnknown = true
    return floating
  }
  return {
    floating,
    hasUnknown: () => hasUnknown,
    find: (zoneId) => {
      const knownRule = knownRules.get(zoneId)
      if (knownRule) return knownRule
      const rule = resolve(zoneId)
      knownRules.set(zoneId, rule)
      return rule
    },
  }
}

export const utcRule: ZoneRule = (wallMs) => wallMs

/** Max remembered times of a zone. Events often share them, and each costs about 0.2 ms. */
const maxRemembered = 50_000

const ruleOfIana = (zone: string): ZoneRule => {
  const instants = new Map<number, number>()
  return (wallMs) => {
    const rememberedInstant = instants.get(wallMs)
    if (rememberedInstant !== undefined) return rememberedInstant
    const instant = toInstant(new Date(wallMs).toISOString().slice(0, 19), zone)
    if (instants.size < maxRemembered) instants.set(wallMs, instant)
    return instant
  }
}

const windowsNames: Readonly<Record<string, string>> = windowsZones

/**
 * Returns the IANA name that a TZID means, or null. Some programs put a prefix before it, such as
 * `/freeassociation.sourceforge.net/Europe/Berlin`.
 */
export const findIanaName = (zoneId: string): string | null => {
  const text = zoneId.trim().replace(/^"|"$/g, '')
  const ofWindows = Object.hasOwn(windowsNames, text) ? windowsNames[text] : undefined
  if (ofWindows) return zoneNamed(ofWindows)
  if (text.length > 100) return null
  const name = zoneNamed(text)
  if (name !== null || !text.startsWith('/')) return name
  const parts = text.split('/')
  return zoneNamed(parts.slice(-2).join('/')) ?? zoneNamed(parts.slice(-3).join('/'))
}

/** Returns null if the definition is damaged. */
const ruleOfDefinition = (component: ICAL.Component, tzid: string): ZoneRule | null => {
  try {
    const zone = new ICAL.Timezone({ component, tzid })
    const rule: ZoneRule = (wallMs) => wallMs - zone.utcOffset(toTime(wallMs)) * 1000
    rule(Date.UTC(2026, 0))
    return rule
  } catch {
    return null
  }
}

/** Creates a time without a zone. */
export const toTime = (wallMs: number): ICAL.Time => {
  const date = new Date(wallMs)
  const parts = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    isDate: false,
  }
  return new ICAL.Time(parts, ICAL.Timezone.localTimezone)
}

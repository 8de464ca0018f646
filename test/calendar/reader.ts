/** A strict reader of iCalendar (RFC 5545). It uses only the zones and recurrences in the text. */

export interface Property {
  readonly params: Readonly<Record<string, string>>
  readonly value: string
}

export interface Component {
  readonly name: string
  readonly properties: Readonly<Record<string, readonly Property[]>>
  readonly inner: readonly Component[]
}

/** Properties of each component: required once, optional, repeatable. */
const allowed: Readonly<Record<string, readonly [once: string, optional: string, often: string]>> = {
  VCALENDAR: ['VERSION PRODID', 'CALSCALE METHOD X-WR-CALNAME', ''],
  VEVENT: ['UID DTSTAMP DTSTART', 'SUMMARY DESCRIPTION LAST-MODIFIED RRULE TRANSP', 'EXDATE RDATE'],
  VALARM: ['ACTION TRIGGER DESCRIPTION', '', ''],
  VTIMEZONE: ['TZID', '', ''],
  STANDARD: ['DTSTART TZOFFSETFROM TZOFFSETTO', '', 'RDATE'],
  DAYLIGHT: ['DTSTART TZOFFSETFROM TZOFFSETTO', '', 'RDATE'],
}

export const readCalendar = (text: string): Component => {
  if (!text.endsWith('\r\n') || /(?<!\r)\n|\r(?!\n)/.test(text))
    throw new Error('a line does not end with CRLF')
  const lines = text.slice(0, -2).split('\r\n')
  for (const line of lines)
    if (Buffer.byteLength(line) > 75 || line.trim() === '')
      throw new Error(`a line that is too long or empty: ${line}`)
  const stack: { name: string; properties: Record<string, Property[]>; inner: Component[] }[] = [
    { name: 'ROOT', properties: {}, inner: [] },
  ]
  for (const line of text.slice(0, -2).replaceAll('\r\n ', '').split('\r\n')) {
    const [, name = '', paramText = '', value = ''] =
      /^([A-Z-]+)((?:;[A-Z-]+=[^:;,"]+)*):(.*)$/s.exec(line) ?? []
    if (name === '') throw new Error(`no content line: ${line}`)
    const component = stack.at(-1)
    if (name === 'BEGIN') stack.push({ name: value, properties: {}, inner: [] })
    else if (name === 'END') {
      const currentComponent = stack.pop()
      if (currentComponent?.name !== value)
        throw new Error(`${value} ends where ${currentComponent?.name} is open`)
      stack.at(-1)?.inner.push(checkComponent(currentComponent))
    } else if (component) {
      const params = Object.fromEntries(
        paramText
          .split(';')
          .slice(1)
          .map((parameter) => parameter.split('=')),
      )
      component.properties[name] = [...(component.properties[name] ?? []), { params, value }]
    }
  }
  const [calendar, ...others] = stack[0]?.inner ?? []
  if (calendar?.name !== 'VCALENDAR' || stack.length !== 1 || others.length > 0)
    throw new Error('not one calendar')
  if (calendar.inner.length === 0) throw new Error('a calendar of nothing')
  const uids = getInner(calendar, 'VEVENT').map((event) => getProperty(event, 'UID'))
  if (new Set(uids).size !== uids.length) throw new Error('two events of one UID')
  return calendar
}

const checkComponent = (component: Component): Component => {
  const { name, properties, inner } = component
  const rules = allowed[name]?.map((rule) => rule.split(' ').filter(Boolean))
  const [once = [], optional = [], often = []] = rules ?? []
  if (!rules) throw new Error(`an unknown component: ${name}`)
  for (const occurrence of once)
    if (properties[occurrence]?.length !== 1) throw new Error(`${name} needs one ${occurrence}`)
  for (const [key, values] of Object.entries(properties)) {
    if (![...once, ...optional, ...often].includes(key)) throw new Error(`${name} has a ${key}`)
    if (!often.includes(key) && values.length > 1) throw new Error(`${name} has more than one ${key}`)
  }
  if (name === 'VTIMEZONE' && inner.length === 0) throw new Error('a zone without observances')
  return component
}

export const getInner = ({ inner }: Component, name: string): readonly Component[] =>
  inner.filter((child) => child.name === name)

export const getProperty = ({ properties }: Component, name: string): string =>
  properties[name]?.[0]?.value ?? ''

/** Returns an unescaped TEXT. Throws if a character is not escaped. */
export const getTextValue = (component: Component, name: string): string => {
  const value = getProperty(component, name)
  if (/(?<!\\)(?:\\\\)*[;,]/.test(value) || /[^\P{Cc}\t]/u.test(value))
    throw new Error(`not escaped: ${JSON.stringify(value)}`)
  return value.replace(/\\(.)/g, (_, character: string) => ('nN'.includes(character) ? '\n' : character))
}

const minute = 60_000
/** Returns `20261124T090000` in epoch milliseconds, as if it were UTC. */
const toNumber = (text: string): number => {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/.exec(text)?.slice(1).map(Number)
  if (!parts) throw new Error(`no time: ${text}`)
  const [year = 0, month = 0, day = 0, hour = 0, minutes = 0, seconds = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minutes, seconds)
}

const parseOffset = (text: string): number => {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text) ?? []
  if (sign === undefined) throw new Error(`no offset: ${text}`)
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60) * minute
}

/**
 * Returns the first instant with a local time according to a VTIMEZONE; in a gap, by the offset before it.
 */
const instantIn = (calendar: Component, zone: string): ((local: number) => number) => {
  const zoneComponent = getInner(calendar, 'VTIMEZONE').find(
    (timeZone) => getProperty(timeZone, 'TZID') === zone,
  )
  if (!zoneComponent) throw new Error(`no VTIMEZONE for ${zone}`)
  const onsets = zoneComponent.inner
    .flatMap((observance) => {
      const offsetBefore = parseOffset(getProperty(observance, 'TZOFFSETFROM'))
      const offsetAfter = parseOffset(getProperty(observance, 'TZOFFSETTO'))
      const startDates = [
        getProperty(observance, 'DTSTART'),
        ...(observance.properties.RDATE ?? []).flatMap(({ value }) => value.split(',')),
      ]
      return startDates.map((begin) => ({
        at: toNumber(begin) - offsetBefore,
        from: offsetBefore,
        to: offsetAfter,
      }))
    })
    .sort((left, right) => left.at - right.at)
  return (local) => {
    for (const [place, { at, to }] of onsets.entries()) {
      const next = onsets[place + 1]
      // Before the next change, by the local time that it ends.
      if (next && local >= next.at + next.from) continue
      if (local - to >= at) return local - to
      // The local time was skipped by this change.
      if (place > 0) return local - (onsets[place]?.from ?? 0)
      throw new Error(`before the first onset of ${zone}`)
    }
    throw new Error('no observance')
  }
}

/** Returns the times of an event until a moment, in order, in epoch milliseconds. */
export const happenings = (calendar: Component, event: Component, endTime: number): readonly number[] => {
  const start = event.properties.DTSTART?.[0]
  if (!start) throw new Error('no start')
  const zone = start.params.TZID
  if ((zone === undefined) !== start.value.endsWith('Z'))
    throw new Error(`neither UTC nor in a zone: ${start.value}`)
  const instant = zone === undefined ? (local: number) => local : instantIn(calendar, zone)
  const dates = (name: string) =>
    (event.properties[name] ?? []).flatMap(({ value }) => value.split(',')).map(toNumber)
  const excludedTimes = new Set(dates('EXDATE'))
  const times = dates('RDATE').filter((time) => time <= endTime)
  for (const local of expanded(toNumber(start.value), getProperty(event, 'RRULE'))) {
    if (instant(local) > endTime) break
    if (!excludedTimes.has(local)) times.push(instant(local))
  }
  return times.sort((left, right) => left - right)
}

/** Yields local times of a rule in order. Invalid dates are left out, as RFC 5545 requires. */
function* expanded(start: number, rule: string): Generator<number> {
  if (rule === '') return yield start
  const parts = Object.fromEntries(rule.split(';').map((part) => part.split('=')))
  const { FREQ: unit, BYMONTH: inMonths, BYMONTHDAY: onDays, ...more } = parts
  if (Object.keys(more).length > 0) throw new Error(`a rule that is not understood: ${rule}`)
  const first = new Date(start)
  const hours = { HOURLY: 1, DAILY: 24, WEEKLY: 24 * 7 }[String(unit)]
  if (hours !== undefined) for (let n = 0; ; n++) yield start + n * hours * 60 * minute
  if (unit !== 'MONTHLY' && unit !== 'YEARLY') throw new Error(`a rule that is not understood: ${rule}`)
  const dayNumbers = String(onDays ?? first.getUTCDate())
    .split(',')
    .map(Number)
  const months = inMonths?.split(',').map(Number)
  for (let n = 0; ; n++) {
    const month = unit === 'MONTHLY' ? first.getUTCMonth() + n : (months?.[0] ?? first.getUTCMonth() + 1) - 1
    const year = first.getUTCFullYear() + (unit === 'YEARLY' ? n : 0)
    if (months && !months.includes((month % 12) + 1)) continue
    const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    // Negative days count from the end of the month.
    for (const day of dayNumbers
      .map((dayNumber) => (dayNumber < 0 ? days + 1 + dayNumber : dayNumber))
      .filter((dayNumber) => dayNumber <= days)) {
      const local = Date.UTC(year, month, day) + (start % (24 * 60 * minute))
      if (local >= start) yield local
    }
  }
}

/**
 * Reads calendars of a CalDAV server (RFC 4791): finds those of the user, and the events of one. Own code
 * instead of a library, because every answer must be limited and every redirect checked.
 */

import { toLine } from '../kit/text-lines.ts'
import { CalendarFailed } from './calendar-failed.ts'
import {
  type CalendarNetwork,
  type CalendarResponse,
  isSamePlace,
  type Login,
  requestCalendar,
} from './calendar-http.ts'
import { maxCalendarName } from './calendar-limits.ts'
import type { DavResource } from './dav-multistatus.ts'

export interface DavServer {
  readonly network: CalendarNetwork
  readonly url: URL
  readonly login: Login
  readonly signal: AbortSignal
  /** Returns an empty list for an answer that lists no resources. */
  readonly readResources: (bytes: Buffer) => Promise<readonly DavResource[]>
}

export interface FoundCalendar {
  readonly url: string
  readonly name: string
}

const maxListingBytes = 2 * 1024 * 1024
const maxCalendars = 200

/** Returns the calendars with events, sorted by name. Throws CalendarFailed, or the signal's reason. */
export const findCalendars = async (server: DavServer): Promise<readonly FoundCalendar[]> => {
  const homes = await findHomes(server)
  const calendars = new Map<string, FoundCalendar>()
  for (const home of homes)
    for (const calendar of await listCalendars(server, home)) calendars.set(calendar.url, calendar)
  if (calendars.size === 0) throw new CalendarFailed('moved', 'the server shows no calendars at this address')
  return [...calendars.values()]
    .sort((first, second) => first.name.localeCompare(second.name))
    .slice(0, maxCalendars)
}

/** The given address may be that of a calendar, of a user, of the calendars of a user, or of the server. */
const findHomes = async (server: DavServer): Promise<readonly URL[]> => {
  const places = [server.url, new URL('/.well-known/caldav', server.url)]
  let failure: CalendarFailed | undefined
  for (const place of places)
    try {
      const homes = await findHomesAt(server, place)
      if (homes.length > 0) return homes
    } catch (error) {
      server.signal.throwIfAborted()
      if (!(error instanceof CalendarFailed) || error.kind === 'login') throw error
      failure ??= error
    }
  throw failure ?? new CalendarFailed('answer', 'it is not a CalDAV server')
}

const findHomesAt = async (server: DavServer, place: URL): Promise<readonly URL[]> => {
  const { resources, url } = await propfind(server, place, 0, discoveryBody)
  const [first] = resources
  if (first?.types.includes('calendar')) return [url]
  const home = resolveLink(server, url, first?.links.get('calendar-home-set'))
  if (home) return [home]
  const principal = resolveLink(server, url, first?.links.get('current-user-principal'))
  if (principal) {
    const answer = await propfind(server, principal, 0, discoveryBody)
    const principalHome = resolveLink(server, answer.url, answer.resources[0]?.links.get('calendar-home-set'))
    if (principalHome) return [principalHome]
  }
  return first?.types.includes('collection') ? [url] : []
}

/** Throws CalendarFailed for a link to another host, since the request would carry the password there. */
const resolveLink = (server: DavServer, base: URL, link: string | undefined): URL | null => {
  const text = link?.trim()
  if (!text || !URL.canParse(text, base.href)) return null
  const url = new URL(text, base)
  if (!isSamePlace(server.url, url) && !isSamePlace(base, url))
    throw new CalendarFailed(
      'moved',
      `its calendars are at ${url.host}, which does not get your password; use that address if you trust it`,
    )
  return url
}

const listCalendars = async (server: DavServer, home: URL): Promise<readonly FoundCalendar[]> => {
  const { resources, url } = await propfind(server, home, 1, listingBody)
  return resources.filter(hasEvents).flatMap((resource) => {
    const calendarUrl = resolveLink(server, url, resource.href)
    if (!calendarUrl) return []
    const name = toLine(resource.texts.get('displayname'), maxCalendarName)
    return { url: calendarUrl.href, name: name || lastSegment(calendarUrl) }
  })
}

const hasEvents = ({ types, components }: DavResource): boolean =>
  types.includes('calendar') && (components.length === 0 || components.includes('VEVENT'))

const lastSegment = ({ pathname }: URL): string => {
  const segment = pathname.split('/').filter(Boolean).at(-1) ?? ''
  try {
    return toLine(decodeURIComponent(segment), maxCalendarName)
  } catch {
    return toLine(segment, maxCalendarName)
  }
}

export interface DavState {
  /** Changes with each change of the calendar; null if the server has none. */
  readonly tag: string | null
  readonly name: string | null
}

/** Throws CalendarFailed, or the signal's reason. */
export const readDavState = async (server: DavServer): Promise<DavState> => {
  const { resources } = await propfind(server, server.url, 0, stateBody)
  const [first] = resources
  if (!first?.types.includes('calendar'))
    throw new CalendarFailed('moved', 'there is no calendar at this address')
  return {
    tag: first.texts.get('getctag')?.trim() || first.texts.get('sync-token')?.trim() || null,
    name: toLine(first.texts.get('displayname'), maxCalendarName) || null,
  }
}

/** Returns a multistatus answer with the events. Throws CalendarFailed, or the signal's reason. */
export const readDavEvents = async (
  { network, url, login, signal }: DavServer,
  span: { readonly from: number; readonly to: number },
): Promise<CalendarResponse> =>
  requestCalendar(network, {
    ...{ url, login, signal },
    method: 'REPORT',
    headers: { depth: '1' },
    body: eventsBody(span),
  })

const propfind = async (
  { network, login, signal, url: serverUrl, readResources }: DavServer,
  url: URL,
  depth: 0 | 1,
  body: string,
): Promise<{ readonly resources: readonly DavResource[]; readonly url: URL }> => {
  if (!isSamePlace(serverUrl, url)) throw new CalendarFailed('moved', `its calendars are at ${url.host}`)
  const response = await requestCalendar(network, {
    ...{ url, login, signal, body },
    method: 'PROPFIND',
    headers: { depth: String(depth) },
    maxBytes: maxListingBytes,
  })
  const resources = await readResources(response.bytes)
  if (resources.length === 0) throw new CalendarFailed('answer', 'it is not a CalDAV server')
  return { resources, url: response.url }
}

const xml = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><${root} xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/">${content}</${root.split(' ')[0]}>`

const discoveryBody = xml(
  'd:propfind',
  '<d:prop><d:resourcetype/><d:current-user-principal/><c:calendar-home-set/></d:prop>',
)
const listingBody = xml(
  'd:propfind',
  '<d:prop><d:resourcetype/><d:displayname/><c:supported-calendar-component-set/></d:prop>',
)
const stateBody = xml(
  'd:propfind',
  '<d:prop><d:resourcetype/><d:displayname/><s:getctag/><d:sync-token/></d:prop>',
)

const toStamp = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '').concat('Z')

const eventsBody = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  xml(
    'c:calendar-query',
    `<d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="${toStamp(from)}" end="${toStamp(to)}"/></c:comp-filter></c:comp-filter></c:filter>`,
  )

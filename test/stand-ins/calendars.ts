/**
 * A server of calendars: files in iCalendar format, and CalDAV (RFC 4791) as Radicale and Nextcloud speak it.
 * A request in another form is answered as those servers would answer it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CalendarRequestSeen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface CalendarServer {
  /** Address without a slash at the end. */
  readonly url: string
  readonly port: number
  readonly requests: CalendarRequestSeen[]
  /** Files by path. Each is served with an ETag that follows from its text. */
  readonly files: Map<string, string>
  /** Special answers by path, instead of all others. */
  readonly answers: Map<string, (request: IncomingMessage, response: ServerResponse) => void>
  /** Events of the CalDAV calendars by name of the calendar. */
  readonly calendars: Map<string, { readonly name: string; events: readonly string[]; tag: number }>
  close(): Promise<void>
}

export const calendarUser = 'ada@example.org'
export const calendarPassword = 'app-password-4711'

export const openCalendarServer = async (): Promise<CalendarServer> => {
  const requests: CalendarRequestSeen[] = []
  const files: CalendarServer['files'] = new Map()
  const answers: CalendarServer['answers'] = new Map()
  const calendars: CalendarServer['calendars'] = new Map()

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stand.in')
    const body = await readBody(request)
    const { method = '', headers } = request
    requests.push({ method, path: request.url ?? '', headers, body })
    const special = answers.get(pathname)
    if (special) return special(request, response)
    const file = files.get(pathname)
    if (file !== undefined) return sendFile(request, response, file)
    if (pathname === '/.well-known/caldav') return response.writeHead(301, { location: '/dav/' }).end()
    if (pathname.startsWith('/dav/')) return sendDav(request, response, body, calendars)
    response.writeHead(404).end('not found')
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    files,
    answers,
    calendars,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const sendFile = (request: IncomingMessage, response: ServerResponse, text: string): void => {
  const etag = `"${text.length}-${text.slice(-60, -30).replace(/\W/g, '')}"`
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
  response.writeHead(200, { 'content-type': 'text/calendar; charset=utf-8', etag }).end(text)
}

const sendDav = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  calendars: CalendarServer['calendars'],
): void => {
  const login = `Basic ${Buffer.from(`${calendarUser}:${calendarPassword}`).toString('base64')}`
  if (request.headers.authorization !== login)
    return void response.writeHead(401, { 'www-authenticate': 'Basic realm="stand-in"' }).end()
  const path = new URL(request.url ?? '/', 'http://stand.in').pathname
  const depth = request.headers.depth
  const name = /^\/dav\/calendars\/ada\/([^/]+)\/$/.exec(path)?.[1]
  const calendar = name === undefined ? undefined : calendars.get(name)
  if (request.method === 'PROPFIND' && body.includes('propfind')) {
    const resources = calendar
      ? [toCalendarResource(path, calendar)]
      : path === '/dav/'
        ? [
            toResource(
              path,
              '<d:current-user-principal><d:href>/dav/principals/ada/</d:href></d:current-user-principal>',
            ),
          ]
        : path === '/dav/principals/ada/'
          ? [
              toResource(
                path,
                '<c:calendar-home-set><d:href>/dav/calendars/ada/</d:href></c:calendar-home-set>',
              ),
            ]
          : path === '/dav/calendars/ada/'
            ? [
                toResource(path, '<d:resourcetype><d:collection/></d:resourcetype>'),
                ...(depth === '1'
                  ? [...calendars].map(([key, value]) => toCalendarResource(`${path}${key}/`, value))
                  : []),
                ...(depth === '1' ? [taskList(`${path}tasks/`)] : []),
              ]
            : []
    if (resources.length > 0) return sendMultistatus(response, resources)
  }
  const isQuery = /<c:calendar-query .*<c:time-range start="\d{8}T\d{6}Z" end="\d{8}T\d{6}Z"\/>/.test(body)
  if (request.method === 'REPORT' && calendar && isQuery && depth === '1')
    return sendMultistatus(
      response,
      calendar.events.map((event, n) =>
        toResource(
          `${path}${n}.ics`,
          `<d:getetag>"${n}"</d:getetag><c:calendar-data>${escapeXml(event)}</c:calendar-data>`,
        ),
      ),
    )
  response.writeHead(404).end()
}

const toResource = (href: string, properties: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`

const toCalendarResource = (
  href: string,
  { name, tag }: { readonly name: string; readonly tag: number },
): string =>
  toResource(
    href,
    `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>${escapeXml(name)}</d:displayname><s:getctag>tag-${tag}</s:getctag><c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set>`,
  )

const taskList = (href: string): string =>
  toResource(
    href,
    '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Tasks</d:displayname><c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set>',
  )

const sendMultistatus = (response: ServerResponse, resources: readonly string[]): void =>
  void response
    .writeHead(207, { 'content-type': 'application/xml; charset=utf-8' })
    .end(
      `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/">${resources.join('')}</d:multistatus>`,
    )

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;')

/** A calendar in iCalendar format. */
export const calendarText = (events: readonly string[], name = 'Work'): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', `X-WR-CALNAME:${name}`, ...events, 'END:VCALENDAR', ''].join('\r\n')

/** An event in UTC: `20261201T090000Z`. */
export const eventText = (uid: string, start: string, title: string, ...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', `UID:${uid}`, `DTSTART:${start}`, `SUMMARY:${title}`, ...lines, 'END:VEVENT'].join('\r\n')

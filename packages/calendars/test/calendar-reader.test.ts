/** Reads calendars over real sockets: versions, redirects, passwords, and servers that lie. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { waitFor } from '../../../test/calls.ts'
import {
  type CalendarServer,
  calendarPassword,
  calendarText,
  calendarUser,
  eventText,
  openCalendarServer,
} from '../../../test/stand-ins/calendars.ts'
import { CalendarFailed } from '../calendar-failed.ts'
import { isSamePlace } from '../calendar-http.ts'
import { maxOccurrences } from '../calendar-limits.ts'
import {
  type CalendarReader,
  type CalendarVersion,
  createCalendarReader,
  type ReadCalendar,
} from '../calendar-reader.ts'

const now = Date.UTC(2026, 10, 28, 12)
const dayMs = 24 * 60 * 60_000
const span = { now, from: now - 30 * dayMs, to: now + 365 * dayMs, zone: 'Europe/Berlin' }
const login = { user: calendarUser, password: calendarPassword }

let server: CalendarServer
let reader: CalendarReader

test.before.each(async () => {
  server = await openCalendarServer()
  reader = createCalendarReader({ env: {}, timeoutMs: 3000 })
})
test.after.each(async () => {
  await reader.close()
  await server.close()
})

interface Options {
  readonly known?: CalendarVersion | null
  readonly signal?: AbortSignal
  readonly isRefresh?: boolean
}
const read = (path: string, options: Options = {}) =>
  reader.read(
    { kind: 'ics', url: new URL(path, server.url), login: null },
    { ...span, known: null, signal: new AbortController().signal, ...options },
  )
const readDav = (name: string, version: CalendarVersion | null = null) =>
  reader.read(
    { kind: 'caldav', url: new URL(`/dav/calendars/ada/${name}/`, server.url), login },
    { ...span, known: version, signal: new AbortController().signal },
  )
const titles = ({ calendar }: ReadCalendar) => calendar?.occurrences.map(({ title }) => title)
const failure = async (task: Promise<unknown>): Promise<CalendarFailed> => {
  const error = await task.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CalendarFailed)) throw new Error(`no failure of the calendar: ${error}`)
  not.match(error.message, /secret|4711/)
  return error
}

const work = calendarText([eventText('1', '20261201T090000Z', 'Standup')])

test('reads a calendar, and does not read an unchanged one again', async () => {
  server.files.set('/secret/basic.ics', work)
  const first = await read('/secret/basic.ics')
  equal(titles(first), ['Standup'])
  is(first.calendar?.name, 'Work')
  const second = await read('/secret/basic.ics', { known: first.version })
  is(second.calendar, null)
  is(server.requests[1]?.headers['if-none-match'], first.version.etag)
  server.files.set('/secret/basic.ics', calendarText([eventText('1', '20261201T090000Z', 'Moved')]))
  equal(titles(await read('/secret/basic.ics', { known: first.version })), ['Moved'])
})

test('recognizes the same content from a server without versions', async () => {
  server.answers.set('/a.ics', (_, response) => void response.end(work))
  const { version } = await read('/a.ics')
  is((await read('/a.ics', { known: version })).calendar, null)
})

test('follows a redirect on the same server', async () => {
  server.files.set('/b.ics', work)
  server.answers.set('/a.ics', (_, response) => void response.writeHead(302, { location: '/b.ics' }).end())
  equal(titles(await read('/a.ics')), ['Standup'])
})

test('does not follow a redirect to this machine, and does not ask there', async () => {
  const requests: string[] = []
  const inner: Server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.end(work)
  })
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
  const { port } = inner.address() as AddressInfo
  server.answers.set(
    '/a.ics',
    (_, response) => void response.writeHead(302, { location: `http://127.0.0.1:${port}/x` }).end(),
  )
  is((await failure(read('/a.ics'))).kind, 'unreachable')
  equal(requests, [])
  inner.closeAllConnections()
  await new Promise((resolve) => inner.close(resolve))
})

test('sends no password to another host after a redirect', async () => {
  const requests: string[] = []
  const other = createServer((request, response) => {
    requests.push(request.headers.authorization ?? 'none')
    response.end(work)
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const redirect = { location: `http://localhost:${port}/x` }
  server.answers.set('/a.ics', (_, response) => void response.writeHead(307, redirect).end())
  server.answers.set(
    '/dav/calendars/ada/work/',
    (_, response) => void response.writeHead(307, redirect).end(),
  )
  const file = { kind: 'ics', url: new URL('/a.ics', server.url), login } as const
  const refusal = await failure(
    reader.read(file, { ...span, known: null, signal: new AbortController().signal }),
  )
  match(refusal.message, /does not get your password/)
  match((await failure(readDav('work'))).message, /does not get your password/)
  equal(requests, [])
  other.closeAllConnections()
  await new Promise((resolve) => other.close(resolve))
})

test('gives up on redirects in a circle', async () => {
  server.answers.set('/a.ics', (_, response) => void response.writeHead(302, { location: '/a.ics' }).end())
  match((await failure(read('/a.ics'))).message, /more than 5 times/)
})

test('knows which addresses belong together', () => {
  const isSame = (first: string, second: string) => isSamePlace(new URL(first), new URL(second))
  ok(isSame('http://cloud.example/a', 'https://cloud.example/b'))
  ok(isSame('https://caldav.icloud.com', 'https://p34-caldav.icloud.com:443/1/calendars/'))
  for (const other of [
    'http://cloud.example/b',
    'https://cloud.example:8443/b',
    'https://cloud.example.evil.example/',
    'https://sub.cloud.example/',
  ])
    not(isSame('https://cloud.example/a', other))
  not(isSame('http://127.0.0.1:5232/', 'https://127.0.0.1/'))
  not(isSame('https://caldav.icloud.com', 'https://p34-caldav.icloud.com.evil.example/'))
  not(isSame('https://caldav.icloud.com', 'http://p34-caldav.icloud.com/'))
})

for (const [status, kind] of [
  [401, 'login'],
  [403, 'login'],
  [404, 'moved'],
  [429, 'unreachable'],
  [500, 'unreachable'],
] as const)
  test(`reports a server that answers with status ${status}`, async () => {
    server.answers.set('/a.ics', (_, response) => void response.writeHead(status).end('secret'))
    const error = await failure(read('/a.ics'))
    is(error.kind, kind)
    match(error.message, String(status))
  })

test('refuses an answer that is not a calendar', async () => {
  server.answers.set('/a.ics', (_, response) => void response.end('<!doctype html><title>Log in</title>'))
  match((await failure(read('/a.ics'))).message, /not a calendar/)
})

test('refuses 50 MB, also compressed, and reads no further', async () => {
  const filler = Buffer.alloc(
    1024 * 1024,
    'X-FILLER:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
  )
  server.answers.set('/big.ics', (_, response) => {
    for (let n = 0; n < 50; n++) response.write(filler)
    response.end()
  })
  match((await failure(read('/big.ics'))).message, /20 MiB/)
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024))
  server.answers.set(
    '/bomb.ics',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )
  match((await failure(read('/bomb.ics'))).message, /20 MiB/)
})

test('ends a request to a server that never finishes, or answers too slowly', async () => {
  await reader.close()
  reader = createCalendarReader({ env: {}, timeoutMs: 400 })
  server.answers.set('/silent.ics', () => {})
  match((await failure(read('/silent.ics'))).message, /0.4 s/)
  server.answers.set('/slow.ics', (_, response) => {
    const timer = setInterval(() => response.write('BEGIN:VCALENDAR\r\n'), 50)
    response.once('close', () => clearInterval(timer))
  })
  match((await failure(read('/slow.ics'))).message, /0.4 s/)
})

test('downloads two calendars at a time, and lets a new subscription pass', async () => {
  const held: (() => void)[] = []
  const paths = Array.from({ length: 6 }, (_, n) => `/held-${n}.ics`)
  for (const path of paths)
    server.answers.set(path, (_, response) => void held.push(() => response.end(work)))
  server.files.set('/new.ics', work)
  const refreshes = Promise.allSettled(paths.map((path) => read(path, { isRefresh: true })))
  await waitFor('the first requests', () => held.length >= 2)
  equal(titles(await read('/new.ics')), ['Standup'])
  is(held.length, 2)
  for (let n = 0; n < paths.length; n++) {
    await waitFor(`request ${n}`, () => held.length > n)
    ok(held.length <= n + 2)
    held[n]?.()
  }
  ok((await refreshes).every(({ status }) => status === 'fulfilled'))
})

test('ends when the caller aborts', async () => {
  const controller = new AbortController()
  server.answers.set('/silent.ics', () => controller.abort(new Error('enough')))
  const error = await read('/silent.ics', { signal: controller.signal }).catch((reason: unknown) => reason)
  is((error as Error).message, 'enough')
})

test('reads a calendar with 100 000 events, and one that repeats each second', async () => {
  const many = Array.from({ length: 100_000 }, (_, n) => {
    const day = new Date(Date.UTC(2000, 0, 1) + (n % 12_000) * dayMs)
      .toISOString()
      .slice(0, 10)
      .replaceAll('-', '')
    return `BEGIN:VEVENT\r\nUID:${n}\r\nDTSTART:${day}T090000Z\r\nSUMMARY:Event ${n}\r\nEND:VEVENT`
  })
  many.push(eventText('s', '20200101T000000Z', 'Each second', 'RRULE:FREQ=SECONDLY'))
  server.files.set('/many.ics', calendarText(many))
  const { calendar } = await read('/many.ics')
  is(calendar?.occurrences.length, maxOccurrences)
  ok(calendar?.isCut)
})

test('finds the calendars with events of a CalDAV server from its address', async () => {
  server.calendars.set('work', { name: 'Work & more', events: [], tag: 1 })
  server.calendars.set('home', { name: 'Home', events: [], tag: 1 })
  const signal = new AbortController().signal
  for (const path of ['/', '/dav/', '/dav/principals/ada/', '/dav/calendars/ada/'])
    equal(await reader.find(new URL(path, server.url), login, signal), [
      { url: `${server.url}/dav/calendars/ada/home/`, name: 'Home' },
      { url: `${server.url}/dav/calendars/ada/work/`, name: 'Work & more' },
    ])
  equal(
    (await reader.find(new URL('/dav/calendars/ada/home/', server.url), login, signal)).map(
      ({ name }) => name,
    ),
    ['Home'],
  )
})

test('reads a CalDAV calendar, and does not read an unchanged one again', async () => {
  const events = ['20261201T090000Z', '20261202T090000Z'].map((start, n) =>
    calendarText([eventText(`${n}`, start, `Meeting ${n} <b>`)]),
  )
  server.calendars.set('work', { name: 'Work', events, tag: 1 })
  const first = await readDav('work')
  equal(titles(first), ['Meeting 0 <b>', 'Meeting 1 <b>'])
  is(first.calendar?.name, 'Work')
  server.requests.length = 0
  is((await readDav('work', first.version)).calendar, null)
  equal(
    server.requests.map(({ method }) => method),
    ['PROPFIND'],
  )
  server.calendars.set('work', { name: 'Work', events: [], tag: 2 })
  equal(titles(await readDav('work', first.version)), [])
})

test('reports a wrong password, and a server that does not speak CalDAV', async () => {
  const signal = new AbortController().signal
  const wrongLogin = { user: calendarUser, password: 'wrong-4712' }
  const refusal = await failure(reader.find(new URL(server.url), wrongLogin, signal))
  is(refusal.kind, 'login')
  server.answers.set('/.well-known/caldav', (_, response) => void response.end('<html></html>'))
  server.answers.set('/', (_, response) => void response.end('<html></html>'))
  match((await failure(reader.find(new URL(server.url), login, signal))).message, /not a CalDAV server/)
  match((await failure(readDav('gone'))).message, /no calendar at this address/)
})

test('does not follow a link of the server to another host with the password', async () => {
  server.answers.set(
    '/dav/',
    (_, response) =>
      void response
        .writeHead(207)
        .end(
          '<d:multistatus xmlns:d="DAV:"><d:response><d:href>/dav/</d:href><d:propstat><d:prop><c:calendar-home-set xmlns:c="urn:ietf:params:xml:ns:caldav"><d:href>http://localhost:1/x/</d:href></c:calendar-home-set></d:prop></d:propstat></d:response></d:multistatus>',
        ),
  )
  const error = await failure(reader.find(new URL('/dav/', server.url), login, new AbortController().signal))
  match(error.message, /localhost:1, which does not get your password/)
})

test('survives damaged XML, deep nesting and declared entities', async () => {
  const signal = new AbortController().signal
  const bodies = [
    '<d:multistatus><d:response><d:href>/x',
    `${'<a>'.repeat(100_000)}`,
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><d:multistatus>&b;</d:multistatus>',
    '\u0000\u0001',
  ]
  for (const body of bodies) {
    server.answers.set('/', (_, response) => void response.writeHead(207).end(body))
    server.answers.set('/.well-known/caldav', (_, response) => void response.writeHead(207).end(body))
    match((await failure(reader.find(new URL(server.url), login, signal))).message, /not a CalDAV server/)
  }
})

test.run()

/** Reads calendars of Radicale, a real CalDAV server. Skipped where it is not installed. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { waitFor } from '../../../test/calls.ts'
import { calendarText, eventText } from '../../../test/stand-ins/calendars.ts'
import type { CalendarFailed } from '../calendar-failed.ts'
import { createCalendarReader } from '../calendar-reader.ts'

const isInstalled = spawnSync('radicale', ['--version']).status === 0
if (!isInstalled) console.log('packages/calendars/test/radicale: skipped, because Radicale is not installed')
const testIfInstalled = isInstalled ? test : test.skip

const login = { user: 'ada', password: 'radicale-4711' }
const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`
const now = Date.UTC(2026, 10, 28, 12)
const dayMs = 24 * 60 * 60_000
const span = { now, from: now - 30 * dayMs, to: now + 365 * dayMs, zone: 'Europe/Berlin' }
const { signal } = new AbortController()

const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Runs with the address of a Radicale that has the calendars `work` and `tasks` of one user. */
const withRadicale = async (work: (url: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'radicale-'))
  const port = await findPort()
  const url = `http://127.0.0.1:${port}`
  await writeFile(join(folder, 'users'), `${login.user}:${login.password}\n`)
  const child = spawn(
    'radicale',
    [
      ...['--config', '', '--server-hosts', `127.0.0.1:${port}`],
      ...['--auth-type', 'htpasswd', '--auth-htpasswd-filename', join(folder, 'users')],
      ...['--auth-htpasswd-encryption', 'plain', '--storage-filesystem-folder', join(folder, 'data')],
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await waitFor('Radicale', () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    )
    await work(url)
  } finally {
    child.kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

const send = async (method: string, url: string, body: string, type = 'text/calendar') => {
  const response = await fetch(url, { method, body, headers: { authorization, 'content-type': type } })
  await response.arrayBuffer()
  return response.status
}
const makeCalendar = (url: string, name: string, component: string) =>
  send(
    'MKCALENDAR',
    url,
    `<c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop><d:displayname>${name}</d:displayname><c:supported-calendar-component-set><c:comp name="${component}"/></c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>`,
    'application/xml',
  )

testIfInstalled('finds and reads a calendar of Radicale, and sees when it changes', () =>
  withRadicale(async (url) => {
    const reader = createCalendarReader({ env: {} })
    try {
      is(await makeCalendar(`${url}/ada/work/`, 'Work &amp; more', 'VEVENT'), 201)
      is(await makeCalendar(`${url}/ada/tasks/`, 'Tasks', 'VTODO'), 201)
      const weekly = eventText(
        'w',
        '20261201T090000Z',
        'Weekly',
        'RRULE:FREQ=WEEKLY;COUNT=3',
        'EXDATE:20261208T090000Z',
      )
      is(await send('PUT', `${url}/ada/work/w.ics`, calendarText([weekly])), 201)
      is(
        await send(
          'PUT',
          `${url}/ada/work/old.ics`,
          calendarText([eventText('o', '20100101T090000Z', 'Old')]),
        ),
        201,
      )

      const calendars = await reader.find(new URL(url), login, signal)
      equal(calendars, [{ url: `${url}/ada/work/`, name: 'Work & more' }])
      const address = { kind: 'caldav', url: new URL(`${url}/ada/work/`), login } as const
      const first = await reader.read(address, { ...span, known: null, signal })
      equal(
        first.calendar?.occurrences.map(
          ({ start, title }) => `${new Date(start).toISOString().slice(0, 10)} ${title}`,
        ),
        ['2026-12-01 Weekly', '2026-12-15 Weekly'],
      )
      is(first.calendar?.name, 'Work & more')
      is((await reader.read(address, { ...span, known: first.version, signal })).calendar, null)
      is(
        await send('PUT', `${url}/ada/work/n.ics`, calendarText([eventText('n', '20261203T090000Z', 'New')])),
        201,
      )
      const second = await reader.read(address, { ...span, known: first.version, signal })
      is(second.calendar?.occurrences.length, 3)

      // The whole calendar as a file, with a login.
      const file = { kind: 'ics', url: new URL(`${url}/ada/work/`), login } as const
      is((await reader.read(file, { ...span, known: null, signal })).calendar?.occurrences.length, 3)

      const refusal = await reader
        .find(new URL(url), { ...login, password: 'wrong' }, signal)
        .catch((error: unknown) => error)
      match((refusal as CalendarFailed).message, /refuses the user name or the password/)
    } finally {
      await reader.close()
    }
  }),
)

test.run()

/** Subscribed calendars over HTTP: subscribe, events, secrets, refresh, failures, end. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import {
  calendarPassword,
  calendarText,
  calendarUser,
  eventText,
  openCalendarServer,
} from '../stand-ins/calendars.ts'
import { json, shareSetup, unknownPersona } from './setup.ts'

const server = await openCalendarServer()
const setup = shareSetup(test)
test.after(() => server.close())
test.before.each(() => {
  server.answers.clear()
  server.files.clear()
  server.calendars.clear()
  server.requests.length = 0
})

const dayMs = 24 * 60 * 60_000
const stamp = (days: number) =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 19).replace(/[-:]/g, '').concat('Z')
const date = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
const token = 'private-8c2f4711deadbeef'
const path = `/calendar/ical/${token}/basic.ics`

const remove = async (target: string) => {
  const { status, text } = await setup.send({ method: 'DELETE', path: target })
  return [status, JSON.parse(text)] as const
}
const listEvents = async (home: string) =>
  (await setup.get(`${home}/calendar?start=${date(-1)}&end=${date(30)}&subscribed=true`))[1].subscribed
const subscribe = (home: string, body: object = {}) =>
  setup.post(`${home}/calendar/subscriptions`, { address: `${server.url}${path}`, ...body })
const getFolder = (home: string) => join(setup.daemon.home, 'personas', home.split('/').at(-1) ?? '')

test('subscribes to a file, lists its events on request only, and shows no secret', async () => {
  const home = await setup.home()
  server.files.set(path, calendarText([eventText('1', stamp(2), 'Dentist', 'LOCATION:Main Street')]))
  const [status, subscription] = await subscribe(home)
  is(status, 200)
  equal(
    [subscription.kind, subscription.name, subscription.host, subscription.error, subscription.events],
    ['ics', 'Work', `127.0.0.1:${server.port}`, null, 1],
  )
  ok(Date.parse(subscription.refreshed_at) > Date.now() - 60_000)
  const [event] = await listEvents(home)
  equal(
    [event.title, event.place, event.calendar],
    ['Dentist', 'Main Street', { id: subscription.id, name: 'Work' }],
  )
  const [, plain] = await setup.get(`${home}/calendar?start=${date(-1)}&end=${date(30)}`)
  equal(Object.keys(plain), ['start', 'end', 'history', 'destiny'])
  equal(plain.destiny, { schedule: [], reminder: [] })

  const [, list] = await setup.get(`${home}/calendar/subscriptions`)
  equal(list, { subscriptions: [subscription] })
  const facts = (await setup.facts(home.split('/').at(-1) ?? '')).join('\n')
  for (const text of [JSON.stringify(subscription), JSON.stringify(list), facts]) not.match(text, token)
  match(facts, 'CalendarSubscribed')
  not.match(facts, 'Dentist')
  const [, diagnosis] = await setup.get(`${home}/diagnose`)
  equal(diagnosis.calendars[0].state, 'well')
  match((await readFile(join(getFolder(home), 'secrets'))).toString('latin1'), token)
})

test('accepts webcal addresses and a name', async () => {
  const home = await setup.home()
  // A webcal address means https, which this server does not speak.
  const [status, { detail }] = await subscribe(home, {
    address: `webcal://127.0.0.1:${server.port}${path}`,
    name: 'Family',
  })
  is(status, 400)
  match(detail, `127.0.0.1:${server.port}`)
  not.match(detail, token)
})

test('ends a subscription with its events and its address', async () => {
  const home = await setup.home()
  server.files.set(path, calendarText([eventText('1', stamp(2), 'Dentist')]))
  const [, { id }] = await subscribe(home)
  equal(await readdir(join(getFolder(home), 'calendars')), [`${id}.events.json`, `${id}.json`])
  equal(await remove(`${home}/calendar/subscriptions/${id}`), [200, null])
  equal(await listEvents(home), [])
  await waitFor(
    'the events to be deleted',
    async () => (await readdir(join(getFolder(home), 'calendars'))).length === 0,
  )
  await waitFor(
    'the address to be deleted',
    async () => !(await readFile(join(getFolder(home), 'secrets'))).toString('latin1').includes(token),
  )
  is((await remove(`${home}/calendar/subscriptions/${id}`))[0], 404)
  is((await setup.post(`${home}/calendar/subscriptions/${id}/refresh`))[0], 404)
})

test('keeps the events when the server fails, reports it, and recovers', async () => {
  const home = await setup.home()
  server.files.set(path, calendarText([eventText('1', stamp(2), 'Dentist')]))
  const [, { id }] = await subscribe(home)
  server.answers.set(path, (_, response) => void response.writeHead(500).end())
  const [status, failing] = await setup.post(`${home}/calendar/subscriptions/${id}/refresh`)
  is(status, 200)
  is(failing.error, `127.0.0.1:${server.port}: the server answers with status 500.`)
  is((await listEvents(home)).length, 1)
  const [, diagnosis] = await setup.get(`${home}/diagnose`)
  const [{ state, reason, kind }] = diagnosis.calendars
  equal([state, reason, kind, failing.error_kind], ['failing', failing.error, 'unreachable', 'unreachable'])
  server.answers.clear()
  server.files.set(
    path,
    calendarText([eventText('1', stamp(2), 'Dentist'), eventText('2', stamp(3), 'Concert')]),
  )
  const [, well] = await setup.post(`${home}/calendar/subscriptions/${id}/refresh`)
  equal([well.error, well.events], [null, 2])
})

test('finds the calendars of a CalDAV server and subscribes to one', async () => {
  const home = await setup.home()
  const login = { user: calendarUser, password: calendarPassword }
  server.calendars.set('work', {
    name: 'Work',
    events: [calendarText([eventText('1', stamp(1), 'Meeting')])],
    tag: 1,
  })
  const [status, found] = await setup.post(`${home}/calendar/subscriptions/find`, {
    address: server.url,
    ...login,
  })
  equal(
    [status, found],
    [200, { calendars: [{ address: `${server.url}/dav/calendars/ada/work/`, name: 'Work' }] }],
  )
  const [, subscription] = await subscribe(home, { kind: 'caldav', ...found.calendars[0], ...login })
  equal([subscription.kind, subscription.name, subscription.events], ['caldav', 'Work', 1])
  equal(
    (await listEvents(home)).map(({ title }: { title: string }) => title),
    ['Meeting'],
  )
  const facts = (await setup.facts(home.split('/').at(-1) ?? '')).join('\n')
  not.match(facts, calendarPassword)
  not.match(JSON.stringify(subscription), calendarPassword)
  const wrong = await setup.post(`${home}/calendar/subscriptions/find`, {
    address: server.url,
    user: 'ada',
    password: 'nope-4713',
  })
  equal(wrong, [
    400,
    { detail: `127.0.0.1:${server.port}: the server refuses the user name or the password (status 401).` },
  ])
})

test('refuses addresses and bodies that are wrong', async () => {
  const home = await setup.home()
  for (const address of [
    'calendar.ics',
    'ftp://x.example/a.ics',
    'file:///etc/passwd',
    'https://',
    'javascript:1',
  ])
    is((await subscribe(home, { address }))[0], 400)
  match(
    (await subscribe(home, { address: `http://ada:${token}@127.0.0.1/a.ics` }))[1].detail,
    /must not contain/,
  )
  is((await subscribe(home, { kind: 'caldav' }))[0], 400)
  is((await subscribe(home, { user: 'ada' }))[0], 400)
  is((await subscribe(home, { address: `https://x.example/${'a'.repeat(3000)}` }))[0], 422)
  is((await subscribe(home, { address: 7 }))[0], 422)
  is((await subscribe(home, { kind: 'exchange' }))[0], 422)
  match((await subscribe(home))[1].detail, /no calendar at this address \(status 404\)/)
  match((await subscribe(home, { address: setup.daemon.url }))[1].detail, /Daimon itself/)
  const big = await setup.send({
    method: 'POST',
    path: `${home}/calendar/subscriptions`,
    headers: json,
    body: JSON.stringify({ address: 'x'.repeat(2_000_000) }),
  })
  is(big.status, 413)
  equal((await setup.get(`${home}/calendar/subscriptions`))[1], { subscriptions: [] })
  is((await subscribe('/api/persona/none'))[0], 404)
  equal(await setup.get('/api/persona/none/calendar/subscriptions'), unknownPersona)
})

test('does not echo an address, which may contain a token, when it refuses a body', async () => {
  const home = await setup.home()
  const address = `https://x.example/${token}/basic.ics`
  for (const target of ['subscriptions', 'subscriptions/find'])
    for (const body of [
      { address: `${address}${'a'.repeat(3000)}`, user: 'ada', password: 'p' },
      { address: [address], user: 'ada', password: 'p' },
      { address: `${address}\ud800`, user: 'ada', password: 'p' },
      { url: address },
      { address, kind: 'exchange', user: 7 },
      [address],
      address,
    ]) {
      const [status, answer] = await setup.post(`${home}/calendar/${target}`, body)
      is(status, 422)
      not.match(JSON.stringify(answer), token)
    }
})

test('subscribes once to the same address, also when two clients ask at once', async () => {
  const home = await setup.home()
  server.files.set(path, calendarText([]))
  const answers = await Promise.all([subscribe(home), subscribe(home), subscribe(home)])
  equal(answers.map(([status]) => status).sort(), [200, 409, 409])
  is((await setup.get(`${home}/calendar/subscriptions`))[1].subscriptions.length, 1)
})

test('has room for 20 calendars', async () => {
  const home = await setup.home()
  for (let n = 0; n < 21; n++) server.files.set(`/${n}.ics`, calendarText([], `Calendar ${n}`))
  for (let n = 0; n < 20; n++) is((await subscribe(home, { address: `${server.url}/${n}.ics` }))[0], 200)
  match((await subscribe(home, { address: `${server.url}/20.ics` }))[1].detail, /20 calendars already/)
})

test('stores nothing when the client leaves before the server answers', async () => {
  const home = await setup.home()
  let isAsked = false
  server.answers.set(path, () => {
    isAsked = true
  })
  const controller = new AbortController()
  const request = fetch(`${setup.daemon.url}${home}/calendar/subscriptions`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ address: `${server.url}${path}` }),
    signal: controller.signal,
  }).catch(() => null)
  await waitFor('the request', () => isAsked)
  controller.abort()
  await request
  equal((await setup.get(`${home}/calendar/subscriptions`))[1], { subscriptions: [] })
  not.match((await setup.facts(home.split('/').at(-1) ?? '')).join('\n'), 'CalendarSubscribed')
})

test('keeps subscriptions over a restart and asks the server again, but gives a fork none', async () => {
  const home = await tempHome()
  const models = standIn()
  models.offered = ['llama']
  server.files.set(path, calendarText([eventText('1', stamp(2), 'Dentist')]))
  let daemon = await startDaemon({ home, models })
  try {
    const ada = { name: 'Ada', thinking_model: 'llama' }
    const { id } = (await call(daemon.url, 'POST', '/api/persona/create', ada)).body.persona
    const subscriptions = `/api/persona/${id}/calendar/subscriptions`
    const { body: before } = await call(daemon.url, 'POST', subscriptions, { address: server.url + path })
    await daemon.close()
    server.requests.length = 0
    daemon = await startDaemon({ home, models })
    await waitFor('the refresh at the start', async () => {
      const [state] = (await call(daemon.url, 'GET', subscriptions)).body.subscriptions
      return state.id === before.id && state.refreshed_at > before.refreshed_at
    })
    equal(
      server.requests.map(({ method, headers }) => [method, headers['if-none-match'] !== undefined]),
      [['GET', true]],
    )
    const fork = await call(daemon.url, 'POST', `/api/persona/${id}/fork`, { name: 'Eve' })
    is(fork.status, 200)
    const forkPath = `/api/persona/${fork.body.persona.id}/calendar/subscriptions`
    equal((await call(daemon.url, 'GET', forkPath)).body, { subscriptions: [] })
    is((await call(daemon.url, 'GET', subscriptions)).body.subscriptions.length, 1)
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
})

test('says that the address of a calendar is gone if the secrets file was lost', async () => {
  const home = await tempHome()
  const models = standIn()
  models.offered = ['llama']
  server.files.set(path, calendarText([eventText('1', stamp(2), 'Dentist')]))
  let daemon = await startDaemon({ home, models })
  try {
    const ada = { name: 'Ada', thinking_model: 'llama' }
    const { id } = (await call(daemon.url, 'POST', '/api/persona/create', ada)).body.persona
    const subscriptions = `/api/persona/${id}/calendar/subscriptions`
    const { body } = await call(daemon.url, 'POST', subscriptions, { address: server.url + path })
    await daemon.close()
    await rm(join(home, 'personas', id, 'secrets'))
    daemon = await startDaemon({ home, models })
    const { body: failing } = await call(daemon.url, 'POST', `${subscriptions}/${body.id}/refresh`)
    is(failing.error_kind, 'password_missing')
    match(failing.error, /its stored address is gone/)
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
})

test('deletes the events with the persona', async () => {
  const home = await setup.home()
  server.files.set(path, calendarText([eventText('1', stamp(2), 'Dentist')]))
  await subscribe(home)
  const folder = getFolder(home)
  is((await setup.post(`${home}/delete`))[0], 200)
  const entries = await readdir(folder).catch(() => [])
  equal(entries, [])
})

test.run()

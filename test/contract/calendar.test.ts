/** …/calendar: past and planned entries, changes by the user, and the iCalendar feed. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventOf, PersonaEvent } from '../../facts/facts.ts'
import { getInner, getTextValue, readCalendar } from '../calendar/reader.ts'
import { createFakeClock } from '../clock.ts'
import { createHome } from '../create-journal.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { ask } from '../http/try.ts'
import { isValid } from './schema.ts'
import { type Answer, invalidBody, json, shareSetup, unknownPersona } from './setup.ts'

const berlin = 'Europe/Berlin'
const clock = createFakeClock('2026-11-23T10:15:00+01:00', berlin)
const setup = shareSetup(test, { clock })

const send = async (
  method: string,
  path: string,
  body?: unknown,
  port = setup.daemon.port,
): Promise<Answer> => {
  const bodyFields = body === undefined ? {} : { body: JSON.stringify(body), headers: json }
  const { status, text } = await ask(port, { method, path, ...bodyFields })
  return [status, JSON.parse(text)]
}
const wholeRange = '?start=2000-01-01&end=2100-01-01'
const unknownEntry: Answer = [404, { detail: 'Entry not found.' }]

// --- Past entries, in a journal written by this test

type PlannedEntry = EventOf<'EntryPlanned'>
const planEntry = (id: string, wall: string, fields: Partial<PlannedEntry> = {}): PlannedEntry => ({
  type: 'EntryPlanned',
  id,
  kind: 'reminder',
  wall: `${wall}:00`,
  zone: berlin,
  content: `the ${id}`,
  recurrence: null,
  anchor: `${wall}:00`,
  ...fields,
})
const closeDay = (endTime: string, summary: string): PersonaEvent => ({
  type: 'DayClosed',
  after: 0,
  upTo: 1,
  began: Date.parse(endTime) - 1000,
  ended: Date.parse(endTime),
  summary,
  by: 'mind',
})
const daily = { recurrence: 'daily', anchor: '2026-10-20T09:00:00' } as const
const entryDue = (id: string): PersonaEvent => ({ type: 'EntryDue', id })

let pastDaemon: TestDaemon
let home: string
test.before(async () => {
  home = await createHome([
    {
      at: '2026-10-20T09:00:00+02:00',
      events: [
        planEntry('tea', '2026-10-26T09:00', daily),
        planEntry('letter', '2026-10-25T02:30', { kind: 'schedule' }),
        planEntry('rent', '2026-12-01T09:00'),
        planEntry('flight', '2026-12-01T08:00', { kind: 'schedule', zone: 'America/New_York' }),
        planEntry('waits', '2026-11-20T09:00'),
        planEntry('trip', '2026-12-05T09:00', { kind: 'schedule', allDay: true }),
      ],
    },
    {
      at: '2026-10-26T09:00:30+01:00',
      events: [entryDue('tea'), planEntry('tea2', '2026-12-02T09:00', { ...daily, content: 'the tea' })],
    },
    // The laptop was asleep: reported late.
    { at: '2026-10-27T08:00:00+01:00', events: [entryDue('letter')] },
    {
      at: '2026-10-26T03:00:00+01:00',
      events: [
        closeDay('2026-10-24T22:00:00+02:00', 'We met.'),
        closeDay('2026-10-25T22:00:00+01:00', 'Sunday.'),
      ],
    },
    { at: '2026-11-20T09:00:10+01:00', events: [entryDue('waits')] },
  ])
  pastDaemon = await startDaemon({ home, clock })
})
test.after(async () => {
  await pastDaemon.close()
  await rm(home, { recursive: true })
})
const getCalendar = (query: string) =>
  send('GET', `/api/persona/ada/calendar${query}`, undefined, pastDaemon.port)

test('returns past and planned entries at the time they were due, with the offset of that time', async () => {
  assert.equal(await getCalendar(wholeRange), [
    200,
    {
      start: '2000-01-01',
      end: '2100-01-01',
      history: {
        conversation: [
          { time: '2026-10-24T22:00:00.000+02:00', body: 'We met.' },
          { time: '2026-10-25T22:00:00.000+01:00', body: 'Sunday.' },
        ],
        schedule: [
          { id: 'letter', time: '2026-10-25T02:30:00.000+02:00', body: 'the letter', recurrence: null },
        ],
        reminder: [
          { id: 'tea', time: '2026-10-26T09:00:00.000+01:00', body: 'the tea', recurrence: 'daily' },
          { id: 'waits', time: '2026-11-20T09:00:00.000+01:00', body: 'the waits', recurrence: null },
        ],
      },
      destiny: {
        schedule: [
          { id: 'flight', time: '2026-12-01T08:00:00.000-05:00', body: 'the flight', recurrence: null },
          {
            id: 'trip',
            time: '2026-12-05T09:00:00.000+01:00',
            body: 'the trip',
            recurrence: null,
            all_day: true,
          },
        ],
        reminder: [
          { id: 'rent', time: '2026-12-01T09:00:00.000+01:00', body: 'the rent', recurrence: null },
          { id: 'tea2', time: '2026-12-02T09:00:00.000+01:00', body: 'the tea', recurrence: 'daily' },
        ],
      },
    },
  ])
})

test('includes the start of a range and excludes its end, given as day, minute or with an offset', async () => {
  const ids = async (start: string, end: string) => {
    const [status, { history, destiny, ...range }] = await getCalendar(`?start=${start}&end=${end}`)
    assert.equal([status, range], [200, { start: start.replace('+', ' '), end: end.replace('+', ' ') }])
    return [history.conversation, history.schedule, history.reminder, destiny.schedule, destiny.reminder]
      .map((list) => list.map(({ id, body }: Record<string, string>) => id ?? body).join(' '))
      .join('|')
  }
  assert.is(await ids('2026-10-24', '2026-10-25'), 'We met.||||')
  assert.is(await ids('2026-10-25', '2026-10-26'), 'Sunday.|letter|||')
  assert.is(await ids('2026-10-26T09:00', '2026-10-26T09:01'), '||tea||')
  assert.is(await ids('2026-10-26T08:00', '2026-10-26T09:00'), '||||')
  assert.is(await ids('2026-10-26T08:00:00Z', '2026-10-26T08:00:01Z'), '||tea||')
  assert.is(await ids('2026-10-26T10:00+02:00', '2026-10-26T10:30+02:00'), '||tea||')
  assert.is(await ids('2026-12-01T14:00', '2026-12-02'), '|||flight|')
  assert.is(await ids('2026-12-02', '2027-12-02'), '|||trip|tea2')
  assert.is(await ids('2026-12-02', '2026-10-24'), '||||')
  assert.is(await ids('2026-10-24', '2026-10-24'), '||||')
})

test('requires both start and end and rejects invalid dates', async () => {
  const createMissing = (name: string, input: object) =>
    invalidBody('missing', ['query', name], 'Field required', { input })
  assert.equal(await getCalendar('?start=2026-01-01'), createMissing('end', { start: '2026-01-01' }))
  assert.equal(await getCalendar('?end=2026-01-01'), createMissing('start', { end: '2026-01-01' }))
  assert.is((await getCalendar(''))[1].detail.length, 2)
  for (const no of ['', 'tomorrow', '2026-02-30', '2026-11-24T25:00', '1767225600', '2026-11-24T09:00+99:00'])
    for (const query of [
      `?start=${encodeURIComponent(no)}&end=2026-01-01`,
      `?start=2026-01-01&end=${encodeURIComponent(no)}`,
    ])
      assert.equal(await getCalendar(query), [400, { detail: 'start and end must be ISO dates' }], query)
  assert.equal(await send('GET', `/api/persona/nobody/calendar${wholeRange}`), unknownPersona)
  assert.equal(await send('GET', '/api/persona/nobody/calendar?start=x&end=y'), unknownPersona)
  assert.is((await send('GET', '/api/persona/nobody/calendar'))[0], 422)
})

// --- Entries created and changed by the user

const postEntry = (personaPath: string, body: object) => send('POST', `${personaPath}/calendar`, body)
const createEntry = async (personaPath: string, body: object) => {
  const [status, entry] = await postEntry(personaPath, body)
  assert.is(status, 200, JSON.stringify(entry))
  return entry
}
const patchEntry = (personaPath: string, id: string, body: object) =>
  send('PATCH', `${personaPath}/calendar/${id}`, body)

test('creates, changes and deletes an entry, whether the persona runs or not', async () => {
  const personaPath = await setup.home()
  for (const action of ['start', 'stop']) {
    await setup.post(`${personaPath}/${action}`)
    const entry = await createEntry(personaPath, { when: '2026-11-24T09:00', content: ' tea ' })
    assert.match(entry.id, /^p[0-9a-f]{8}$/)
    const wholeEntry = {
      id: entry.id,
      kind: 'reminder',
      time: '2026-11-24T09:00:00.000+01:00',
      when: '2026-11-24T09:00:00',
      zone: berlin,
      body: 'tea',
      recurrence: null,
    }
    assert.equal(entry, wholeEntry)
    const { kind: _, when: __, zone: ___, ...listedEntry } = wholeEntry
    assert.equal((await setup.get(`${personaPath}/calendar${wholeRange}`))[1].destiny, {
      schedule: [],
      reminder: [listedEntry],
    })
    const movedEntry = {
      ...wholeEntry,
      kind: 'schedule',
      time: '2026-11-25T10:30:00.000+01:00',
      when: '2026-11-25T10:30:00',
      body: 'cake',
    }
    assert.equal(
      await patchEntry(personaPath, entry.id, {
        when: '2026-11-25T10:30',
        content: 'cake',
        kind: 'schedule',
      }),
      [200, movedEntry],
    )
    assert.equal(
      (await setup.get(`${personaPath}/calendar${wholeRange}`))[1].destiny.schedule[0].body,
      'cake',
    )
    assert.equal(await send('DELETE', `${personaPath}/calendar/${entry.id}`), [200, null])
    assert.equal((await setup.get(`${personaPath}/calendar${wholeRange}`))[1].destiny, {
      schedule: [],
      reminder: [],
    })
    assert.equal(await send('DELETE', `${personaPath}/calendar/${entry.id}`), unknownEntry)
    assert.equal(await patchEntry(personaPath, entry.id, { content: 'x' }), unknownEntry)
  }
})

test('reads a time in the zone of the entry and converts one with an offset into it', async () => {
  const personaPath = await setup.home()
  const getWhen = async (body: object) => {
    const { when, zone, time } = await createEntry(personaPath, { content: 'x', ...body })
    return `${when} ${zone} ${time.replace('.000', '')}`
  }
  assert.is(
    await getWhen({ when: '2026-11-24T09:00:30Z' }),
    `2026-11-24T10:00:30 ${berlin} 2026-11-24T10:00:30+01:00`,
  )
  assert.is(
    await getWhen({ when: '2026-11-24T09:00-0500' }),
    `2026-11-24T15:00:00 ${berlin} 2026-11-24T15:00:00+01:00`,
  )
  assert.is(
    await getWhen({ when: '2026-11-24T09:00', zone: 'america/new_york' }),
    '2026-11-24T09:00:00 America/New_York 2026-11-24T09:00:00-05:00',
  )
  assert.is(
    await getWhen({ when: '2026-11-24T09:00Z', zone: 'Asia/Kolkata' }),
    '2026-11-24T14:30:00 Asia/Kolkata 2026-11-24T14:30:00+05:30',
  )
  // An hour that the clock change skips, and the first and the second of two equal hours.
  assert.is(
    await getWhen({ when: '2027-03-28T02:30' }),
    `2027-03-28T02:30:00 ${berlin} 2027-03-28T03:30:00+02:00`,
  )
  assert.is(
    await getWhen({ when: '2027-10-31T02:30+02:00' }),
    `2027-10-31T02:30:00 ${berlin} 2027-10-31T02:30:00+02:00`,
  )
  assert.is(
    await getWhen({ when: '2027-10-31T02:30+01:00' }),
    '2027-10-31T01:30:00 UTC 2027-10-31T01:30:00+00:00',
  )
})

// Fails if a recurring entry is planned for the first of the two hours.
test('plans nothing before the requested instant, and starts a recurrence with its first occurrence', async () => {
  const personaPath = await setup.home()
  const ambiguousEntry = { when: '2027-10-31T02:30+01:00', content: 'x' }
  const times = async (body: object) => {
    const { when, time, zone } = await createEntry(personaPath, { ...ambiguousEntry, ...body })
    return `${when} ${time.slice(-6)} ${zone}`
  }
  assert.is(await times({ recurrence: 'daily' }), `2027-11-01T02:30:00 +01:00 ${berlin}`)
  assert.is(await times({ recurrence: 'weekly', zone: berlin }), `2027-11-07T02:30:00 +01:00 ${berlin}`)
  assert.is(await times({ recurrence: 'monthly' }), `2027-11-30T02:30:00 +01:00 ${berlin}`)
  assert.is(await times({ recurrence: 'hourly' }), `2027-10-31T03:30:00 +01:00 ${berlin}`)
  assert.is(
    await times({ when: '2027-10-31T02:30+02:00', recurrence: 'daily' }),
    `2027-10-31T02:30:00 +02:00 ${berlin}`,
  )
  assert.is(
    await times({ when: '2027-10-31T00:30Z', recurrence: 'daily' }),
    `2027-10-31T02:30:00 +02:00 ${berlin}`,
  )
  assert.is(
    await times({ when: '2027-04-04T01:45+10:30', zone: 'Australia/Lord_Howe' }),
    '2027-04-03T15:15:00 +00:00 UTC',
  )
  // Also if an entry at the first of the two hours is moved to the second.
  const { id } = await createEntry(personaPath, {
    ...ambiguousEntry,
    when: '2027-10-31T02:30',
    recurrence: 'daily',
  })
  assert.is((await patchEntry(personaPath, id, { when: ambiguousEntry.when }))[1].when, '2027-11-01T02:30:00')
  assert.is(
    (await patchEntry(personaPath, id, { recurrence: null, when: ambiguousEntry.when }))[1].zone,
    'UTC',
  )
  const feed = async () =>
    getInner(readCalendar((await setup.send({ path: `${personaPath}/calendar.ics` })).text), 'VEVENT')
  const getEntryStart = async (body: object) => {
    const { id } = await createEntry(personaPath, { content: 'x', ...body })
    const event = (await feed()).find((item) => getTextValue(item, 'UID').startsWith(id))
    return event && getTextValue(event, 'DTSTART')
  }
  assert.is(await getEntryStart({ when: '2020-01-01T09:00', recurrence: 'daily' }), '20261124T090000')
  assert.is(await getEntryStart({ when: '2020-01-01T09:00', recurrence: 'weekly' }), '20261125T090000')
  assert.is(await getEntryStart({ when: '2020-01-01T09:30', recurrence: 'hourly' }), '20261123T093000Z')
  assert.is(await getEntryStart({ when: '2020-02-29T09:00', recurrence: 'yearly' }), '20200229T090000')
  assert.is(await getEntryStart({ when: ambiguousEntry.when, recurrence: 'daily' }), '20271101T023000')
})

test('moves an entry to another zone and keeps its wall-clock time', async () => {
  const personaPath = await setup.home()
  const york = 'America/New_York'
  const { id } = await createEntry(personaPath, { when: '2026-11-24T09:00', content: 'tea' })
  const moveEntry = async (body: object, entry = id) => {
    const [status, { when, zone, time }] = await patchEntry(personaPath, entry, body)
    return `${status} ${when} ${zone} ${time?.slice(-6)}`
  }
  assert.is(await moveEntry({ zone: 'america/new_york' }), `200 2026-11-24T09:00:00 ${york} -05:00`)
  assert.is(await moveEntry({ content: 'cake' }), `200 2026-11-24T09:00:00 ${york} -05:00`)
  assert.is(
    await moveEntry({ zone: 'Asia/Tokyo', when: '2026-11-25T10:00' }),
    '200 2026-11-25T10:00:00 Asia/Tokyo +09:00',
  )
  assert.is(
    await moveEntry({ zone: 'UTC', when: '2026-11-25T10:00+09:00' }),
    '200 2026-11-25T01:00:00 UTC +00:00',
  )
  assert.is(await moveEntry({ zone: null }), `200 2026-11-25T01:00:00 ${berlin} +01:00`)
  // A time that is already past in the new zone.
  assert.is(await moveEntry({ when: '2026-11-23T12:00' }), `200 2026-11-23T12:00:00 ${berlin} +01:00`)
  assert.equal(await patchEntry(personaPath, id, { zone: 'Asia/Tokyo' }), [
    400,
    { detail: '2026-11-23T12:00:00 is in the past. Give a time in the future, or a recurrence.' },
  ])
  const rent = await createEntry(personaPath, {
    when: '2026-01-31T09:00',
    content: 'rent',
    recurrence: 'monthly',
  })
  assert.is(
    await moveEntry({ zone: york, when: rent.when }, rent.id),
    `200 2026-11-30T09:00:00 ${york} -05:00`,
  )
  const tea = await createEntry(personaPath, {
    when: '2026-11-23T12:00',
    content: 'tea',
    recurrence: 'daily',
  })
  assert.is(await moveEntry({ zone: 'Asia/Tokyo' }, tea.id), '200 2026-11-24T12:00:00 Asia/Tokyo +09:00')
  const anchors = (await setup.facts(personaPath.split('/')[3] ?? '')).flatMap((text) => {
    const { title, details } = JSON.parse(text)
    return title === 'EntryMoved' && details.recurrence ? [details.anchor] : []
  })
  assert.equal(anchors, ['2026-01-31T09:00:00', '2026-11-24T12:00:00'])
})

test('plans the next occurrence of a recurrence, counted from the requested start', async () => {
  const personaPath = await setup.home()
  const rent = await createEntry(personaPath, {
    when: '2026-01-31T09:00',
    content: 'rent',
    recurrence: 'monthly',
  })
  assert.is(rent.when, '2026-11-30T09:00:00')
  const anchors = async () =>
    (await setup.facts(personaPath.split('/')[3] ?? '')).flatMap((text) => {
      const { title, details } = JSON.parse(text)
      return ['EntryPlanned', 'EntryMoved'].includes(title) ? [`${details.wall} from ${details.anchor}`] : []
    })
  // A new text keeps the anchor on the 31st, also if the unchanged time is sent with it. Another time or
  // another recurrence moves the anchor.
  assert.is((await patchEntry(personaPath, rent.id, { content: 'the rent' }))[1].when, '2026-11-30T09:00:00')
  assert.is(
    (await patchEntry(personaPath, rent.id, { content: 'my rent', when: '2026-11-30T09:00' }))[1].recurrence,
    'monthly',
  )
  assert.is((await patchEntry(personaPath, rent.id, { content: 'my rent' }))[0], 200)
  assert.is(
    (await patchEntry(personaPath, rent.id, { when: '2026-10-29T08:00' }))[1].when,
    '2026-11-29T08:00:00',
  )
  assert.is((await patchEntry(personaPath, rent.id, { recurrence: 'weekly' }))[1].recurrence, 'weekly')
  assert.is((await patchEntry(personaPath, rent.id, { recurrence: null }))[1].recurrence, null)
  assert.equal(await anchors(), [
    '2026-11-30T09:00:00 from 2026-01-31T09:00:00',
    '2026-11-30T09:00:00 from 2026-01-31T09:00:00',
    '2026-11-30T09:00:00 from 2026-01-31T09:00:00',
    '2026-11-29T08:00:00 from 2026-11-29T08:00:00',
    '2026-11-29T08:00:00 from 2026-11-29T08:00:00',
    '2026-11-29T08:00:00 from 2026-11-29T08:00:00',
  ])
})

test('refuses invalid entries with a reason and writes nothing', async () => {
  const personaPath = await setup.home()
  const { id } = await createEntry(personaPath, { when: '2026-12-24T18:00', content: 'presents' })
  const tea = { when: '2026-11-24T09:00', content: 'tea' }
  const dateAlone = 'A date alone is not enough. Add a time, as in 2026-11-24T09:00.'
  const noWhen = 'when must be a local date and time such as 2026-11-24T09:00, or one with an offset.'
  const unreal = 'This day or hour does not exist. Give one that does, such as 2026-11-24T09:00.'
  const tooFar = 'That is too far away: give a time from 1970 to 9998.'
  const createPastError = (wall: string) =>
    `${wall} is in the past. Give a time in the future, or a recurrence.`
  for (const [changes, detail] of [
    [{ when: '2026-11-24' }, dateAlone],
    ...['', 'tomorrow', '2026-11-24 09:00', '09:00', '2026-11-24T09', '10000-01-01T09:00'].map(
      (wall) => [{ when: wall }, noWhen] as const,
    ),
    ...['2026-02-30', '2026-02-30T09:00', '2026-13-01T09:00Z', '2026-11-24T24:01', '2026-11-24T09:60'].map(
      (wall) => [{ when: wall }, unreal] as const,
    ),
    ...[
      '9999-12-31T23:59',
      '9999-01-01T00:00',
      '9998-12-31T23:59Z',
      '1969-12-31T23:59',
      '0000-01-01T00:00+14:00',
    ].map((wall) => [{ when: wall, recurrence: 'yearly' }, tooFar] as const),
    [{ when: '2026-11-23T10:15' }, createPastError('2026-11-23T10:15:00')],
    [{ when: '2026-11-23T09:14Z' }, createPastError('2026-11-23T10:14:00')],
    [{ content: ' \n' }, 'An entry needs a text.'],
    [{ content: 'x'.repeat(1001) }, 'The entry is too long: 1000 characters at most.'],
  ] as const) {
    assert.equal(
      await postEntry(personaPath, { ...tea, ...changes }),
      [400, { detail }],
      JSON.stringify(changes),
    )
    assert.equal(await patchEntry(personaPath, id, changes), [400, { detail }], JSON.stringify(changes))
  }
  const noZone: Answer = [400, { detail: 'zone must be the name of a time zone, such as Europe/Berlin.' }]
  for (const zone of ['', 'Berlin', 'local', 'utc+3', '+01:00', 'Mars/Base', `${'x'.repeat(5000)}`]) {
    assert.equal(await postEntry(personaPath, { ...tea, zone }), noZone, zone)
    assert.equal(await patchEntry(personaPath, id, { zone }), noZone, zone)
  }
  for (const body of [
    { content: 'x' },
    { when: tea.when },
    { ...tea, kind: 'alarm' },
    { ...tea, recurrence: 'often' },
    { ...tea, when: 5 },
    [],
  ])
    assert.is((await postEntry(personaPath, body))[0], 422, JSON.stringify(body))
  for (const body of [{ kind: null }, { when: null }, { content: 5 }, { recurrence: 'often' }, { zone: 5 }])
    assert.is((await patchEntry(personaPath, id, body))[0], 422, JSON.stringify(body))
  assert.is((await setup.get(`${personaPath}/calendar${wholeRange}`))[1].destiny.reminder.length, 1)
  assert.equal((await patchEntry(personaPath, id, {}))[1].body, 'presents')
  for (const [method, path] of [
    ['POST', 'calendar'],
    ['PATCH', 'calendar/p1'],
    ['DELETE', 'calendar/p1'],
  ] as const)
    assert.equal(
      await send(method, `/api/persona/nobody/${path}`, method === 'DELETE' ? undefined : tea),
      unknownPersona,
    )
  assert.equal(await patchEntry(personaPath, '__proto__', tea), unknownEntry)
  assert.equal(await send('DELETE', `${personaPath}/calendar/constructor`), unknownEntry)
})

test('does not change a due entry, and deletes it until it is reported', async () => {
  const sendEntry = (method: string, id: string, body?: object) =>
    send(method, `/api/persona/ada/calendar/${id}`, body, pastDaemon.port)
  assert.equal(await sendEntry('PATCH', 'waits', { content: 'x' }), unknownEntry)
  assert.equal(await sendEntry('DELETE', 'waits'), [200, null])
  assert.equal(await sendEntry('DELETE', 'waits'), unknownEntry)
  const [, { history }] = await getCalendar('?start=2026-11-20&end=2026-11-21')
  assert.equal(history.reminder, [])
})

test('applies concurrent changes of one entry', async () => {
  const personaPath = await setup.home()
  const { id } = await createEntry(personaPath, { when: '2026-12-24T18:00', content: 'presents' })
  await Promise.all([
    patchEntry(personaPath, id, { content: 'more presents' }),
    patchEntry(personaPath, id, { when: '2026-12-24T20:00' }),
    patchEntry(personaPath, id, { kind: 'schedule' }),
  ])
  const [{ body, time }] = (await setup.get(`${personaPath}/calendar${wholeRange}`))[1].destiny.schedule
  assert.equal([body, time], ['more presents', '2026-12-24T20:00:00.000+01:00'])
})

// --- The feed

test('serves a feed that a strict reader accepts, and returns 304 for the current ETag', async () => {
  const path = '/api/persona/ada/calendar.ics'
  const { status, headers, text } = await ask(pastDaemon.port, { path })
  assert.equal(
    [status, headers['content-type'], headers['cache-control']],
    [200, 'text/calendar; charset=utf-8', 'private, no-cache'],
  )
  const calendar = readCalendar(text)
  const events = getInner(calendar, 'VEVENT').map(
    (event) => `${getTextValue(event, 'UID')} ${getTextValue(event, 'SUMMARY')}`,
  )
  // Includes entries due in the last thirty days. Of a recurrence only the next occurrence.
  assert.equal(events.sort(), [
    'flight@ada the flight',
    'letter@ada the letter',
    'rent@ada the rent',
    'tea2@ada the tea',
    'trip@ada the trip',
  ])
  const cachedReply = await ask(pastDaemon.port, { path, headers: { 'If-None-Match': String(headers.etag) } })
  assert.equal([cachedReply.status, cachedReply.text], [304, ''])
  const personaPath = await setup.home({ name: 'Åda; the, first' })
  const empty = await setup.send({ path: `${personaPath}/calendar.ics` })
  assert.is(getTextValue(readCalendar(empty.text), 'X-WR-CALNAME'), 'Åda; the, first')
  await createEntry(personaPath, { when: '2026-11-24T09:00', content: 'tea' })
  const full = await setup.send({
    path: `${personaPath}/calendar.ics`,
    headers: { 'If-None-Match': String(empty.headers.etag) },
  })
  assert.equal([full.status, getInner(readCalendar(full.text), 'VEVENT').length], [200, 1])
  const nobodyReply = await setup.send({ path: '/api/persona/nobody/calendar.ics' })
  assert.equal([nobodyReply.status, JSON.parse(nobodyReply.text)], unknownPersona)
})

test('returns bodies that match the API description', async () => {
  const [, { paths, components }] = await setup.get('/openapi.json')
  const calendarPath = '/api/persona/{persona_id}/calendar'
  const schema = (path: string, method: string) =>
    paths[path][method].responses['200'].content['application/json'].schema
  const personaPath = await setup.home()
  const entry = await createEntry(personaPath, {
    when: '2026-11-24T09:00',
    content: 'tea',
    recurrence: 'daily',
  })
  assert.ok(isValid(schema(calendarPath, 'post'), entry, components.schemas))
  assert.ok(isValid(schema(calendarPath, 'get'), (await getCalendar(wholeRange))[1], components.schemas))
  assert.ok(
    isValid(
      schema(`${calendarPath}/{id}`, 'patch'),
      (await patchEntry(personaPath, entry.id, { content: 'cake' }))[1],
      components.schemas,
    ),
  )
  assert.ok(
    isValid(
      schema(`${calendarPath}/{id}`, 'delete'),
      (await send('DELETE', `${personaPath}/calendar/${entry.id}`))[1],
      components.schemas,
    ),
  )
  assert.equal(paths[`${calendarPath}.ics`].get.responses['200'].content, {
    'text/calendar': { schema: { type: 'string' }, example: 'BEGIN:VCALENDAR' },
  })
  assert.equal(Object.keys(paths[calendarPath].get.responses), ['200', '400', '403', '404', '422'])
  assert.equal(Object.keys(paths[`${calendarPath}/{id}`].patch.responses), [
    '200',
    '400',
    '403',
    '404',
    '413',
    '422',
    '503',
  ])
})

test.run()

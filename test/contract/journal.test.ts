/** GET …/journal: all facts from the first one, filtered, followed, and of a damaged journal. */
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { followAudit, type Line, readAudit } from '../audit-stream.ts'
import { call, pause, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { createHome, createUsage } from '../create-journal.ts'
import { startDaemon } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { createMessageHeard, createMessageSpoken } from '../journal/facts.ts'
import { isValid, type Schema } from './schema.ts'
import { invalidBody, joinKeys, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)
const getId = (personaPath: string): string => personaPath.split('/')[3] ?? ''
const toPositions = (lines: readonly Line[]): readonly number[] => lines.map(({ seq }) => seq)
const getUsedBytes = (): number => {
  const { external, heapUsed } = process.memoryUsage()
  return external + heapUsed
}
const numbersUpTo = (last: number, first = 1): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n)

test('returns every fact from the first one, chained, with the documented fields', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello there')
  const lines = await readAudit(setup.daemon.url, getId(personaPath))
  assert.equal(toPositions(lines), numbersUpTo(lines.length))
  const { components } = (await setup.get('/openapi.json'))[1]
  let prev = '0'.repeat(64)
  for (const line of lines) {
    assert.is(joinKeys(line), 'seq type version at commit cause prev hash payload')
    assert.ok(isValid(components.schemas.AuditLine as Schema, line, components.schemas), JSON.stringify(line))
    assert.is(line.prev, prev)
    assert.match(line.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/)
    assert.match(line.commit, /^[0-9a-f]{32}$/)
    prev = line.hash
  }
  assert.equal([lines[0].type, lines[0].payload.name], ['PersonaCreated', 'Ada'])
  assert.is(lines.filter(({ type }) => type === 'MessageHeard')[0].payload.parts[0].text, 'hello there')
  const [, { head, events }] = await setup.post(`${personaPath}/verify`)
  assert.equal([lines.length, prev], [events, head])
})

test('filters by position, type, text and end', async () => {
  const personaPath = await setup.home()
  for (const text of ['Ein Ärger', 'a Café', 'STRASSE', 'nothing']) await setup.say(personaPath, text)
  const all = await readAudit(setup.daemon.url, getId(personaPath))
  const getPositions = async (query: string) =>
    toPositions(await readAudit(setup.daemon.url, getId(personaPath), query))
  assert.equal(await getPositions('?after=3&upto=7'), [4, 5, 6, 7])
  assert.equal(await getPositions('?last=2'), [all.length - 1, all.length])
  assert.equal(await getPositions(`?after=${all.length}`), [])
  assert.equal(await getPositions(`?after=${all.length + 100}`), [])
  assert.equal(await getPositions(`?last=${all.length + 5}`), toPositions(all))
  const talk = all.filter(({ type }) => type === 'MessageHeard' || type === 'MessageSpoken')
  assert.equal(await getPositions('?type=MessageHeard,MessageSpoken'), toPositions(talk))
  assert.equal(await getPositions('?type=MessageHeard,%20MessageSpoken&last=3'), toPositions(talk.slice(-3)))
  assert.equal(
    await getPositions(`?type=MessageHeard&last=1&upto=${talk[4].seq}`),
    toPositions(talk.slice(4, 5)),
  )
  for (const [words, expectedText] of [
    ['arger', 'Ein Ärger'],
    ['CAFE', 'a Café'],
    ['straße', 'STRASSE'],
  ] as const)
    assert.equal(
      await getPositions(`?type=MessageHeard&q=${encodeURIComponent(words)}`),
      toPositions(talk.filter(({ payload }) => payload.parts?.[0].text === expectedText)),
      words,
    )
  assert.equal(await getPositions('?q=said%20nowhere'), [])
})

test('filters by time in the zone of the daemon, despite clock changes', async () => {
  const home = await createHome([
    { at: '2026-10-24T10:00:00+02:00', events: [createMessageHeard('one')] },
    { at: '2026-10-26T10:00:00+01:00', events: [createMessageHeard('two')] },
    { at: '2026-10-25T10:00:00+01:00', events: [createMessageHeard('three')] },
  ])
  const daemon = await startDaemon({
    home,
    clock: createFakeClock('2026-11-23T15:00:00+01:00', 'Europe/Berlin'),
  })
  const getTexts = async (query: string) =>
    (await readAudit(daemon.url, 'ada', `?type=MessageHeard&${query}`)).map(
      ({ payload }) => payload.parts[0].text,
    )
  assert.equal(await getTexts('from=2026-10-25'), ['two', 'three'])
  assert.equal(await getTexts('to=2026-10-26'), ['one', 'three'])
  assert.equal(await getTexts('from=2026-10-25T10:00:00%2B01:00&to=2026-10-25T10:00:01 01:00'), ['three'])
  await daemon.close()
  await rm(home, { recursive: true })
})

test('reports invalid input before an unknown persona', async () => {
  const personaPath = await setup.home()
  assert.equal(await setup.get('/api/persona/nobody/journal'), unknownPersona)
  const typeError = {
    input: 'MessageHeard,Nonsense',
    ctx: { unknown: 'Nonsense' },
  }
  const names = 'Input should be names of facts with commas between them, such as MessageHeard,MessageSpoken'
  for (const path of [personaPath, '/api/persona/nobody'])
    assert.equal(
      await setup.get(`${path}/journal?type=MessageHeard,Nonsense`),
      invalidBody('enum', ['query', 'type'], names, typeError),
    )
  for (const query of ['after=-1', 'after=x', 'upto=0', 'last=0', 'follow=perhaps', 'q=', 'type='])
    assert.is((await setup.get(`${personaPath}/journal?${query}`))[0], 422, query)
  assert.equal(await setup.get(`${personaPath}/journal?from=yesterday`), [
    400,
    { detail: 'from and to must be ISO dates' },
  ])
  assert.is((await setup.post(`${personaPath}/journal`))[0], 405)
})

/** Fails if a follower subscribes only after it has read. */
test('sends each appended fact once to a follower while the persona is stopped', async () => {
  const personaPath = await setup.home()
  await setup.post(`${personaPath}/stop`)
  const followers = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      await pause(n * 3)
      return followAudit(setup.daemon.url, getId(personaPath), n % 2 === 0 ? '' : '&type=Renamed')
    }).concat(
      Array.from({ length: 40 }, async (_, n) => {
        await setup.post(`${personaPath}/update`, { name: `name ${n}` })
        return undefined as never
      }),
    ),
  )
  const listening = followers.filter(Boolean)
  const all = await readAudit(setup.daemon.url, getId(personaPath))
  const renames = all.filter(({ type }) => type === 'Renamed')
  assert.is(renames.length, 40)
  for (const [n, follower] of listening.entries()) {
    const dueEntries = n % 2 === 0 ? all : renames
    await waitFor('all lines', () => follower.lines.length >= dueEntries.length)
    assert.equal(follower.lines, dueEntries)
    follower.leave()
  }
})

test('follows from a position or the last facts, up to a position', async () => {
  const personaPath = await setup.home()
  const head = (await readAudit(setup.daemon.url, getId(personaPath))).length
  const [newLines, last, boundedLines] = (await Promise.all(
    [`&after=${head}`, '&last=1', `&after=${head - 1}&upto=${head + 1}`].map((query) =>
      followAudit(setup.daemon.url, getId(personaPath), query),
    ),
  )) as [
    Awaited<ReturnType<typeof followAudit>>,
    Awaited<ReturnType<typeof followAudit>>,
    Awaited<ReturnType<typeof followAudit>>,
  ]
  await setup.post(`${personaPath}/update`, { name: 'Bea', idle_timeout: 60 })
  assert.is(await boundedLines.whenEnded, true)
  assert.equal(toPositions(boundedLines.lines), [head, head + 1])
  await waitFor('both facts', () => newLines.lines.length === 2 && last.lines.length === 3)
  assert.equal(toPositions(newLines.lines), [head + 1, head + 2])
  assert.equal(toPositions(last.lines), [head, head + 1, head + 2])
  newLines.leave()
  last.leave()
})

test('ends when the persona is deleted and when the daemon closes', async () => {
  const personaPath = await setup.home()
  const deletedAudit = await followAudit(setup.daemon.url, getId(personaPath))
  await setup.post(`${personaPath}/delete`)
  assert.is(await deletedAudit.whenEnded, true)

  const home = await createHome([{ at: '2026-10-24T10:00:00+02:00', events: [createMessageHeard('one')] }])
  const daemon = await startDaemon({ home })
  const audit = await followAudit(daemon.url, 'ada')
  await waitFor('the first lines', () => audit.lines.length === 3)
  await daemon.close()
  assert.is(await audit.whenEnded, true)
  await rm(home, { recursive: true })
})

test('sends a keep-alive every fifteen seconds', async () => {
  const home = await createHome([])
  const clock = createFakeClock('2026-11-23T15:00:00+01:00', 'Europe/Berlin')
  const daemon = await startDaemon({ home, clock })
  const follower = await followAudit(daemon.url, 'ada')
  await waitFor('the first lines', () => follower.lines.length === 2)
  await clock.advance(14_000)
  assert.is(follower.silences(), 0)
  await clock.advance(31_000)
  await waitFor('three keep-alives', () => follower.silences() === 3)
  assert.is(follower.lines.length, 2)
  await daemon.close()
  await rm(home, { recursive: true })
})

test('returns a damaged journal up to the damage and then ends, followed or not', async () => {
  const home = await createHome([
    { at: '2026-10-24T10:00:00+02:00', events: numbersUpTo(9).map((n) => createMessageHeard(`${n}`)) },
  ])
  await damageJournal(home, 'ada', 7)
  const daemon = await startDaemon({ home })
  const damagedLines = await readAudit(daemon.url, 'ada')
  assert.equal(toPositions(damagedLines.slice(0, -1)), numbersUpTo(6))
  assert.equal(joinKeys(damagedLines.at(-1)), 'damaged')
  assert.is(damagedLines.at(-1).damaged.seq, 7)
  assert.match(damagedLines.at(-1).damaged.reason, /^record 7: /)
  const follower = await followAudit(daemon.url, 'ada')
  assert.is(await follower.whenEnded, true)
  assert.equal(follower.lines, damagedLines)
  assert.equal(toPositions(await readAudit(daemon.url, 'ada', '?upto=6')), numbersUpTo(6))
  assert.equal(await readAudit(daemon.url, 'ada', '?type=MessageHeard&last=2'), damagedLines.slice(-3))
  await daemon.close()
  await rm(home, { recursive: true })
})

test('ends at damage that occurs between two starts', async () => {
  const home = await createHome([
    { at: '2026-10-24T10:00:00+02:00', events: numbersUpTo(40).map((n) => createMessageHeard(`${n}`)) },
  ])
  const daemon = await startDaemon({ home })
  const sound = await readAudit(daemon.url, 'ada')
  await daemon.close()
  await damageJournal(home, 'ada', 20)
  const secondDaemon = await startDaemon({ home })
  const lines = await readAudit(secondDaemon.url, 'ada', '?type=MessageHeard&q=1')
  assert.equal(
    lines.slice(0, -1),
    sound.filter(({ seq, payload }) => seq < 20 && payload.parts?.[0].text.includes('1')),
  )
  assert.is(lines.at(-1).damaged.seq, 20)
  await secondDaemon.close()
  await rm(home, { recursive: true })
})

/** Fails if pages are written without waiting for the socket to accept the previous one. */
test('a client that does not read blocks nothing and takes no memory', async () => {
  const events = numbersUpTo(20).map(() => createMessageSpoken('x'.repeat(20_000)))
  const home = await createHome(numbersUpTo(150).map(() => ({ at: '2026-10-24T10:00:00+02:00', events })))
  const daemon = await startDaemon({ home })
  // A slow machine may need longer for this amount than the time limit for the disk.
  await waitFor(
    'the journal',
    async () => (await call(daemon.url, 'GET', '/api/persona/ada/journal?last=1')).status === 200,
  )
  const bytesBefore = getUsedBytes()
  const socket = connect(daemon.port, '127.0.0.1')
  socket.pause()
  socket.write('GET /api/persona/ada/journal HTTP/1.1\r\nHost: localhost\r\n\r\n')
  let maxUsed = 0
  for (let n = 0; n < 20; n++) {
    await pause(100)
    maxUsed = Math.max(maxUsed, getUsedBytes() - bytesBefore)
  }
  // The journal has 60 MB.
  assert.ok(maxUsed < 30 * 1024 * 1024, `${maxUsed} bytes more`)
  assert.is((await call(daemon.url, 'POST', '/api/persona/ada/update', { name: 'Bea' })).status, 200)
  assert.is((await call(daemon.url, 'POST', '/api/persona/ada/delete')).status, 200)
  socket.destroy()
  await daemon.close()
  await rm(home, { recursive: true })
})

test('hides the name and password in an address of an old fact', async () => {
  const home = await createHome([
    {
      at: '2026-10-24T10:00:00+02:00',
      events: [
        {
          type: 'OrganReplaced',
          slot: 'eye',
          organ: { model: 'm', provider: null, url: 'http://me:hidden1234@localhost:1/v1', key: null },
        },
        createUsage(1),
      ],
    },
  ])
  const daemon = await startDaemon({ home })
  const [line] = (await readAudit(daemon.url, 'ada', '?type=OrganReplaced')).slice(-1)
  assert.is(line.payload.organ.url, 'http://localhost:1/v1')
  await daemon.close()
  await rm(home, { recursive: true })
})

test.run()

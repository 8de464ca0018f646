/**
 * A Matrix homeserver that fails or lies, and crashes at each point: nothing is lost, nothing comes twice.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import type { Json, MatrixFault } from '../stand-ins/matrix.ts'
import { createMatrixHouse, type MatrixHouse, matrixSuite, passTime } from './matrix-house.ts'
import { neverAborts } from './telegram-house.ts'

const test = matrixSuite('Matrix faults')

const broken: Readonly<Record<string, MatrixFault>> = {
  'status 500': { status: 500, body: { errcode: 'M_UNKNOWN', error: 'oops' } },
  'a page of a proxy': { status: 502, body: '<html>bad gateway</html>' },
  'a pause': { status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', error: 'slow', retry_after_ms: 2000 } },
  'a pause of a wrong form': {
    status: 429,
    body: { retry_after_ms: 'soon' },
    headers: { 'retry-after': '-1' },
  },
  'a redirect': { status: 302, body: {}, headers: { location: 'http://127.0.0.1:1/' } },
  'no JSON': { status: 200, body: 'not JSON' },
  'a list': { status: 200, body: [] },
  'a number': { status: 200, body: 7 },
  nothing: { status: 200, body: 'null' },
  'a cut connection': 'close',
  'half an answer': 'half',
  'a lost answer': 'drop',
  'an endless answer': 'huge',
}

for (const [name, fault] of Object.entries(broken))
  test(`receives and answers a message although the server gives ${name} once to each call`, async (context) => {
    const house = await createMatrixHouse(context)
    const { matrix, nelly, ada } = house
    const recorder = house.listen()
    const gateway = await house.open(recorder)
    await house.idle()
    for (const on of [
      /join/,
      /sync/,
      /members/,
      /state/,
      /messages/,
      /\/event\//,
      /\/send\//,
      /receipt/,
      /forget/,
    ])
      matrix.faults.next.push({ on, fault })
    const room = nelly.createRoom({ is_direct: true, invite: [ada.id] })
    await passTime(
      house,
      'the persona in the room',
      () => matrix.server.membership(matrix.server.findRoom(room), ada.id) === 'join',
    )
    const first = nelly.send(room, 'hello')
    await passTime(house, 'the message', () => recorder.messages.length === 1)
    house.paired = room
    nelly.send(room, {
      msgtype: 'm.text',
      body: 'more',
      'm.relates_to': { 'm.in_reply_to': { event_id: first } },
    })
    await passTime(house, 'the second message', () => recorder.messages.length === 2)
    assert.equal(house.texts(recorder), ['hello', '[in answer to Nelly]\n> hello\nmore'])
    let sent: string | null = null
    await waitFor('the answer', async () => {
      sent ??= await gateway.send(room, 'an answer', 'a'.repeat(24), neverAborts).catch(() => null)
      return sent !== null
    })
    assert.equal(
      matrix.sentBy(ada.id, room).map(({ content }) => content.body),
      ['an answer'],
    )
  })

const lies: Readonly<Record<string, (answer: Json, room: string) => unknown>> = {
  'no position': ({ next_batch: _, ...rest }) => rest,
  'rooms of a wrong type': (answer) => ({ ...answer, rooms: 7 }),
  'a room of a wrong type': (answer, room) => ({
    ...answer,
    rooms: { join: { [room]: 'x', __proto__: {} } },
  }),
  'events of wrong types': (answer, room) => {
    const wrong = [
      null,
      7,
      'x',
      [],
      {},
      { event_id: 7 },
      { type: 'm.room.message', event_id: '$x', sender: 'x' },
    ]
    answer.rooms.join[room]?.timeline.events.unshift(...wrong)
    return {
      ...answer,
      to_device: { events: wrong },
      device_lists: 7,
      device_one_time_keys_count: { x: 'y' },
    }
  },
  'an event of another room': (answer, room) => {
    const event = {
      event_id: '$forged',
      room_id: '!other:example.org',
      type: 'm.room.message',
      sender: '@eve:example.org',
      content: { msgtype: 'm.text', body: 'forged' },
    }
    answer.rooms.join[room]?.timeline.events.unshift(event)
    return answer
  },
  'each event twice': (answer, room) => {
    const timeline = answer.rooms.join[room]?.timeline
    if (timeline) timeline.events = timeline.events.flatMap((event: Json) => [event, event])
    return answer
  },
  'rooms that do not exist': (answer) => {
    answer.rooms.join['!none:example.org'] = { timeline: { events: [], limited: true, prev_batch: 't1' } }
    answer.rooms.join['not a room'] = {}
    answer.rooms.invite['!none:example.org'] = { invite_state: { events: [{}] } }
    answer.rooms.leave['!none:example.org'] = null
    return answer
  },
  'a key of all objects': (answer) =>
    JSON.parse(JSON.stringify(answer).replace('"rooms":{', '"rooms":{"__proto__":{"x":1},')),
}

for (const [name, lie] of Object.entries(lies))
  test(`loses nothing when a sync contains ${name}`, async (context) => {
    const house = await createMatrixHouse(context)
    const { matrix, nelly } = house
    const room = house.pair()
    const recorder = house.listen()
    await house.open(recorder)
    await house.idle()
    matrix.faults.next.push({ on: /sync/, fault: { lie: (answer) => lie(answer, room) } })
    // Ends the sync that waits, so that the next one lies about the second message.
    nelly.send(room, 'first')
    await passTime(house, 'the first message', () => recorder.messages.length > 0)
    nelly.send(room, 'second')
    await passTime(house, 'the second message', () => house.texts(recorder).includes('second'))
    nelly.send(room, 'third')
    await passTime(house, 'the third message', () => house.texts(recorder).includes('third'))
    assert.equal(house.texts(recorder), ['first', 'second', 'third'])
  })

test('reports a token that no longer works, and stops asking', async (context) => {
  for (const revoked of [true, 'soft'] as const) {
    const house = await createMatrixHouse(context)
    const { matrix } = house
    const room = house.pair()
    const recorder = house.listen()
    const gateway = await house.open(recorder)
    await house.idle()
    matrix.faults.revoked = revoked
    await waitFor('the trouble', () => recorder.events.length === 2)
    assert.match(recorder.events[1] ?? '', 'no longer accepts the access token')
    const asked = matrix.log.length
    await house.clock.advance(10 * 60_000)
    assert.is(matrix.log.length, asked)
    const error = await gateway.send(room, 'x', 'a'.repeat(24), neverAborts).catch((error) => error)
    assert.equal([error.name, error.lasting], ['SendError', true])
  }
})

test('reports a server that does not answer for minutes once, and its recovery', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, clock } = house
  const room = house.pair()
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  for (let n = 0; n < 12; n++)
    matrix.faults.next.push({ on: /sync/, fault: { status: n % 2 ? 503 : 500, body: 'busy' } })
  nelly.send(room, 'are you there?')
  await passTime(house, 'the trouble', () => recorder.events.length > 1, 20_000)
  assert.match(recorder.events[1] ?? '', 'has not answered usably for some minutes')
  await passTime(house, 'the recovery', () => recorder.events.at(-1) === 'recovered', 60_000)
  await waitFor('the message', () => recorder.messages.length === 1)
  assert.is(recorder.events.length, 3)
  assert.ok(clock.now() > 0)
})

const loseHistory = ({ matrix }: MatrixHouse, room: string, isLost: (body: unknown) => boolean) => {
  const { events } = matrix.server.findRoom(room)
  const left = events.filter(({ event }) => event.type !== 'm.room.message' || !isLost(event.content.body))
  events.splice(0, events.length, ...left)
}

/** The server rejects all positions until now. */
const losePositions = (
  { matrix: { faults, server } }: MatrixHouse,
  { status, code } = { status: 400, code: 'M_UNKNOWN_POS' },
) => {
  faults.lostPositions = { below: server.getPosition() + 1, status, code }
}

const countInitialSyncs = ({ matrix }: MatrixHouse) =>
  matrix.log.filter(({ path }) => path.includes('/sync') && !path.includes('since=')).length

for (const refusal of [
  { status: 400, code: 'M_UNKNOWN_POS' },
  { status: 400, code: 'M_UNKNOWN' },
  { status: 400, code: 'M_INVALID_PARAM' },
  { status: 404, code: 'M_UNKNOWN' },
])
  test(`begins again after the server rejects its position with ${refusal.status} ${refusal.code}, and reads nothing twice`, async (context) => {
    const house = await createMatrixHouse(context)
    const { matrix, nelly, ada } = house
    const room = house.pair()
    const recorder = house.listen()
    const gateway = await house.open(recorder)
    await house.idle()
    nelly.send(room, 'before')
    await waitFor('the first message', () => recorder.messages.length === 1)
    await house.idle()
    losePositions(house, refusal)
    nelly.send(room, 'one')
    nelly.send(room, 'two')
    await passTime(house, 'the messages', () => recorder.messages.length >= 3)
    await house.idle()
    nelly.send(room, 'three')
    await waitFor('the next message', () => recorder.messages.length >= 4)
    // Another process does not know what was handled.
    await house.idle()
    await gateway.close()
    losePositions(house, refusal)
    await house.open(recorder)
    nelly.send(room, 'four')
    await passTime(house, 'the last message', () => recorder.messages.length >= 5)
    await house.idle()
    assert.equal(house.texts(recorder), ['before', 'one', 'two', 'three', 'four'])
    assert.is(countInitialSyncs(house), 3)
    assert.is(matrix.server.membership(matrix.server.findRoom(room), ada.id), 'join')
    assert.equal(matrix.sentBy(ada.id, room), [])
  })

test('keeps its position after a single rejection, and while every sync is rejected', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly } = house
  const room = house.pair()
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  const fault = { status: 400, body: { errcode: 'M_UNKNOWN', error: 'oops' } }
  matrix.faults.next.push({ on: /sync/, fault })
  nelly.send(room, 'one')
  await passTime(house, 'the rejection', () =>
    house.lines.some((line) => line.includes('rejects the position')),
  )
  await passTime(house, 'a sync that waits', () => matrix.syncing() > 0)
  await waitFor('the first message', () => recorder.messages.length === 1)
  assert.is(countInitialSyncs(house), 1)
  for (let n = 0; n < 8; n++) matrix.faults.next.push({ on: /sync/, fault })
  nelly.send(room, 'two')
  await passTime(house, 'the second message', () => recorder.messages.length === 2, 20_000)
  const isOver = () => matrix.faults.next.length === 0 && matrix.syncing() > 0
  await passTime(house, 'the end of the rejections', isOver, 20_000)
  assert.equal(house.texts(recorder), ['one', 'two'])
})

test('reads only new messages after the server was restored from a backup', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly } = house
  const room = house.pair()
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  for (const text of ['one', 'two', 'three']) nelly.send(room, text)
  await waitFor('the messages', () => recorder.messages.length === 3)
  await house.idle()
  loseHistory(house, room, (body) => body !== 'one')
  losePositions(house)
  nelly.send(room, 'four')
  await passTime(house, 'the new message', () => recorder.messages.length >= 4)
  await house.idle()
  assert.equal(house.texts(recorder), ['one', 'two', 'three', 'four'])
})

test('reads no old message and sends a notice if the server lost all that was handled', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  const room = nelly.createRoom({ is_direct: true, invite: [ada.id] })
  const recorder = house.listen()
  await house.open(recorder)
  await waitFor(
    'the persona in the room',
    () => matrix.server.membership(matrix.server.findRoom(room), ada.id) === 'join',
  )
  nelly.send(room, 'older than the pairing')
  await waitFor('the first message', () => recorder.messages.length === 1)
  house.paired = room
  for (let n = 0; n < 25; n++) nelly.send(room, `handled ${n}`)
  await waitFor('the messages', () => recorder.messages.length === 26)
  await house.idle()
  loseHistory(house, room, (body) => String(body).startsWith('handled'))
  losePositions(house)
  nelly.send(room, 'unknown')
  const isNotice = (text: unknown) => String(text).includes('has lost its place')
  await passTime(house, 'the notice', () =>
    matrix.sentBy(ada.id, room).some(({ content }) => isNotice(content.body)),
  )
  await house.idle()
  nelly.send(room, 'new')
  await waitFor('the new message', () => recorder.messages.length >= 27)
  assert.equal(house.texts(recorder).slice(26), ['new'])
})

test('enters the paired room again if a reset server forgot that it was there', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  const room = house.pair()
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  nelly.send(room, 'before')
  await waitFor('the first message', () => recorder.messages.length === 1)
  await house.idle()
  const eve = matrix.register('eve')
  nelly.invite(room, eve.id)
  eve.join(room)
  const { findRoom, setMember, membership } = matrix.server
  matrix.faults.lostPositions = { below: 1_000_000, status: 400, code: 'M_UNKNOWN_POS' }
  await passTime(house, 'a rejection', () =>
    house.lines.some((line) => line.includes('rejects the position')),
  )
  setMember(findRoom(room), nelly.id, ada.id, 'leave')
  eve.invite(room, ada.id)
  losePositions(house)
  await passTime(house, 'the persona in the room', () => membership(findRoom(room), ada.id) === 'join')
  nelly.send(room, 'after')
  await passTime(house, 'the message', () => recorder.messages.length >= 2)
  assert.equal(house.texts(recorder), ['before', 'after'])
})

test('stores a limited number of rooms that the server invents, and keeps the place in the paired room', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, folder } = house
  const room = house.pair()
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  nelly.send(room, 'first')
  await waitFor('the first message', () => recorder.messages.length === 1)
  await house.idle()
  const lie = (answer: Json) => {
    for (let n = 0; n < 6000; n++) {
      const event = { type: 'm.room.message', event_id: `$${n}`, sender: '@eve:example.org', content: {} }
      answer.rooms.join[`!${n}:example.org`] = { timeline: { events: [event] } }
    }
    return answer
  }
  matrix.faults.next.push({ on: /sync/, fault: { lie } })
  nelly.send(room, 'second')
  nelly.send(room, 'third')
  await waitFor('the messages', () => recorder.messages.length === 3)
  await house.idle()
  await gateway.close()
  const name = (await readdir(folder, { recursive: true })).find((path) => path.endsWith('sync.json')) ?? ''
  const { last, recent } = JSON.parse(await readFile(join(folder, name), 'utf8'))
  assert.ok(Object.keys(last).length <= 5001 && Object.keys(recent).length <= 101)
  assert.ok(last[room] && recent[room])
  await house.open(recorder)
  await house.idle()
  assert.equal(house.texts(recorder), ['first', 'second', 'third'])
})

/** Copies the folder as a SIGKILL at this moment would leave it. */
const copyAsKilled = async ({ folder }: MatrixHouse): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'matrix-'))
  await cp(folder, copy, { recursive: true })
  return copy
}

test('delivers a message again with the same key if the daemon is killed before its position is stored', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly } = house
  const room = house.pair()
  const recorder = house.listen()
  const copies: string[] = []
  // One copy before the message is durable, and one before its position is.
  recorder.take = async () => void copies.push(await copyAsKilled(house))
  const gateway = await house.open(recorder)
  await house.idle()
  nelly.send(room, 'keep me')
  await waitFor('the message', () => recorder.messages.length === 1)
  await gateway.close()
  for (const copy of copies) {
    const after = house.listen()
    const second = await house.open(after, copy)
    await waitFor('the message again', () => after.messages.length > 0)
    assert.equal(after.messages, recorder.messages)
    await second.close()
    await rm(copy, { recursive: true, force: true })
  }
  assert.is(copies.length, 1)
})

test('a lost folder loses no message of the paired room', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly } = house
  const room = house.pair()
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  nelly.send(room, 'old')
  await waitFor('the message', () => recorder.messages.length === 1)
  await house.idle()
  await gateway.close()
  nelly.send(room, 'written while the folder was lost')
  const empty = await mkdtemp(join(tmpdir(), 'matrix-'))
  const key = recorder.messages[0]?.key ?? ''
  const after = house.listen({ known: async () => [{ target: room, key }] })
  const second = await house.open(after, empty)
  await waitFor('the message', () => after.messages.length > 0)
  assert.equal(house.texts(after), ['written while the folder was lost'])
  await second.close()
  await rm(empty, { recursive: true, force: true })
})

test('a damaged folder is begun again', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly, folder } = house
  const room = house.pair()
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  nelly.send(room, 'first')
  await waitFor('the message', () => recorder.messages.length === 1)
  await house.idle()
  await gateway.close()
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json'))
  assert.ok(files.some((name) => name.endsWith('sync.json')))
  for (const name of files) await writeFile(join(folder, name), '{"since":')
  await house.open(recorder)
  await house.idle()
  nelly.send(room, 'second')
  await waitFor('the second message', () => recorder.messages.length === 2)
})

test.run()

/** Receiving by a Matrix account, over the client-server API. */
import * as assert from 'uvu/assert'
import { SendError } from '../../src/channels/platform.ts'
import { waitFor } from '../calls.ts'
import { toParts } from '../message-parts.ts'
import type { MatrixPerson } from '../stand-ins/matrix.ts'
import { createMatrixHouse, matrixSuite } from './matrix-house.ts'
import { collectBytes, neverAborts } from './telegram-house.ts'

const test = matrixSuite('Matrix')

test('receives messages of the paired room once each, with their event id', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  const room = house.pair()
  nelly.send(room, 'written before the channel was added')
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  const id = nelly.send(room, 'Good morning')
  await house.idle()
  assert.equal(recorder.messages, [
    {
      key: `matrix:${ada.id}:${id}`,
      target: room,
      direct: true,
      parts: toParts('Good morning'),
      files: [],
      command: null,
    },
  ])
  assert.equal(recorder.events, ['recovered'])
  await waitFor('the receipt', () =>
    matrix.log.some(({ path }) => path.includes(`/receipt/m.read/${encodeURIComponent(id)}`)),
  )
  await gateway.close()
  nelly.send(room, 'while you were away')
  await house.open(recorder)
  await house.idle()
  assert.equal(house.texts(recorder), ['Good morning', 'while you were away'])
})

test('reads messages after the invitation, and no older ones', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly, ada } = house
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  const room = nelly.createRoom({ is_direct: true })
  for (let n = 0; n < 70; n++) nelly.send(room, `secret ${n}`)
  nelly.invite(room, ada.id)
  nelly.send(room, 'hello, are you there?')
  await waitFor('the message', () => recorder.messages.length > 0)
  await house.idle()
  assert.equal(house.texts(recorder), ['hello, are you there?'])
})

test('requests the messages that a limited sync leaves out, in order and once', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly } = house
  const room = house.pair()
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  nelly.send(room, 'first')
  await house.idle()
  await gateway.close()
  const texts = Array.from({ length: 230 }, (_, n) => `message ${n}`)
  for (const text of texts) nelly.send(room, text)
  await house.open(recorder)
  await waitFor('all of them', () => recorder.messages.length > texts.length)
  await house.idle()
  assert.equal(house.texts(recorder), ['first', ...texts])
})

test('sends a notice if more messages were missed than are requested', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly, ada, matrix } = house
  const room = house.pair()
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  await gateway.close()
  for (let n = 0; n < 1200; n++) nelly.send(room, `message ${n}`)
  await house.open(recorder)
  await waitFor('the newest', () => house.texts(recorder).at(-1) === 'message 1199')
  assert.ok(recorder.messages.length >= 1000 && recorder.messages.length < 1200)
  assert.match(matrix.sentBy(ada.id, room).at(-1)?.content.body, 'newest 1000 messages')
})

test('reads in other rooms only messages of the paired user that mention the persona', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  const bob = matrix.register('bob')
  const paired = house.pair()
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  const group = nelly.createRoom({ name: 'Friends', invite: [ada.id, bob.id] })
  bob.join(group)
  await waitFor(
    'the persona in the room',
    () => matrix.server.membership(matrix.server.findRoom(group), ada.id) === 'join',
  )
  await house.idle()
  nelly.send(group, 'nothing for the persona')
  bob.send(group, 'Ada: give me the keys')
  nelly.send(group, 'Ada: what do you think?')
  nelly.send(group, `${ada.id}, and you?`)
  nelly.send(group, { msgtype: 'm.text', body: 'what about you, Ada?', 'm.mentions': { user_ids: [ada.id] } })
  nelly.send(group, { msgtype: 'm.text', body: 'about Ada, whom I do not mention', 'm.mentions': {} })
  nelly.send(group, {
    msgtype: 'm.text',
    body: 'a pill for Ada',
    formatted_body: `a pill for <a href="https://matrix.to/#/${ada.id}">Ada</a>`,
  })
  const words = bob.send(group, 'the party is on Friday')
  nelly.send(group, {
    msgtype: 'm.text',
    body: `> <${bob.id}> the party is on Friday\n\nAda: remind me`,
    'm.relates_to': { 'm.in_reply_to': { event_id: words } },
  })
  await waitFor('the last', () => recorder.messages.length === 5)
  await house.idle()
  assert.equal(house.texts(recorder), [
    'what do you think?',
    'and you?',
    'what about you, Ada?',
    'a pill for Ada',
    '[in answer to Bob]\n> the party is on Friday\nremind me',
  ])
  assert.ok(recorder.messages.every(({ target, topic }) => target === paired && topic === group))
  assert.equal(recorder.messages.at(-1)?.parts[0], {
    from: 'replied',
    by: 'Bob',
    text: 'the party is on Friday',
  })
})

test('accepts invitations of the paired user only', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  const eve = matrix.register('eve')
  house.pair()
  await house.open(house.listen())
  await house.idle()
  const good = nelly.createRoom({ name: 'Friends', invite: [ada.id] })
  const bad = eve.createRoom({ is_direct: true, invite: [ada.id] })
  const membership = (room: string) => matrix.server.membership(matrix.server.findRoom(room), ada.id)
  await waitFor('both decisions', () => membership(good) === 'join' && membership(bad) === 'leave')
  await waitFor('the room to be forgotten', () => matrix.server.findRoom(bad).forgotten.has(ada.id))
})

test('while unpaired, joins at most three direct rooms of strangers and no group, and leaves them once it is paired', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada, clock } = house
  const membership = (room: string) => matrix.server.membership(matrix.server.findRoom(room), ada.id)
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  const rooms: string[] = []
  for (let n = 0; n < 4; n++) {
    const stranger = matrix.register(`stranger${n}`)
    rooms.push(stranger.createRoom({ is_direct: true, invite: [ada.id] }))
    await house.idle()
  }
  const group = nelly.createRoom({ name: 'Group', invite: [ada.id] })
  await waitFor('the refusal of the group', () => membership(group) === 'leave')
  assert.equal(rooms.map(membership), ['join', 'join', 'join', 'invite'])
  await clock.advance(12 * 60_000)
  const own = nelly.createRoom({ is_direct: true, invite: [ada.id] })
  await waitFor('a place', () => membership(rooms[3] ?? '') === 'join' && membership(own) === 'join')
  assert.equal(rooms.map(membership), ['leave', 'leave', 'join', 'join'])
  nelly.send(own, 'it is me')
  await waitFor('the message', () => recorder.messages.length === 1)
  assert.equal([recorder.messages[0]?.target, recorder.messages[0]?.direct], [own, true])
  house.paired = own
  await gateway.send(own, 'We are paired', 'a'.repeat(24), new AbortController().signal)
  await waitFor('the rooms of the strangers to be left', () =>
    rooms.every((room) => membership(room) === 'leave'),
  )
  assert.is(membership(own), 'join')
})

test('the bot of a bridge on the own server does not make a group of a chat', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, ada } = house
  const bot = matrix.register('whatsappbot')
  const ghost = matrix.register('whatsapp_4912345')
  const membership = (room: string) => matrix.server.membership(matrix.server.findRoom(room), ada.id)
  const bridged = (sender: MatrixPerson, bridgebot: string) => {
    const room = sender.createRoom({ is_direct: true, invite: [ghost.id] })
    ghost.join(room)
    sender.sendState(room, 'm.bridge', { bridgebot, protocol: { id: 'whatsapp' } }, 'whatsapp')
    sender.invite(room, ada.id)
    return room
  }
  const recorder = house.listen()
  await house.open(recorder)
  const portal = bridged(bot, bot.id)
  const claimed = bridged(matrix.register('eve'), bot.id)
  const elsewhere = bridged(bot, '@whatsappbot:elsewhere.test')
  await waitFor('the decisions', () =>
    [portal, claimed, elsewhere].every((room) => membership(room) !== 'invite'),
  )
  await waitFor('the refusals', () => [claimed, elsewhere].every((room) => membership(room) === 'leave'))
  assert.is(membership(portal), 'join')
  ghost.send(portal, 'hello from WhatsApp')
  await waitFor('the message', () => recorder.messages.length === 1)
  assert.equal([recorder.messages[0]?.target, recorder.messages[0]?.direct], [portal, true])
})

test('a message in a group is not for an unpaired persona', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  const bob = matrix.register('bob')
  const room = nelly.createRoom({ invite: [ada.id, bob.id] })
  ada.join(room)
  bob.join(room)
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  nelly.send(room, 'Ada: a code please')
  await house.idle()
  assert.equal(recorder.messages, [])
})

test('sends a read receipt for the room and for each thread', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  const room = house.pair()
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  await gateway.close()
  const toThread = (root: string, body: string) =>
    nelly.send(room, {
      msgtype: 'm.text',
      body,
      'm.relates_to': { rel_type: 'm.thread', event_id: root, 'm.in_reply_to': { event_id: root } },
    })
  const [garden, park] = [nelly.send(room, 'about the garden'), nelly.send(room, 'about the park')]
  toThread(garden, 'the roses')
  const lastGarden = toThread(garden, 'the trees')
  const lastPark = toThread(park, 'the lake')
  const correction = nelly.send(room, {
    msgtype: 'm.text',
    body: '* the river',
    'm.new_content': { msgtype: 'm.text', body: 'the river' },
    'm.relates_to': { rel_type: 'm.replace', event_id: lastPark },
  })
  const { receipts } = matrix.server.findRoom(room)
  // The first receipt is refused.
  matrix.faults.next.push({ on: /receipt/, fault: { status: 400, body: { errcode: 'M_UNKNOWN' } } })
  await house.open(recorder)
  await waitFor('the receipts', () => receipts.length === 3)
  assert.equal(
    receipts.map(({ userId, eventId, threadId }) => [userId, eventId, threadId]),
    [
      [ada.id, lastGarden, garden],
      [ada.id, lastPark, park],
      [ada.id, correction, undefined],
    ],
  )
  const last = nelly.send(room, 'about the sea')
  await waitFor('the receipt of the room', () => receipts.length === 4)
  assert.equal([receipts[3]?.eventId, receipts[3]?.threadId], [last, 'main'])
})

test('receives threads, replies, corrections, notices and other content', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  const bob = matrix.register('bob')
  const room = house.pair()
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  const root = nelly.send(room, 'about the garden')
  const inThread = {
    rel_type: 'm.thread',
    event_id: root,
    is_falling_back: true,
    'm.in_reply_to': { event_id: root },
  }
  nelly.send(room, { msgtype: 'm.text', body: 'the roses', 'm.relates_to': inThread })
  const own = ada.send(room, 'I like roses')
  nelly.send(room, {
    msgtype: 'm.text',
    body: `> <${ada.id}> I like roses\n> more\n\nme too`,
    'm.relates_to': { 'm.in_reply_to': { event_id: own } },
  })
  const edit = nelly.send(room, {
    msgtype: 'm.text',
    body: '* about the park',
    'm.new_content': { msgtype: 'm.text', body: 'about the park' },
    'm.relates_to': { rel_type: 'm.replace', event_id: root },
  })
  nelly.send(room, { msgtype: 'm.notice', body: 'from a program' })
  nelly.send(room, { msgtype: 'm.location', body: 'Home', geo_uri: 'geo:52.1,13.2' })
  nelly.send(room, { body: 'wave', url: 'mxc://example.org/1' }, 'm.sticker')
  nelly.send(
    room,
    {
      'org.matrix.msc3381.poll.start': {
        question: { body: 'Tea?' },
        answers: [{ 'org.matrix.msc1767.text': 'yes' }],
      },
    },
    'org.matrix.msc3381.poll.start',
  )
  nelly.send(room, { msgtype: 'm.emote', body: 'waves' })
  nelly.send(room, '> a quotation\nmine')
  await waitFor('the quotation', () => recorder.messages.length === 9)
  nelly.redact(room, root)
  // Another member cannot correct a message of the user.
  nelly.invite(room, bob.id)
  bob.join(room)
  bob.send(room, {
    msgtype: 'm.text',
    body: '* forged',
    'm.new_content': { msgtype: 'm.text', body: 'forged' },
    'm.relates_to': { rel_type: 'm.replace', event_id: own },
  })
  nelly.send(room, 'the end')
  await waitFor('the end', () => house.texts(recorder).at(-1) === 'the end')
  assert.equal(house.texts(recorder), [
    'about the garden',
    'the roses',
    `[in answer to ${ada.id.slice(1)}]\n> I like roses\nme too`,
    '[corrects an earlier message, which now reads:]\nabout the park',
    '(location: Home geo:52.1,13.2)',
    '(sticker: wave)',
    '(poll: Tea? / yes)',
    '* waves',
    '> a quotation\nmine',
    'the end',
  ])
  assert.is(recorder.messages[1]?.topic, root)
  assert.is(recorder.messages[3]?.key, `matrix-edit:${ada.id}:${edit}`)
  assert.equal(
    recorder.messages[8]?.parts.map(({ from }) => from),
    ['quoted', 'person'],
  )
})

test('executes a command once, even if the daemon ends before it has stored its position', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly } = house
  const room = house.pair()
  const recorder = house.listen()
  let release = () => {}
  let commandCount = 0
  recorder.take = ({ command }) => {
    if (command === null) return Promise.resolve()
    commandCount += 1
    return new Promise((resolve) => (release = resolve))
  }
  const gateway = await house.open(recorder)
  await house.idle()
  nelly.send(room, '!restart')
  await waitFor('the command', () => commandCount === 1)
  const closing = gateway.close()
  release()
  await closing
  recorder.take = async ({ command }) => {
    if (command !== null) commandCount += 1
  }
  await house.open(recorder)
  nelly.send(room, '/stop now')
  await waitFor('the second command', () => recorder.messages.at(-1)?.command === 'stop')
  assert.is(commandCount, 2)
})

test('delivers a message again until it is stored, and stores the position only then', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly, clock } = house
  const room = house.pair()
  const recorder = house.listen()
  let isBroken = true
  let tries = 0
  recorder.take = async () => {
    tries += 1
    if (isBroken) throw new Error('the disk is full')
  }
  const gateway = await house.open(recorder)
  await house.idle()
  nelly.send(room, 'keep me')
  await waitFor('an attempt', () => tries > 0)
  await clock.advance(3000)
  await waitFor('more attempts', () => tries > 2)
  await gateway.close()
  isBroken = false
  await house.open(recorder)
  await waitFor('the message', () => recorder.messages.length === 1)
  assert.equal(house.texts(recorder), ['keep me'])
})

test('fetches files with their captions, from new and from old servers', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly, matrix } = house
  const room = house.pair()
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  const url = nelly.upload(Buffer.from('a picture'), 'image/png')
  nelly.send(room, {
    msgtype: 'm.image',
    body: 'my cat',
    filename: 'cat.png',
    url,
    info: { mimetype: 'image/png' },
  })
  nelly.send(room, { msgtype: 'm.audio', body: 'Voice message', url, 'org.matrix.msc3245.voice': {} })
  nelly.send(room, { msgtype: 'm.file', body: 'gone.txt', url: 'mxc://127.0.0.1/none' })
  nelly.send(room, { msgtype: 'm.file', body: 'bad.txt', url: 'https://example.org/x' })
  await waitFor('the files', () => recorder.messages.length === 4)
  const [image, voice, gone, bad] = recorder.messages.map(({ files }) => files[0])
  assert.equal(house.texts(recorder), ['my cat', '', '', ''])
  assert.equal([image?.name, image?.voice, voice?.voice], ['cat.png', false, true])
  if (!image || !gone || !bad) throw new Error('a file is missing')
  assert.is(String(await collectBytes(image.bytes(neverAborts))), 'a picture')
  matrix.faults.oldMedia = true
  assert.is(String(await collectBytes(image.bytes(neverAborts))), 'a picture')
  matrix.faults.oldMedia = false
  for (const file of [gone, bad]) {
    const error = await collectBytes(file.bytes(neverAborts)).catch((error) => error)
    assert.instance(error, SendError)
    assert.ok(error.lasting)
  }
  matrix.faults.next.push({ on: /download/, fault: { status: 502, body: 'bad gateway' } })
  const error = await collectBytes(image.bytes(neverAborts)).catch((error) => error)
  assert.equal([error.name, error.lasting], ['SendError', false])
})

test.run()

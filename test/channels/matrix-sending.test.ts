/** Sending by a Matrix account: texts, threads, files, questions and their answers by reactions. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SendError } from '../../src/channels/platform.ts'
import { waitFor } from '../calls.ts'
import { createMatrixHouse, type MatrixHouse, matrixSuite } from './matrix-house.ts'
import { neverAborts } from './telegram-house.ts'

const test = matrixSuite('Matrix sending')
const nonce = (letter: string) => letter.repeat(24)
const contents = ({ matrix, ada }: MatrixHouse, room: string) =>
  matrix.sentBy(ada.id, room).map(({ content }) => content)
const getError = async (work: Promise<unknown>): Promise<SendError> => {
  const error = await work.catch((caught: unknown) => caught)
  if (error instanceof SendError) return error
  throw new Error('it was sent')
}

test('sends a text with its Markdown as HTML, and a text once per nonce', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix } = house
  const room = house.pair()
  const gateway = await house.open(house.listen())
  const id = await gateway.send(room, 'a **bold** <b>word</b>', nonce('a'), neverAborts)
  assert.equal(contents(house, room), [
    {
      msgtype: 'm.text',
      body: 'a **bold** <b>word</b>',
      format: 'org.matrix.custom.html',
      formatted_body: '<p>a <strong>bold</strong> &lt;b&gt;word&lt;/b&gt;</p>',
      'm.mentions': {},
    },
  ])
  // The answer is lost, so it is unknown whether the message arrived.
  matrix.faults.next.push({ on: /PUT .*\/send\//, fault: 'drop' })
  const lost = await getError(gateway.send(room, 'plain', nonce('b'), neverAborts))
  assert.not.ok(lost.lasting)
  const again = await gateway.send(room, 'plain', nonce('b'), neverAborts)
  assert.equal(
    contents(house, room).map(({ body }) => body),
    ['a **bold** <b>word</b>', 'plain'],
  )
  assert.ok(id?.startsWith('$') && again?.startsWith('$') && id !== again)
})

test('a text of the maximal length fits with all kinds of characters', async (context) => {
  const house = await createMatrixHouse(context)
  const room = house.pair()
  const gateway = await house.open(house.listen())
  const { text: max } = gateway.limits
  for (const [n, character] of ['\u{1f600}', '漢', '"', '\u0007', '*a* '].entries()) {
    const text = character.repeat(Math.floor(max / character.length))
    await gateway.send(room, text, nonce(String(n)), neverAborts)
  }
  assert.is(contents(house, room).length, 5)
})

test('replies in the thread, in the other room, and in the paired room if those are gone', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly, ada } = house
  const room = house.pair()
  const other = nelly.createRoom({ name: 'Friends', invite: [ada.id] })
  ada.join(other)
  const gateway = await house.open(house.listen())
  const root = nelly.send(room, 'about the garden')
  const otherRoot = nelly.send(other, 'about the park')
  await gateway.send(`${room}/${root}`, 'roses', nonce('a'), neverAborts)
  await gateway.send(`${room}/${other}`, 'in the other room', nonce('b'), neverAborts)
  await gateway.send(`${room}/${other} ${otherRoot}`, 'trees', nonce('c'), neverAborts)
  await gateway.send(`${room}/$gone`, 'no thread', nonce('d'), neverAborts)
  await gateway.send(`${room}/${other} $gone`, 'no thread there', nonce('e'), neverAborts)
  ada.leave(other)
  await gateway.send(`${room}/${other} ${otherRoot}`, 'no room', nonce('f'), neverAborts)
  assert.equal(
    contents(house, room).map(({ body, 'm.relates_to': relation }) => [body, relation?.event_id]),
    [
      ['roses', root],
      ['no thread', undefined],
      ['no room', undefined],
    ],
  )
  assert.equal(
    contents(house, other).map(({ body, 'm.relates_to': relation }) => [body, relation?.event_id]),
    [
      ['in the other room', undefined],
      ['trees', otherRoot],
      ['no thread there', undefined],
    ],
  )
  assert.equal(contents(house, room)[0]['m.relates_to'], {
    rel_type: 'm.thread',
    event_id: root,
    is_falling_back: true,
    'm.in_reply_to': { event_id: root },
  })
})

const buttons = [
  { label: 'Yes, once', data: 'a:7:once' },
  { label: 'Always', data: 'a:7:always' },
  { label: 'No', data: 'a:7:no' },
]

test('asks with reactions, and a press decides, also after a restart', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  const bob = matrix.register('bob')
  const room = house.pair()
  const recorder = house.listen()
  recorder.press = async () => ({ words: 'You allowed this once.', decided: true })
  const first = await house.open(recorder)
  const question = (await first.send(room, 'May I?', nonce('a'), neverAborts, buttons)) ?? ''
  const reactions = matrix.sentBy(ada.id, room).filter(({ type }) => type === 'm.reaction')
  assert.equal(
    reactions.map(({ content }) => content['m.relates_to'].key),
    ['👍', '♾️', '👎'],
  )
  assert.is(contents(house, room)[0].body, 'May I?\n\n👍 Yes, once · ♾️ Always · 👎 No')
  await house.idle()
  await first.close()

  await house.open(recorder)
  // A reaction to another message, one that is no answer, and one in another room decide nothing.
  nelly.react(room, nelly.send(room, 'mine'), '👍')
  nelly.react(room, question, '🎉')
  const group = bob.createRoom({ preset: 'public_chat' })
  ada.join(group)
  bob.react(
    group,
    ada.send(group, { msgtype: 'm.text', body: 'x', 'daimon.buttons': { '👍': 'a:7:once' } }),
    '👍',
  )
  // Clients add a skin tone or a variation selector.
  nelly.react(room, question, '👍🏽')
  await waitFor('the press', () => recorder.presses.length > 0)
  await waitFor('the end of the question', () => reactions.every(({ content }) => !content['m.relates_to']))
  assert.equal(recorder.presses, [{ target: room, data: 'a:7:once' }])
  const edit = contents(house, room).find((content) => content['m.new_content'])
  assert.equal(edit['m.relates_to'], { rel_type: 'm.replace', event_id: question })
  assert.match(edit['m.new_content'].body, /^May I\?[\s\S]*You allowed this once\.$/)
})

test('a press that is too late gets an answer, and one that fails is delivered again', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada, clock } = house
  const room = house.pair()
  const recorder = house.listen()
  let tries = 0
  recorder.press = async () => {
    tries += 1
    if (tries === 1) throw new Error('the disk is full')
    return { words: 'This question is closed.', decided: false }
  }
  const gateway = await house.open(recorder)
  const question = (await gateway.send(room, 'May I?', nonce('a'), neverAborts, buttons)) ?? ''
  await house.idle()
  nelly.react(room, question, '👎')
  await waitFor('an attempt', () => tries === 1)
  await waitFor('the press', async () => {
    await clock.advance(1000)
    return recorder.presses.length === 1
  })
  await waitFor('the answer', () =>
    contents(house, room).some(
      ({ body, msgtype }) => body === 'This question is closed.' && msgtype === 'm.notice',
    ),
  )
  const isRedacted = () =>
    matrix
      .sentBy(ada.id, room)
      .every(({ type, content }) => type !== 'm.reaction' || !content['m.relates_to'])
  await waitFor('the own reactions to be removed', isRedacted)
})

test('removes the reactions of a question that was decided elsewhere', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, ada } = house
  const room = house.pair()
  const gateway = await house.open(house.listen())
  const question = (await gateway.send(room, 'May I?', nonce('a'), neverAborts, buttons)) ?? ''
  await gateway.unbutton(room, question)
  const reactions = matrix.sentBy(ada.id, room).filter(({ type }) => type === 'm.reaction')
  assert.is(reactions.length, 3)
  assert.ok(reactions.every(({ content }) => !content['m.relates_to']))
})

/** One Ogg page with an Opus header that ends after 2.5 s. */
const createOpus = (): Buffer => {
  const page = Buffer.alloc(64)
  page.write('OggS')
  page.writeBigInt64LE(120_000n, 6)
  page.write('OpusHead', 28)
  return page
}
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAADklEQVR4nGNgQAX/8QEAAAcAAf9ZQvsAAAAASUVORK5CYII=',
  'base64',
)

test('sends pictures, files and voice messages with their captions', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, folder, nelly } = house
  const room = house.pair()
  const gateway = await house.open(house.listen())
  const root = nelly.send(room, 'pictures, please')
  const send = async (name: string, bytes: Buffer, mime: string, { caption = '', target = room } = {}) => {
    const path = join(folder, name)
    await writeFile(path, bytes)
    const file = { path, name, mime, caption, voice: mime.startsWith('audio/') }
    await gateway.sendFile(target, file, nonce(name.charAt(0)), neverAborts)
  }
  await send('cat.png', png, 'image/png', { caption: 'my cat', target: `${room}/${root}` })
  await send('voice.ogg', createOpus(), 'audio/ogg')
  await send('notes.txt', Buffer.from('notes'), 'text/plain')
  const [cat, voice, notes] = contents(house, room)
  assert.equal([cat.msgtype, cat.body, cat.filename], ['m.image', 'my cat', 'cat.png'])
  assert.equal(cat.info, { mimetype: 'image/png', size: png.length, w: 2, h: 3 })
  assert.is(cat['m.relates_to'].event_id, root)
  assert.equal(voice['org.matrix.msc3245.voice'], {})
  assert.equal([voice.msgtype, voice.info.duration], ['m.audio', 2500])
  assert.equal([notes.msgtype, notes.body], ['m.file', 'notes.txt'])
  const id = notes.url.split('/').at(-1)
  assert.equal([String(matrix.media.get(id)?.bytes), matrix.media.get(id)?.mime], ['notes', 'text/plain'])

  matrix.faults.maxUpload = 3
  const large = await getError(send('large.txt', Buffer.from('large'), 'text/plain'))
  assert.equal([large.message, large.lasting], ['The file is too large for the homeserver.', true])
  const missing = { path: join(folder, 'none'), name: 'x', mime: 'text/plain', caption: '', voice: false }
  assert.ok((await getError(gateway.sendFile(room, missing, nonce('x'), neverAborts))).lasting)
})

test('says why a message cannot be sent, and whether that lasts', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada, token } = house
  const room = house.pair()
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  const sending = { on: /PUT .*\/send\//, fault: { status: 500, body: {} } as const }
  let n = 0
  const failWith = async (fault: (typeof matrix.faults.next)[number]['fault']) => {
    matrix.faults.next.push({ ...sending, fault })
    n += 1
    return getError(gateway.send(room, 'x', nonce(String(n % 10)), neverAborts))
  }
  const limited = await failWith({ status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 2500 } })
  assert.equal([limited.lasting, limited.wait], [false, 2500])
  const late = await failWith({ status: 429, body: 'busy', headers: { 'retry-after': '7' } })
  assert.equal([late.lasting, late.wait], [false, 7000])
  for (const fault of ['drop', 'close', 'half'] as const) assert.not.ok((await failWith(fault)).lasting)
  assert.not.ok((await failWith({ status: 502, body: '<html>' })).lasting)
  assert.not.ok((await failWith({ status: 200, body: '<html>' })).lasting)
  assert.not.ok(
    (await failWith({ status: 302, body: {}, headers: { location: 'http://127.0.0.1:1/' } })).lasting,
  )
  const refused = await failWith({
    status: 400,
    body: { errcode: 'M_BAD_JSON', error: `bad\n${token}\u0000 ${'x'.repeat(1000)}` },
  })
  assert.ok(refused.lasting)
  assert.not.ok(
    refused.message.includes(token) || refused.message.includes('\n') || refused.message.length > 300,
  )

  nelly.sendState(room, 'm.room.member', { membership: 'leave' }, ada.id)
  await waitFor('the trouble', () =>
    recorder.events.at(-1)?.startsWith('The persona is no longer in this room'),
  )
  const gone = await getError(gateway.send(room, 'x', nonce('y'), neverAborts))
  assert.equal([gone.lasting, /no longer in this room/.test(gone.message)], [true, true])
  nelly.invite(room, ada.id)
  await waitFor('the recovery', () => recorder.events.at(-1) === 'recovered')
  assert.ok(await gateway.send(room, 'I am back', nonce('z'), neverAborts))
})

test('a room that was upgraded must be paired again', async (context) => {
  const house = await createMatrixHouse(context)
  const { nelly, matrix } = house
  const room = house.pair()
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  nelly.sendState(room, 'm.room.tombstone', { body: 'upgraded', replacement_room: '!new:example.org' })
  await waitFor('the trouble', () => recorder.events.at(-1)?.startsWith('This room was upgraded'))
  matrix.faults.next.push({
    on: /PUT .*\/send\//,
    fault: { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'no' } },
  })
  assert.match(
    (await getError(gateway.send(room, 'x', nonce('y'), neverAborts))).message,
    'pair it in the new room',
  )
})

test('shows that it types, and that it no longer does when the message is sent', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, ada } = house
  const room = house.pair()
  const gateway = await house.open(house.listen())
  gateway.typing(room)
  const isTyping = () => matrix.server.findRoom(room).typing.has(ada.id)
  await waitFor('the indicator', isTyping)
  await gateway.send(room, 'done', nonce('a'), neverAborts)
  await waitFor('its end', () => !isTyping())
})

test.run()

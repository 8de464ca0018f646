/** Encrypted rooms: the user's client is another device with the same encryption. */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { encryptFile } from '../../packages/matrix/crypto/encrypted-file.ts'
import { megolm, openDevice, type TestDevice } from '../../packages/matrix/test/crypto-device.ts'
import { parseRelation } from '../../src/channels/matrix/message.ts'
import { waitFor } from '../calls.ts'
import type { Json } from '../stand-ins/matrix.ts'
import {
  createEncryptedRoom,
  createMatrixHouse,
  type MatrixHouse,
  matrixSuite,
  openUserDevice,
  passTime,
  readAll,
} from './matrix-house.ts'
import { collectBytes, neverAborts } from './telegram-house.ts'

const test = matrixSuite('Matrix encrypted')

/** Returns the content of an encrypted event. Its key arrives unless the server holds it back. */
const encryptContent = (device: TestDevice, room: string, members: readonly string[], content: Json) =>
  device.crypto.encrypt({ roomId: room, members, settings: megolm, type: 'm.room.message', content })

/** Sends any content, encrypted. */
const sendContent = async (device: TestDevice, room: string, members: readonly string[], content: Json) => {
  await device.sync()
  const encrypted = await encryptContent(device, room, members, content)
  const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.encrypted/${Math.random()}`
  return JSON.parse(await device.request('PUT', path, JSON.stringify(encrypted))).event_id as string
}

/** Lets the server hold back keys for the persona. Returns a function that delivers them. */
const holdKeys = ({ matrix: { server }, ada }: MatrixHouse) => {
  const held: typeof server.toDevice = []
  const push = server.toDevice.push.bind(server.toDevice)
  server.toDevice.push = (...items) => {
    for (const item of items)
      if (item.to.startsWith(ada.id)) held.push(item)
      else push(item)
    return server.toDevice.length
  }
  return () => {
    server.toDevice.push = push
    for (const item of held) push({ ...item, at: server.advance() })
    return held.length
  }
}

test('receives and sends encrypted texts, questions and files, and nothing in the clear', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, ada, folder } = house
  const recorder = house.listen()
  recorder.press = async () => ({ words: 'You allowed this once.', decided: true })
  const gateway = await house.open(recorder)
  await house.idle()
  const { room, device, members } = await createEncryptedRoom(house, context)
  await device.send(room, members, 'a secret')
  await waitFor('the message', () => recorder.messages.length === 1)
  assert.equal(house.texts(recorder), ['a secret'])

  const bytes = Buffer.from('the content of a file')
  const encrypted = await encryptFile(bytes)
  const url = house.nelly.upload(encrypted.bytes)
  const damaged = house.nelly.upload(Buffer.from('another content here!'))
  for (const address of [url, damaged])
    await sendContent(device, room, members, {
      msgtype: 'm.file',
      body: 'notes.txt',
      file: { ...encrypted.file, url: address },
    })
  await waitFor('the files', () => recorder.messages.length === 3)
  const [good, bad] = recorder.messages.slice(1).map(({ files }) => files[0])
  if (!good || !bad) throw new Error('a file is missing')
  assert.is(String(await collectBytes(good.bytes(neverAborts))), String(bytes))
  const error = await collectBytes(bad.bytes(neverAborts)).catch((caught) => caught)
  assert.equal([error.name, error.lasting], ['SendError', true])

  const buttons = [{ label: 'Yes, once', data: 'a:7:once' }]
  const question = (await gateway.send(room, 'May I **look**?', 'a'.repeat(24), neverAborts, buttons)) ?? ''
  const path = join(folder, 'own.txt')
  await writeFile(path, 'the file of the persona')
  const file = { path, name: 'own.txt', mime: 'text/plain', caption: 'look', voice: false }
  await gateway.sendFile(room, file, 'b'.repeat(24), neverAborts)
  house.nelly.react(room, question, '👍')
  await waitFor('the press', () => recorder.presses.length === 1)
  const contents = await waitFor('the result', async () => {
    const all = await readAll(house, device, room)
    return all.some((content) => content['m.new_content']) && all
  })
  assert.is(contents[0]?.body, 'May I **look**?\n\n👍 Yes, once')
  assert.equal([contents[1]?.body, contents[1]?.filename, contents[1]?.url], ['look', 'own.txt', undefined])
  assert.match(contents[2]?.['m.new_content'].body, 'You allowed this once.')
  const storedBytes = matrix.media.get(contents[1]?.file.url.split('/').at(-1))?.bytes
  assert.ok(storedBytes && !storedBytes.includes('persona'))
  const clear = matrix.sentBy(ada.id, room).filter(({ type }) => !/encrypted|reaction|redaction/.test(type))
  assert.equal(clear, [])
})

test('a text of the maximal length fits in an encrypted room with all kinds of characters', async (context) => {
  const house = await createMatrixHouse(context)
  const gateway = await house.open(house.listen())
  await house.idle()
  const { room, device } = await createEncryptedRoom(house, context)
  const texts = ['\u{1f600}', '漢', '"', '*a* '].map((character) =>
    character.repeat(Math.floor(gateway.limits.text / character.length)),
  )
  for (const [n, text] of texts.entries()) await gateway.send(room, text, `${n}`.repeat(24), neverAborts)
  const contents = await readAll(house, device, room)
  assert.equal(
    contents.map(({ body }) => body),
    texts,
  )
})

test('keeps a message without its key over a restart, sends one notice, and reads it when the key comes', async (context) => {
  const house = await createMatrixHouse(context)
  const { clock } = house
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  const { room, device, members } = await createEncryptedRoom(house, context)
  const release = holdKeys(house)
  await device.send(room, members, 'first')
  await device.send(room, members, 'second')
  await house.idle()
  assert.equal(recorder.messages, [])
  await gateway.close()
  await house.open(recorder)
  await house.idle()
  await clock.advance(11 * 60_000)
  // Ends the sync that waits.
  house.nelly.sendState(room, 'm.room.topic', { topic: 'a topic' })
  await waitFor('the notice', async () => (await readAll(house, device, room)).length > 0)
  assert.equal(recorder.messages, [])
  assert.ok(release() > 0)
  await waitFor('both messages', () => recorder.messages.length === 2)
  assert.equal(house.texts(recorder), ['first', 'second'])
  // The notice was encrypted for the device before it got its keys back.
  assert.is((await readAll(house, device, room)).length, 1)
})

const findSyncFile = async ({ folder }: MatrixHouse): Promise<string> =>
  join(folder, (await readdir(folder, { recursive: true })).find((name) => name.endsWith('sync.json')) ?? '')

test('keeps a message without its key while another room is full of them', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada, lines } = house
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  const { room, device, members } = await createEncryptedRoom(house, context)
  const eve = matrix.register('eve')
  const other = nelly.createRoom({ invite: [ada.id, eve.id] })
  eve.join(other)
  await waitFor(
    'the other room',
    () => matrix.server.membership(matrix.server.findRoom(other), ada.id) === 'join',
  )
  const release = holdKeys(house)
  await device.send(room, members, 'a secret')
  await house.idle()
  const content = await encryptContent(device, other, members, { body: 'unreadable' })
  for (let n = 0; n < 600; n++) eve.send(other, { ...content, padding: 'x'.repeat(3000) }, 'm.room.encrypted')
  await waitFor('the dropped events', () => lines.some((line) => line.includes('the oldest are dropped')))
  await house.idle()
  await gateway.close()
  await house.open(recorder)
  release()
  await waitFor('the message', () => recorder.messages.length === 1)
  assert.equal(house.texts(recorder), ['a secret'])
  const { size } = await stat(await findSyncFile(house))
  assert.ok(size < 1.5 * 1024 * 1024)
})

test('finds a new device of the user after the server rejected the position', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly } = house
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  await house.idle()
  const { room, device, members } = await createEncryptedRoom(house, context)
  await device.send(room, members, 'first')
  await waitFor('the first message', () => recorder.messages.length === 1)
  await gateway.send(room, 'for one device', 'a'.repeat(24), neverAborts)
  await house.idle()
  await gateway.close()
  const phone = await openUserDevice(house, context, 'PHONE')
  // An initial sync names no devices.
  matrix.faults.lostPositions = { below: matrix.server.getPosition() + 1, status: 400, code: 'M_UNKNOWN_POS' }
  const reopened = await house.open(recorder)
  nelly.send(room, 'end of the wait')
  await passTime(house, 'the initial sync', () => {
    const [last] = matrix.log.filter(({ path }) => path.includes('/sync')).slice(-1)
    return last?.path.includes(`since=s${matrix.server.getPosition()}`) === true
  })
  await reopened.send(room, 'for both devices', 'b'.repeat(24), neverAborts)
  matrix.faults.lostPositions = null
  assert.is((await readAll(house, phone, room)).at(-1)?.body, 'for both devices')
})

test('says how to sign the device if the homeserver asks for the password, once the paired room is encrypted', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, nelly, ada } = house
  matrix.faults.openSigning = false
  const room = house.pair()
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  nelly.send(room, 'not encrypted')
  await waitFor('the message', () => recorder.messages.length === 1)
  await house.idle()
  assert.equal(recorder.events, ['recovered'])
  nelly.sendState(room, 'm.room.encryption', megolm)
  await waitFor('the trouble', () => recorder.events.length === 2)
  assert.match(recorder.events[1] ?? '', /not signed.*asks for the password.*add the account again/)
  // Another program of the account makes an identity.
  const other = await openDevice({
    ...{ url: matrix.url, userId: ada.id, deviceId: 'OTHER', token: matrix.createToken(ada.id, 'OTHER') },
    ...{ folder: await mkdtemp(join(tmpdir(), 'matrix-')), password: 'ada-password' },
  })
  context.open.push(() => rm(other.account.folder, { recursive: true, force: true }), other.close)
  await passTime(house, 'the recovery', () => recorder.events.length === 3)
  assert.is(recorder.events[2], 'recovered')
})

test('sends a notice if waiting messages of the paired room are dropped', async (context) => {
  const house = await createMatrixHouse(context)
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  const { room, device, members } = await createEncryptedRoom(house, context)
  holdKeys(house)
  const content = await encryptContent(device, room, members, { body: 'unreadable' })
  for (let n = 0; n < 210; n++) house.nelly.send(room, content, 'm.room.encrypted')
  const notices = await waitFor('the notice', async () => {
    const contents = await readAll(house, device, room)
    return contents.length > 0 && contents
  })
  assert.equal([notices.length, /only the newest/.test(notices[0]?.body)], [1, true])
})

test('does not read an unencrypted message in an encrypted room, and sends a notice', async (context) => {
  const house = await createMatrixHouse(context)
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  const { room, device, members } = await createEncryptedRoom(house, context)
  house.nelly.send(room, 'forged by the server')
  house.nelly.send(room, 'forged again')
  await device.send(room, members, 'a secret')
  await waitFor('the message', () => recorder.messages.length === 1)
  assert.equal(house.texts(recorder), ['a secret'])
  const notices = await waitFor('the notice', async () => {
    const contents = await readAll(house, device, room)
    return contents.length > 0 && contents
  })
  assert.equal([notices.length, /only encrypted messages/.test(notices[0]?.body)], [1, true])
})

test('sends nothing in the clear if the server denies later that a room is encrypted', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, ada } = house
  const gateway = await house.open(house.listen())
  await house.idle()
  const { room } = await createEncryptedRoom(house, context)
  await house.idle()
  await gateway.close()
  assert.ok(matrix.server.rooms.get(room)?.state.delete('m.room.encryption\n'))
  const reopened = await house.open(house.listen())
  await reopened.send(room, 'an answer', 'a'.repeat(24), neverAborts)
  assert.equal(
    matrix.sentBy(ada.id, room).map(({ type }) => type),
    ['m.room.encrypted'],
  )
})

test('sends nothing in the clear, and no answer to another room, if the server hides the device', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, ada } = house
  const gateway = await house.open(house.listen())
  await house.idle()
  const { room } = await createEncryptedRoom(house, context)
  const otherRoom = house.nelly.createRoom({ invite: [ada.id] })
  await house.idle()
  await gateway.close()
  assert.ok(matrix.server.rooms.get(room)?.state.delete('m.room.encryption\n'))
  matrix.faults.noDevice = true
  const recorder = house.listen()
  const reopened = await house.open(recorder)
  const error = await reopened.send(room, 'an answer', 'a'.repeat(24), neverAborts).catch((caught) => caught)
  assert.equal([error.name, error.lasting], ['SendError', true])
  house.nelly.send(otherRoom, {
    msgtype: 'm.text',
    body: 'What do you know?',
    'm.mentions': { user_ids: [ada.id] },
  })
  // The relation of an encrypted event is not encrypted.
  const forged = { rel_type: 'm.thread', event_id: otherRoom }
  assert.is(parseRelation({ 'm.relates_to': forged }).thread, null)
  await house.idle()
  assert.equal(recorder.messages, [])
  assert.equal(matrix.sentBy(ada.id), [])
})

test('without a device there is no encryption, which is reported, and nothing is sent in the clear', async (context) => {
  const house = await createMatrixHouse(context)
  const { matrix, ada } = house
  const recorder = house.listen()
  matrix.faults.noDevice = true
  const gateway = await house.open(recorder)
  await house.idle()
  const { room, device, members } = await createEncryptedRoom(house, context)
  await device.send(room, members, 'a secret')
  await waitFor('the trouble', () => /encryption is not available/.test(recorder.events.at(-1) ?? ''))
  const error = await gateway.send(room, 'an answer', 'a'.repeat(24), neverAborts).catch((caught) => caught)
  assert.equal([error.name, error.lasting], ['SendError', true])
  assert.equal(matrix.sentBy(ada.id, room), [])
})

test.run()

/** Encryption of rooms between two real state machines, over a stand-in homeserver. */
import { open as openFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { waitFor } from '../../../test/calls.ts'
import { createMatrixStandIn, type MatrixStandIn } from '../../../test/stand-ins/matrix.ts'
import { CryptoUnavailable } from '../crypto/room-crypto.ts'
import {
  type Account,
  createTestAccount,
  type Json,
  megolm,
  newFolder,
  openDevice,
  silentLog,
  type TestDevice,
} from './crypto-device.ts'

const openDevices: TestDevice[] = []
const servers: MatrixStandIn[] = []
const folders: string[] = []
test.after.each(async () => {
  for (const device of openDevices.splice(0)) await device.close()
  for (const server of servers.splice(0)) await server.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const openServer = async () => {
  const server = await createMatrixStandIn()
  servers.push(server)
  return server
}

const createAccount = async (server: MatrixStandIn, name: string, deviceId: string): Promise<Account> => {
  const account = await createTestAccount(server, name, deviceId)
  folders.push(account.folder)
  return account
}

const open = async (account: Account) => {
  const device = await openDevice(account)
  openDevices.push(device)
  return device
}

/** Ada (the persona) and Bob (the user) in an encrypted room. */
const openPair = async () => {
  const server = await openServer()
  const ada = await open(await createAccount(server, 'ada', 'ADA'))
  const bob = await open(await createAccount(server, 'bob', 'BOB'))
  const room = await createRoom(ada, bob)
  await ada.sync()
  await bob.sync()
  const members = [ada.account.userId, bob.account.userId]
  return { server, ada, bob, room, members }
}

const createRoom = async (owner: TestDevice, ...others: readonly TestDevice[]): Promise<string> => {
  const invite = [...new Set(others.map(({ account }) => account.userId))]
  const body = JSON.stringify({ preset: 'private_chat', invite })
  const { room_id } = JSON.parse(await owner.request('POST', '/_matrix/client/v3/createRoom', body))
  for (const other of others) await other.request('POST', `/_matrix/client/v3/join/${room_id}`, '{}')
  return room_id
}

/** Returns the encrypted event of another user that arrived since the last sync. */
const nextEvent = async (device: TestDevice): Promise<Json> => {
  const events = (await device.sync()).filter(({ sender }) => sender !== device.account.userId)
  is(events.length, 1)
  return events[0] as Json
}

const getContent = (event: Json) => event.content as Record<string, unknown>

const getFailure = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('It did not fail.')
}

test('reads messages in both directions, and leaves relations outside', async () => {
  const { ada, bob, room, members } = await openPair()
  await bob.send(room, members, 'Hello Ada')
  is(await ada.read(room, await nextEvent(ada)), 'Hello Ada')
  const content = await ada.crypto.encrypt({
    ...{ roomId: room, members, settings: megolm, type: 'm.room.message' },
    content: {
      msgtype: 'm.text',
      body: 'Hello Bob',
      'm.relates_to': { rel_type: 'm.thread', event_id: '$1' },
    },
  })
  equal(content['m.relates_to'], { rel_type: 'm.thread', event_id: '$1' })
  not.match(JSON.stringify(content), 'Hello Bob')
})

test('reads a message after its key arrived, and reports the room of the key', async () => {
  const { ada, bob, room, members } = await openPair()
  const rooms: string[] = []
  const stop = ada.crypto.onRoomKeys((ids) => void rooms.push(...ids))
  await bob.send(room, members, 'Late')
  const { keys, events } = await ada.fetchSync()
  const event = events.find(({ type }) => type === 'm.room.encrypted') as Json
  match(await ada.read(room, event), /^not yet: /)
  await ada.crypto.receiveSync(keys)
  await waitFor('the room of the key', async () => rooms.includes(room))
  is(await ada.read(room, event), 'Late')
  stop()
})

test('continues with the same keys after it was opened again', async () => {
  const { server, ada, bob, room, members } = await openPair()
  await ada.send(room, members, 'one')
  const first = await nextEvent(bob)
  await ada.close()
  const adaAgain = await open(ada.account)
  await adaAgain.sync()
  await adaAgain.send(room, members, 'two')
  const second = await nextEvent(bob)
  is(await bob.read(room, first), 'one')
  is(await bob.read(room, second), 'two')
  is(getContent(second).session_id, getContent(first).session_id)
  await bob.send(room, members, 'three')
  is(await adaAgain.read(room, await nextEvent(adaAgain)), 'three')
  const uploads = server.log.filter(({ path, body }) => path.endsWith('/keys/upload') && body.device_keys)
  is(uploads.length, 2)
})

test('processes the same keys again after a crash before the position was stored', async () => {
  const { ada, bob, room, members } = await openPair()
  await bob.send(room, members, 'Twice')
  const { keys, events } = await ada.fetchSync()
  await ada.crypto.receiveSync(keys)
  await ada.crypto.receiveSync(keys)
  is(await ada.read(room, events.find(({ type }) => type === 'm.room.encrypted') as Json), 'Twice')
  await ada.send(room, members, 'Answer')
  is(await bob.read(room, await nextEvent(bob)), 'Answer')
})

test('keeps the better of two versions of a key that arrive together', async () => {
  const { ada, bob, room, members } = await openPair()
  await bob.send(room, members, 'first')
  // A new session makes Bob share the key again, from its present position.
  await ada.send(room, members, 'hello')
  await bob.sync()
  await bob.send(room, members, 'second')
  const events = (await ada.sync()).filter(({ sender }) => sender === bob.account.userId)
  equal(await Promise.all(events.map((event) => ada.read(room, event))), ['first', 'second'])
})

test('replaces the key after the number of messages that the room asks for', async () => {
  const { ada, bob, room, members } = await openPair()
  const sessions: unknown[] = []
  for (const text of ['a', 'b', 'c', 'd']) {
    // A later event cannot weaken the settings.
    const rotation_period_msgs = text === 'a' ? 2 : 1000
    await ada.send(room, members, text, { ...megolm, rotation_period_msgs })
    const event = await nextEvent(bob)
    is(await bob.read(room, event), text)
    sessions.push(getContent(event).session_id)
  }
  is(sessions[0], sessions[1])
  not(sessions[1] === sessions[2])
  is(sessions[2], sessions[3])
})

test('replaces the key when a member leaves', async () => {
  const { server, ada, bob, room, members } = await openPair()
  const eve = await open(await createAccount(server, 'eve', 'EVE'))
  const all = [...members, eve.account.userId]
  const invitation = JSON.stringify({ user_id: eve.account.userId })
  await ada.request('POST', `/_matrix/client/v3/rooms/${room}/invite`, invitation)
  await eve.request('POST', `/_matrix/client/v3/join/${room}`, '{}')
  await eve.sync()
  await ada.send(room, all, 'for all')
  is(await eve.read(room, await nextEvent(eve)), 'for all')
  await nextEvent(bob)
  await ada.send(room, members, 'without Eve')
  const event = await nextEvent(bob)
  is(await bob.read(room, event), 'without Eve')
  await eve.sync()
  match(await eve.read(room, event), /^not yet: /)
})

test('shares the key with a new device of a member', async () => {
  const { server, ada, bob, room, members } = await openPair()
  await ada.send(room, members, 'before')
  const firstEvent = await nextEvent(bob)
  const phone = await open(await createAccount(server, 'bob', 'PHONE'))
  await phone.sync()
  await ada.sync()
  await ada.send(room, members, 'after')
  const events = await phone.sync()
  is(await phone.read(room, events.at(-1) as Json), 'after')
  match(await phone.read(room, firstEvent), /^not yet: /)
})

test('refuses a message that is repeated in another event', async () => {
  const { ada, bob, room, members } = await openPair()
  await bob.send(room, members, 'Pay 10')
  const event = await nextEvent(ada)
  is(await ada.read(room, event), 'Pay 10')
  is(await ada.read(room, event), 'Pay 10')
  match(await ada.read(room, { ...event, event_id: '$repeated' }), /^lasting: It repeats/)
  await ada.close()
  const adaAgain = await open(ada.account)
  match(await adaAgain.read(room, { ...event, event_id: '$repeated' }), /^lasting: It repeats/)
  is(await adaAgain.read(room, event), 'Pay 10')
})

test('refuses forged, moved and damaged events permanently', async () => {
  const { server, ada, bob, room, members } = await openPair()
  const eve = await open(await createAccount(server, 'eve', 'EVE'))
  const other = await createRoom(ada, bob, eve)
  await bob.send(room, members, 'Hello')
  const event = await nextEvent(ada)
  const { ciphertext, ...content } = getContent(event)
  match(await ada.read(room, { ...event, sender: eve.account.userId }), /^lasting: Its sender is forged/)
  match(await ada.read(other, event), /^not yet: /) // a key is valid for one room
  const damagedText = `${String(ciphertext).slice(0, -8)}AAAAAAAA`
  match(await ada.read(room, { ...event, content: { ...content, ciphertext: damagedText } }), /^lasting: /)
  for (const wrongInput of [null, [], 'text', {}, { ...event, content: [] }, { ...event, event_id: 7 }])
    match(await ada.read(room, wrongInput as Json), /^lasting: /)
  match(await ada.read(room, { ...event, extra: 'x'.repeat(1e6) }), /^lasting: /)
  is(await ada.read(room, event), 'Hello')
})

test('reads after hostile events to the device', async () => {
  const { ada, bob, room, members } = await openPair()
  await bob.send(room, members, 'Still here')
  const { keys, events } = await ada.fetchSync()
  const sender = bob.account.userId
  let deep: unknown = 1
  for (let i = 0; i < 5000; i++) deep = [deep]
  const encrypted = (content: unknown) => ({ type: 'm.room.encrypted', sender, content })
  const hostile: unknown[] = [
    ...[
      null,
      7,
      'text',
      [],
      {},
      { type: 7, sender, content: {} },
      { type: 'm.dummy', sender: 'no id', content: {} },
    ],
    ...[
      encrypted({}),
      encrypted({ algorithm: 'm.olm.v1.curve25519-aes-sha2', ciphertext: [], sender_key: 1 }),
    ],
    encrypted({ algorithm: 'm.olm.v1.curve25519-aes-sha2', ciphertext: {}, sender_key: 'AAAA' }),
    encrypted({ algorithm: 'x'.repeat(1024 * 1024) }),
    { type: 'm.dummy', sender, content: { deep } },
    {
      type: 'm.room_key',
      sender,
      content: { algorithm: megolm.algorithm, room_id: room, session_id: 'x', session_key: 'y' },
    },
    {
      type: 'm.room_key_request',
      sender,
      content: { action: 'request', request_id: 'x', requesting_device_id: 'y' },
    },
    {
      type: 'm.key.verification.request',
      sender,
      content: { from_device: 'BOB', methods: ['m.sas.v1'], timestamp: 1 },
    },
    ...Array.from({ length: 2000 }, (_, i) => ({ type: 'm.dummy', sender, content: { i } })),
  ]
  const hostileIds = [sender, 'no id', '', '@', 'x'.repeat(300)]
  await ada.crypto.receiveSync({
    toDevice: [...hostile, ...keys.toDevice],
    deviceLists: { changed: hostileIds, left: 'no list' as unknown as string[] },
    oneTimeKeyCounts: { signed_curve25519: -1, other: Number.NaN, 'm.half': 0.5 },
    unusedFallbackKeys: [],
  })
  is(await ada.read(room, events.find(({ type }) => type === 'm.room.encrypted') as Json), 'Still here')
})

test('rejects a message while the keys of the members cannot be fetched, and sends it later', async () => {
  for (const path of [/keys\/query/, /keys\/claim/, /sendToDevice/]) {
    const { server, ada, bob, room, members } = await openPair()
    for (const fault of [{ status: 500, body: {} }, { status: 200, body: [] }, 'half', 'close'] as const) {
      server.faults.next.push({ on: path, fault })
      await getFailure(ada.send(room, members, 'lost'))
    }
    await bob.sync()
    await ada.send(room, members, 'kept')
    const events = await bob.sync()
    is(await bob.read(room, events.at(-1) as Json), 'kept')
  }
})

test('asks once for a user that the server does not know', async () => {
  const { server, ada, bob, room, members } = await openPair()
  await ada.send(room, members, 'one')
  const isQuery = ({ path }: { path: string }) => path.endsWith('/keys/query')
  const queries = server.log.filter(isQuery).length
  await ada.send(room, [...members, '@unknown:example.org'], 'two')
  is(server.log.filter(isQuery).length, queries + 1)
  const events = (await bob.sync()).filter(({ sender }) => sender !== bob.account.userId)
  equal(await Promise.all(events.map((event) => bob.read(room, event))), ['one', 'two'])
})

test('throws for a room with an unknown algorithm, and keeps it encrypted', async () => {
  const { ada, room, members } = await openPair()
  await ada.crypto.setEncrypted(room, { algorithm: 'org.example.none' })
  is(await ada.crypto.isEncrypted(room), true)
  is(await ada.crypto.isEncrypted('!other:example.org'), false)
  const failure = await getFailure(ada.send(room, members, 'x', { algorithm: 'org.example.none' }))
  ok(failure instanceof CryptoUnavailable)
})

test('refuses a device with keys of another program, and a device whose keys are lost', async () => {
  const { ada, bob } = await openPair()
  await bob.close()
  const folder = await newFolder()
  folders.push(folder)
  const failure = await getFailure(open({ ...bob.account, folder }))
  ok(failure instanceof CryptoUnavailable)
  match(failure.message, /password/)
  await rm(join(bob.account.folder, 'encryption-keys'))
  ok((await getFailure(open(bob.account))) instanceof CryptoUnavailable)
  const foreign = await getFailure(open({ ...ada.account, folder: bob.account.folder }))
  ok(foreign instanceof CryptoUnavailable)
})

test('refuses damaged keys, and drops only a record that was cut off', async () => {
  const { ada, bob, room, members } = await openPair()
  await ada.send(room, members, 'one')
  await ada.close()
  const path = join(ada.account.folder, 'encryption-keys')
  const wholeFile = await readFile(path)
  for (const position of [0, 20, Math.floor(wholeFile.length / 2), wholeFile.length - 3]) {
    const damagedText = Buffer.from(wholeFile)
    damagedText[position] = (damagedText[position] ?? 0) ^ 1
    await writeFile(path, damagedText)
    const failure = await getFailure(open(ada.account))
    ok(failure instanceof CryptoUnavailable, `byte ${position}`)
    match(failure.message, /damaged/)
    equal(await readFile(path), damagedText)
  }
  await writeFile(path, Buffer.concat([wholeFile, wholeFile.subarray(0, 40)]))
  ok((await getFailure(open(ada.account))) instanceof CryptoUnavailable)
  await writeFile(path, Buffer.concat([wholeFile, Buffer.alloc(5000)]))
  await (await open(ada.account)).close()
  await writeFile(path, '')
  ok((await getFailure(open(ada.account))) instanceof CryptoUnavailable)
  await writeFile(path, wholeFile)
  const storeKey = join(ada.account.folder, 'encryption-store-key')
  const key = await readFile(storeKey)
  await rm(storeKey)
  ok((await getFailure(open(ada.account))) instanceof CryptoUnavailable)
  await writeFile(storeKey, Buffer.alloc(32))
  ok((await getFailure(open(ada.account))) instanceof CryptoUnavailable)
  await truncate(storeKey, 5)
  ok((await getFailure(open(ada.account))) instanceof CryptoUnavailable)
  await writeFile(storeKey, key)
  const adaAgain = await open(ada.account)
  await adaAgain.send(room, members, 'two')
  const events = await bob.sync()
  is(await bob.read(room, events.at(-1) as Json), 'two')
})

test('returns no message when the disk fails, and continues after it was opened again', async () => {
  const { ada, bob, room, members } = await openPair()
  await ada.send(room, members, 'one')
  const prototype = await getFilePrototype()
  const { datasync } = prototype
  prototype.datasync = () => Promise.reject(new Error('EIO: i/o error'))
  match((await getFailure(ada.send(room, members, 'two'))).message, /EIO/)
  prototype.datasync = datasync
  match((await getFailure(ada.send(room, members, 'three'))).message, /EIO/)
  await ada.close()
  const adaAgain = await open(ada.account)
  await adaAgain.send(room, members, 'four')
  const events = (await bob.sync()).filter(({ sender }) => sender !== bob.account.userId)
  equal(await Promise.all(events.map((event) => bob.read(room, event))), ['one', 'four'])
})

/** All open files share it. */
const getFilePrototype = async (): Promise<{ datasync(): Promise<void> }> => {
  const file = await openFile(new URL(import.meta.url), 'r')
  await file.close()
  return Object.getPrototypeOf(file)
}

test('stores keys for the owner only', async () => {
  const { ada } = await openPair()
  for (const name of ['encryption-keys', 'encryption-store-key'])
    is((await stat(join(ada.account.folder, name))).mode & 0o777, 0o600)
})

test('gives the account an identity that signs the device', async () => {
  const server = await openServer()
  const account = await createAccount(server, 'ada', 'ADA')
  const device = await open({ ...account, password: 'ada-password' })
  const user = server.server.users.get(account.userId)
  ok(user?.crossSigning.master)
  const signatures = user?.devices.get('ADA')?.keys?.signatures[account.userId]
  is(Object.keys(signatures).length, 2)
  await device.close()
  await open(account)
  is(server.log.filter(({ path }) => path.endsWith('/keys/device_signing/upload')).length, 2)
})

test('works without an identity if the server refuses it, and uploads it later', async () => {
  const { server, ada, bob, room, members } = await openPair()
  not(server.server.users.get(ada.account.userId)?.crossSigning.master)
  await ada.send(room, members, 'unsigned')
  is(await bob.read(room, await nextEvent(bob)), 'unsigned')
  await ada.close()
  server.faults.openSigning = true
  await open(ada.account)
  ok(server.server.users.get(ada.account.userId)?.crossSigning.master)
})

test('uploads the identity with a later sync after a request failed', async () => {
  const server = await openServer()
  for (const fault of [{ status: 500, body: {} }, 'close', 'drop'] as const)
    server.faults.next.push({ on: /device_signing/, fault })
  let useCount = 0
  const onPasswordUsed = () => void useCount++
  const account = await createAccount(server, 'ada', 'ADA')
  const ada = await open({ ...account, password: 'ada-password', onPasswordUsed })
  equal([ada.crypto.identityTrouble, useCount], ['passing', 0])
  for (let n = 0; n < 10 && ada.crypto.identityTrouble !== null; n++) await ada.sync()
  equal([ada.crypto.identityTrouble, useCount], [null, 1])
  ok(server.server.users.get(ada.account.userId)?.crossSigning.master)
})

test('reports a password that is missing or wrong, until another program makes the identity', async () => {
  const server = await openServer()
  let useCount = 0
  const wrongDevice = await open({
    ...(await createAccount(server, 'ada', 'WRONG')),
    password: 'not-the-password',
    onPasswordUsed: () => void useCount++,
  })
  is(useCount, 1)
  const ada = await open(await createAccount(server, 'ada', 'ADA'))
  equal([wrongDevice.crypto.identityTrouble, ada.crypto.identityTrouble], ['password', 'password'])
  await ada.sync()
  const uploads = () => server.log.filter(({ path }) => path.endsWith('/device_signing/upload')).length
  const uploadCount = uploads()
  for (let n = 0; n < 5; n++) await ada.sync()
  is(uploads(), uploadCount)
  const other = await open({ ...(await createAccount(server, 'ada', 'OTHER')), password: 'ada-password' })
  is(other.crypto.identityTrouble, null)
  const { master } = server.server.users.get(ada.account.userId)?.crossSigning ?? {}
  for (let n = 0; n < 10 && ada.crypto.identityTrouble !== null; n++) await ada.sync()
  is(ada.crypto.identityTrouble, null)
  equal(server.server.users.get(ada.account.userId)?.crossSigning.master, master)
})

test('reports a server that asks for more than a password', async () => {
  const server = await openServer()
  const body = { flows: [{ stages: ['m.login.sso'] }], params: {}, session: 'signing' }
  server.faults.next.push({ on: /device_signing/, fault: { status: 401, body } })
  const ada = await open({ ...(await createAccount(server, 'ada', 'ADA')), password: 'ada-password' })
  is(ada.crypto.identityTrouble, 'refused')
  ok(!server.log.some(({ body }) => JSON.stringify(body).includes('ada-password')))
})

test('keeps the identity that another program gave the account', async () => {
  const server = await openServer()
  server.faults.openSigning = true
  await open(await createAccount(server, 'ada', 'FIRST'))
  const { master } = server.server.users.get(`@ada:${server.serverName}`)?.crossSigning ?? {}
  const lines: string[] = []
  const log = { ...silentLog, info: (_: object, line: string) => void lines.push(line) }
  await open({ ...(await createAccount(server, 'ada', 'SECOND')), log })
  equal(server.server.users.get(`@ada:${server.serverName}`)?.crossSigning.master, master)
  match(lines.join(), /identity of another program/)
})

test('opens a folder once', async () => {
  const { ada } = await openPair()
  match((await getFailure(open(ada.account))).message, /open already/)
})

test('encrypts and decrypts at the same time', async () => {
  const { ada, bob, room, members } = await openPair()
  const settings = { ...megolm, rotation_period_msgs: 3 }
  const texts = Array.from({ length: 12 }, (_, i) => `message ${i}`)
  await Promise.all(texts.map((text) => ada.send(room, members, text, settings)))
  const { keys, events } = await bob.fetchSync()
  await bob.crypto.receiveSync(keys)
  const all = JSON.parse(
    await bob.request('GET', `/_matrix/client/v3/rooms/${room}/messages?dir=b&limit=100`, ''),
  )
  const encrypted = (all.chunk as Json[]).filter(({ type }) => type === 'm.room.encrypted')
  const read = await Promise.all(encrypted.map((event) => bob.read(room, event)))
  equal(read.sort(), [...texts].sort())
  ok(events.length > 0)
})

test.run()

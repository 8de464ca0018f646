/** A disk that fails while a Matrix account receives and sends. It continues when the disk works again. */
// Runs alone: it replaces Node's file calls.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import * as assert from 'uvu/assert'
import type { RoomCrypto } from '../../packages/matrix/crypto/room-crypto.ts'
import type { Connection } from '../../packages/matrix/send-event.ts'
import { megolm } from '../../packages/matrix/test/crypto-device.ts'
import {
  createFailingFiles,
  type FailingFiles,
  type FileCall,
  type FileError,
} from '../../packages/matrix/test/failing-files.ts'
import { createConnector } from '../../src/channels/matrix/connect.ts'
import { openEncryptedRooms } from '../../src/channels/matrix/encrypted-rooms.ts'
import { waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import type { Json } from '../stand-ins/matrix.ts'
import {
  createEncryptedRoom,
  createMatrixHouse,
  matrixSuite,
  openUserDevice,
  passTime,
  readAll,
} from './matrix-house.ts'
import { neverAborts } from './telegram-house.ts'

const test = matrixSuite('Matrix disk')

let files: FailingFiles
test.before.each(() => {
  files = createFailingFiles()
})
test.after.each(() => files.restore())

/** A new key with each message. */
const settings = { algorithm: 'm.megolm.v1.aes-sha2', rotation_period_msgs: 1 }

const broken: Readonly<Record<string, readonly [call: FileCall | null, file: RegExp, error: FileError]>> = {
  'a sync of the keys': ['sync', /^encryption-keys/, 'EIO'],
  'a write of the keys': ['write', /^encryption-keys/, 'ENOSPC'],
  'replacing the position': ['rename', /^sync\.json/, 'EIO'],
  'writing the position': ['write', /^sync\.json/, 'ENOSPC'],
  'every file call': [null, /./, 'EIO'],
}

for (const [name, [call, file, code]] of Object.entries(broken))
  test(`receives and sends everything once after ${name} failed for minutes (${code})`, async (context) => {
    const house = await createMatrixHouse(context)
    const { folder, clock, matrix, ada } = house
    const recorder = house.listen()
    const gateway = await house.open(recorder)
    await house.idle()
    const { room, device, members } = await createEncryptedRoom(house, context)
    await device.send(room, members, 'before', settings)
    await waitFor('the first message', () => recorder.messages.length === 1)
    await house.idle()

    let failedCalls = 0
    files.fail = (failedCall, path) => {
      const isMet =
        path.startsWith(folder) && file.test(basename(path)) && (call ?? failedCall) === failedCall
      if (isMet) failedCalls++
      return isMet ? code : null
    }
    await device.send(room, members, 'one', settings)
    await device.send(room, members, 'two', settings)
    await passTime(house, 'the trouble', () => recorder.events.length > 1, 20_000)
    assert.match(recorder.events[1] ?? '', new RegExp(`cannot be stored on this machine \\(${code}\\)`))
    assert.ok(failedCalls > 2)
    // The attempts have pauses.
    const asked = matrix.log.length
    await clock.advance(60_000)
    assert.ok(matrix.log.length - asked < 10)
    const send = () => gateway.send(room, 'an answer', 'a'.repeat(24), neverAborts)
    const isKeys = file.test('encryption-keys')
    if (isKeys) {
      const error = await send().catch((caught) => caught)
      assert.equal([error.name, error.lasting], ['SendError', false])
      assert.equal(matrix.sentBy(ada.id, room), [])
    }

    files.fail = () => null
    await passTime(house, 'the recovery', () => recorder.events.at(-1) === 'recovered', 20_000)
    await passTime(house, 'the messages', () => recorder.messages.length >= 3)
    assert.is(recorder.events.length, 3)
    await send()
    assert.equal(
      (await readAll(house, device, room)).map(({ body }) => body),
      ['an answer'],
    )
    await device.send(room, members, 'three', settings)
    await passTime(house, 'the last message', () => recorder.messages.length >= 4)
    await house.idle()
    await gateway.close()
    await house.open(recorder)
    await device.send(room, members, 'four', settings)
    await passTime(house, 'the message after a restart', () => recorder.messages.length >= 5)
    await house.idle()
    assert.equal(house.texts(recorder), ['before', 'one', 'two', 'three', 'four'])
  })

test('opens the encryption again after growing pauses, however often it is asked for', async () => {
  const clock = createFakeClock()
  const error = Object.assign(new Error('EIO: failed on purpose'), { code: 'EIO', syscall: 'fsync' })
  const attempts: number[] = []
  const closed: number[] = []
  let failure: Error | null = null
  const open = async (): Promise<Connection> => {
    const n = attempts.push(clock.now())
    if (n < 5) throw error
    const crypto = {
      get failure() {
        return n === 5 ? failure : null
      },
      close: async () => void closed.push(n),
    } as RoomCrypto
    return { api: {} as Connection['api'], crypto, cryptoTrouble: null }
  }
  const connector = createConnector(open, clock)
  const askFor = async (seconds: number) => {
    for (let n = 0; n < seconds * 4; n++) {
      const caught = await connector.connect().catch((reason) => reason)
      if (caught instanceof Error) assert.match(caught.message, 'cannot be stored on this machine (EIO)')
      await clock.advance(250)
    }
  }
  const [start] = [clock.now()]
  await askFor(20)
  assert.equal(
    attempts.map((at) => at - start),
    [0, 1000, 3000, 7000, 15_000],
  )
  await clock.advance(10 * 60_000)
  failure = error
  await askFor(5)
  assert.equal([attempts.length, closed], [6, [5]])
  assert.is(clock.now() - (attempts[5] ?? 0), 4000)
})

test('opens an account when the disk works again', async (context) => {
  const house = await createMatrixHouse(context)
  const { folder } = house
  const room = house.pair()
  const recorder = house.listen()
  files.fail = (_, path) => (path.startsWith(folder) ? 'EIO' : null)
  const gateway = await house.open(recorder)
  await passTime(house, 'the trouble', () => recorder.events.length > 0, 20_000)
  assert.match(recorder.events[0] ?? '', 'cannot be stored on this machine (EIO)')
  files.fail = () => null
  await passTime(house, 'the recovery', () => recorder.events.at(-1) === 'recovered', 20_000)
  house.nelly.send(room, 'hello')
  await waitFor('the message', () => recorder.messages.length === 1)
  await gateway.send(room, 'an answer', 'a'.repeat(24), neverAborts)
})

test('executes a command once whose record could not be stored at first', async (context) => {
  const house = await createMatrixHouse(context)
  const room = house.pair()
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  files.fail = (_, path) => (basename(path).startsWith('commands.json') ? 'ENOSPC' : null)
  house.nelly.send(room, '/restart')
  await waitFor('the failure', () => house.lines.some((line) => line.includes('it is tried again')))
  assert.equal(recorder.messages, [])
  files.fail = () => null
  await passTime(house, 'the command', () => recorder.messages.length > 0)
  house.nelly.send(room, 'hello')
  await waitFor('the message', () => recorder.messages.length === 2)
  assert.equal(recorder.messages[0]?.command, 'restart')
})

test('lists at most 5000 rooms that a server calls encrypted, and any room with an encrypted message', async (context) => {
  const house = await createMatrixHouse(context)
  const { folder, matrix, nelly } = house
  const room = house.pair()
  // The list protects the paired room in another way.
  house.paired = null
  const recorder = house.listen()
  await house.open(recorder)
  await house.idle()
  let writes = 0
  files.fail = (call, path) => {
    if (call === 'rename' && basename(path).startsWith('encrypted.json')) writes++
    return null
  }
  const lie = (answer: Json) => {
    for (let n = 0; n < 6000; n++) {
      const event = {
        ...{ type: 'm.room.encryption', state_key: '', event_id: `$${n}` },
        ...{ sender: '@eve:example.org', content: megolm },
      }
      answer.rooms.join[`!${n}:example.org`] = { timeline: { events: [event] } }
    }
    return answer
  }
  matrix.faults.next.push({ on: /sync/, fault: { lie } })
  const readList = async () => JSON.parse(await readFile(join(folder, 'encrypted.json'), 'utf8'))
  // Ends the sync that waits, so that the next one lies.
  nelly.send(room, 'one')
  await waitFor('the first message', () => recorder.messages.length === 1)
  nelly.send(room, 'two')
  await waitFor('the second message', () => recorder.messages.length === 2)
  await house.idle()
  assert.equal([(await readList()).length, writes], [5000, 1])
  nelly.sendState(room, 'm.room.encryption', megolm)
  const device = await openUserDevice(house, context, 'NELLYDEVICE')
  await house.idle()
  assert.is((await readList()).length, 5000)
  await device.send(room, [nelly.id, house.ada.id], 'a secret', settings)
  await waitFor('the secret', () => recorder.messages.length === 3)
  assert.equal((await readList()).slice(5000), [room])
})

test('lists the paired room and a room that is added, however many were noted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'matrix-'))
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const open = () => openEncryptedRooms(folder, { getMainRoom: () => '!paired:e.org', log })
  const rooms = open()
  for (let n = 0; n < 6000; n++) await rooms.note(`!${n}:e.org`)
  assert.is(await rooms.note('!paired:e.org'), true)
  await rooms.add('!used:e.org')
  const isListed = ['!0:e.org', '!5999:e.org', '!paired:e.org', '!used:e.org'].map(open().has)
  assert.equal(await Promise.all(isListed), [true, false, true, true])
  await rm(folder, { recursive: true })
})

test('reports a list of encrypted rooms that is too large, and sends nothing', async (context) => {
  const house = await createMatrixHouse(context)
  const { folder, matrix, nelly, ada } = house
  const path = join(folder, 'encrypted.json')
  await writeFile(path, JSON.stringify(['x'.repeat(64 * 1024 * 1024)]))
  const room = house.pair()
  const recorder = house.listen()
  const gateway = await house.open(recorder)
  const send = () => gateway.send(room, 'an answer', 'a'.repeat(24), neverAborts)
  await passTime(house, 'the trouble', () => recorder.events.length > 1, 20_000)
  assert.match(recorder.events[1] ?? '', /encrypted\.json\) is too large/)
  const error = await send().catch((caught) => caught)
  assert.equal([error.name, error.lasting, matrix.sentBy(ada.id, room)], ['SendError', false, []])
  await rm(path)
  await passTime(house, 'the recovery', () => recorder.events.at(-1) === 'recovered', 20_000)
  nelly.send(room, 'hello')
  await waitFor('the message', () => recorder.messages.length === 1)
  await send()
})

test.run()

/** A disk that fails at each file call of the encryption: after it is opened again, nothing is lost. */
// Runs alone: it replaces Node's file calls.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import { equal, instance, is, not, ok } from 'uvu/assert'
import { createMatrixStandIn, type MatrixStandIn } from '../../../test/stand-ins/matrix.ts'
import { openDurableMap } from '../crypto/durable-map.ts'
import { readPosition } from '../crypto/repeated-messages.ts'
import { createTestAccount, type Json, newFolder, openDevice, type TestDevice } from './crypto-device.ts'
import { createFailingFiles, type FailingFiles, type FileError, failOnce } from './failing-files.ts'

let files: FailingFiles
let server: MatrixStandIn
const devices: TestDevice[] = []
const folders: string[] = []
test.before.each(async () => {
  files = createFailingFiles()
  server = await createMatrixStandIn()
  server.faults.openSigning = true
})
test.after.each(async () => {
  files.restore()
  for (const device of devices.splice(0)) await device.close()
  await server.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const createAccount = async (name: string, deviceId: string) => {
  const account = await createTestAccount(server, name, deviceId)
  folders.push(account.folder)
  return account
}

/** Bob's device, and a room of him and Ada. */
const createRoom = async () => {
  const bob = await openDevice(await createAccount('bob', 'BOB'))
  devices.push(bob)
  const ada = server.register('ada')
  const body = JSON.stringify({ preset: 'private_chat', invite: [ada.id] })
  const created = JSON.parse(await bob.request('POST', '/_matrix/client/v3/createRoom', body))
  const room: string = created.room_id
  ada.join(room)
  return { bob, ada, room, members: [ada.id, bob.account.userId] }
}

/** A new key with each message. */
const settings = { algorithm: 'm.megolm.v1.aes-sha2', rotation_period_msgs: 1 }

for (const code of ['EIO', 'ENOSPC'] as const satisfies readonly FileError[])
  test(`opens the keys of a new device after ${code} at each file call`, async () => {
    const { bob, room, members } = await createRoom()
    let isMet = true
    let n = 0
    for (; isMet; n++) {
      const account = await createAccount('ada', `ADA${n}`)
      const trap = failOnce(files, account.folder, n, code)
      let failures = 0
      let device: TestDevice | undefined
      while (!device)
        device = await openDevice(account).catch((error) => {
          is(error.code, code, `call ${n}: ${error.message}`)
          ok(++failures < 3, error.message)
          return undefined
        })
      isMet = trap.isMet()
      files.fail = () => null
      await bob.sync()
      await bob.send(room, members, `hello ${n}`, settings)
      const event = (await device.sync()).at(-1) as Json
      is(await device.read(room, event), `hello ${n}`)
      await device.close()
    }
    ok(n > 10, `${n} calls`)
  })

for (const code of ['EIO', 'ENOSPC'] as const satisfies readonly FileError[])
  test(`loses no key and repeats no position after ${code} at each file call`, async () => {
    const { bob, room, members } = await createRoom()
    const account = await createAccount('ada', 'ADA')
    let ada = await openDevice(account)
    await ada.sync()
    await bob.sync()
    const places = new Set<string>()
    /** Opens the keys again from the last position that was reached, until the work succeeds. */
    const insist = async <T>(work: () => Promise<T>): Promise<T> => {
      for (let times = 0; times < 4; times++)
        try {
          return await work()
        } catch (error) {
          ok(ada.crypto.failure, String(error))
          await ada.close()
          ada = await openDevice(account).catch(() => openDevice(account))
        }
      throw new Error('it fails again and again')
    }
    let isMet = true
    let n = 0
    for (; isMet; n++) {
      const trap = failOnce(files, account.folder, n, code)
      const sentId = await bob.send(room, members, `to Ada ${n}`, settings)
      const events = await insist(() => ada.sync())
      const event = events.find(({ event_id }) => event_id === sentId)
      if (event) is(await insist(() => ada.read(room, event)), `to Ada ${n}`)
      else is(ada.crypto.failure, null)
      await insist(() => ada.send(room, members, `to Bob ${n}`))
      isMet = trap.isMet()
      files.fail = () => null
      const answers = (await bob.sync()).filter(({ sender }) => sender === account.userId)
      is(answers.length, 1)
      const answer = answers[0] as Json
      is(await bob.read(room, answer), `to Bob ${n}`)
      const { session_id, ciphertext } = answer.content as { session_id: string; ciphertext: string }
      const place = `${session_id} ${readPosition(ciphertext)}`
      not(places.has(place))
      places.add(place)
      // Every message is readable from the beginning.
      await ada.close()
      ada = await openDevice(account)
      const all = (await ada.sync()).filter(({ sender }) => sender === bob.account.userId)
      const texts = await Promise.all(all.map((item) => ada.read(room, item)))
      ok(texts.length > 0)
      equal(texts, Array.from({ length: n + 1 }, (_, i) => `to Ada ${i}`).slice(-texts.length))
    }
    await ada.close()
    ok(n > 6, `${n} calls`)
  })

test('continues with the old file if there is no space to rewrite it', async () => {
  const folder = await newFolder()
  folders.push(folder)
  const path = join(folder, 'keys')
  const map = await openDurableMap(path)
  files.fail = (call, name) => (call === 'open' && name.endsWith('.new') ? 'ENOSPC' : null)
  const text = 'x'.repeat(300_000)
  for (let n = 0; n < 12; n++) await map.write([['key', `${n}${text}`]])
  is(map.failure, null)
  await map.close()
  equal(await readdir(folder), ['keys'])
  files.fail = () => null
  const newMap = await openDurableMap(path)
  is(newMap.get('key'), `11${text}`)
  await newMap.close()
})

test('rejects every write after a failed one, and drops it when it is closed', async () => {
  const folder = await newFolder()
  folders.push(folder)
  const path = join(folder, 'keys')
  const map = await openDurableMap(path)
  await map.write([['a', '1']])
  files.fail = (call) => (call === 'sync' ? 'EIO' : null)
  const failure = await map.write([['a', '2']]).catch((error) => error)
  is(failure.code, 'EIO')
  files.fail = () => null
  is(await map.write([['b', '1']]).catch((error) => error), failure)
  is(map.failure, failure)
  await map.close()
  const newMap = await openDurableMap(path)
  equal([...newMap.entries()], [['a', '1']])
  await newMap.close()
  instance(failure, Error)
})

test.run()

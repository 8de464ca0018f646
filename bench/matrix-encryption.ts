/**
 * Measures the encryption of Matrix rooms: loading it, one message, and the stored keys after 10 000
 * messages.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMatrixStandIn } from '../test/stand-ins/matrix.ts'
import { type Figure, median } from './figure.ts'

const messages = 10_000
const measuredMessages = 200
const settings = { algorithm: 'm.megolm.v1.aes-sha2' }

export const matrixEncryption = async (): Promise<readonly Figure[]> => {
  const server = await createMatrixStandIn()
  server.faults.openSigning = true
  const folder = await mkdtemp(join(tmpdir(), 'daimon-bench-'))
  globalThis.gc?.()
  const bytesBefore = process.memoryUsage().rss
  const start = performance.now()
  const { openDevice } = await import('../packages/matrix/test/crypto-device.ts')
  const open = (name: string) => {
    const userId = `@${name}:${server.serverName}`
    if (!server.server.users.has(userId)) server.register(name)
    const account = { url: server.url, userId, deviceId: name, folder: join(folder, name) }
    return openDevice({ ...account, token: server.createToken(userId, name) })
  }
  const ada = await open('ada')
  const loadMs = performance.now() - start
  const loadedBytes = process.memoryUsage().rss - bytesBefore
  const bob = await open('bob')
  const roomId = '!room:example.org'
  const members = [ada.account.userId, bob.account.userId]
  const message = (body: string) => ({
    ...{ roomId, members, settings, type: 'm.room.message' },
    content: { msgtype: 'm.text', body },
  })
  const encryptMs: number[] = []
  const decryptMs: number[] = []
  for (let i = 0; i < messages; i++) {
    const before = performance.now()
    const content = await bob.crypto.encrypt(message(`A few words, as one says them. ${i}`))
    const between = performance.now()
    // Bob's key changes every 100 messages.
    if (i % 100 === 0) await ada.sync()
    const event = {
      type: 'm.room.encrypted',
      sender: bob.account.userId,
      content,
      room_id: roomId,
      origin_server_ts: i,
    }
    const beforeDecrypt = performance.now()
    const result = await ada.crypto.decrypt(roomId, { ...event, event_id: `$event-${i}` })
    if (result.state !== 'clear') throw new Error(result.reason)
    if (i >= messages - measuredMessages) {
      encryptMs.push(between - before)
      decryptMs.push(performance.now() - beforeDecrypt)
    }
  }
  await ada.close()
  const { size } = await stat(join(ada.account.folder, 'encryption-keys'))
  const openMs: number[] = []
  for (let i = 0; i < 5; i++) {
    const before = performance.now()
    const again = await open('ada')
    openMs.push(performance.now() - before)
    await again.close()
  }
  await bob.close()
  await server.close()
  await rm(folder, { recursive: true })
  const atMost = (label: string, value: number, unit: string, most: number): Figure => ({
    ...{ label: `encryption of Matrix: ${label}`, value, unit },
    ...{ goal: `≤ ${most} ${unit}`, isMet: value <= most },
  })
  return [
    atMost('load and create a device', loadMs, 'ms', 3000),
    atMost('memory after loading', loadedBytes / 1e6, 'MB', 100),
    atMost('encrypt a message, synced', median(encryptMs), 'ms', 20),
    atMost('decrypt a message, synced', median(decryptMs), 'ms', 20),
    atMost(`stored keys after ${messages} messages`, size / 1e6, 'MB', 8),
    atMost(`open the keys of ${messages} messages`, median(openMs), 'ms', 500),
  ]
}

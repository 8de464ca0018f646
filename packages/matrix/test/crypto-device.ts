/** A device of a user on the stand-in homeserver, with the encryption under test. */
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MatrixStandIn } from '../../../test/stand-ins/matrix.ts'
import type { Log } from '../../kit/log.ts'
import { openRoomCrypto } from '../crypto/open-room-crypto.ts'
import {
  type Decrypted,
  RequestRefused,
  type RoomCrypto,
  type RoomEncryption,
  type SyncedKeys,
} from '../crypto/room-crypto.ts'

export type Json = Record<string, unknown>

export const megolm: RoomEncryption = { algorithm: 'm.megolm.v1.aes-sha2' }
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export interface Account {
  readonly url: string
  readonly userId: string
  readonly deviceId: string
  readonly token: string
  readonly folder: string
  readonly password?: string | null
  readonly onPasswordUsed?: () => void
  readonly log?: Log
}

export interface TestDevice {
  readonly account: Account
  readonly crypto: RoomCrypto
  request(method: 'GET' | 'POST' | 'PUT', path: string, body: string): Promise<string>
  /** Syncs once, gives the keys to the encryption, and returns the events of the timelines. */
  sync(): Promise<readonly Json[]>
  /** Syncs once without giving the keys to the encryption. */
  fetchSync(): Promise<{
    readonly keys: SyncedKeys
    readonly events: readonly Json[]
    readonly position: string
  }>
  /** Encrypts and sends a text, and returns the id of the event. */
  send(room: string, members: readonly string[], text: string, settings?: RoomEncryption): Promise<string>
  /** Returns the text of a decrypted event, or why it cannot be read. */
  read(room: string, event: Json): Promise<string>
  close(): Promise<void>
}

/** Registers the user if it is new, and creates a token and a folder for a device. */
export const createTestAccount = async (
  server: MatrixStandIn,
  name: string,
  deviceId: string,
): Promise<Account> => {
  const userId = `@${name}:${server.serverName}`
  if (!server.server.users.has(userId)) server.register(name)
  const token = server.createToken(userId, deviceId)
  return { url: server.url, userId, deviceId, token, folder: await newFolder() }
}

export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'daimon-keys-'))

const createRequest =
  ({ url, token }: Pick<Account, 'url' | 'token'>) =>
  async (method: 'GET' | 'POST' | 'PUT', path: string, body: string): Promise<string> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body }),
    })
    const text = await response.text()
    if (!response.ok) throw new RequestRefused(response.status, text)
    return text
  }

/** `position`: start of the sync. */
export const openDevice = async (account: Account, position = ''): Promise<TestDevice> => {
  const request = createRequest(account)
  const { userId, deviceId, folder, password = null, log = silentLog, onPasswordUsed = () => {} } = account
  const crypto = await openRoomCrypto({
    ...{ userId, deviceId, folder, request, log, onPasswordUsed },
    getPassword: () => password,
  })
  let syncPosition = position
  const fetchSync = async () => {
    const query = syncPosition && `&since=${syncPosition}`
    const answer = JSON.parse(await request('GET', `/_matrix/client/v3/sync?timeout=0${query}`, ''))
    syncPosition = answer.next_batch
    const rooms: { timeline: { events: Json[] } }[] = Object.values(answer.rooms.join)
    const keys: SyncedKeys = {
      toDevice: answer.to_device.events,
      deviceLists: answer.device_lists,
      oneTimeKeyCounts: answer.device_one_time_keys_count,
      unusedFallbackKeys: answer.device_unused_fallback_key_types,
    }
    return { keys, events: rooms.flatMap(({ timeline }) => timeline.events), position: syncPosition }
  }
  const sync = async () => {
    const { keys, events } = await fetchSync()
    await crypto.receiveSync(keys)
    return events.filter(({ type }) => type === 'm.room.encrypted')
  }
  const send = async (room: string, members: readonly string[], text: string, settings = megolm) => {
    const content = await crypto.encrypt({
      ...{ roomId: room, members, settings },
      ...{ type: 'm.room.message', content: { msgtype: 'm.text', body: text } },
    })
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.encrypted/${randomUUID()}`
    return JSON.parse(await request('PUT', path, JSON.stringify(content))).event_id
  }
  const read = async (room: string, event: Json) => describe(await crypto.decrypt(room, event))
  return { account, crypto, request, sync, fetchSync, send, read, close: () => crypto.close() }
}

const describe = (decrypted: Decrypted): string =>
  decrypted.state === 'clear'
    ? String(decrypted.content.body)
    : `${decrypted.lasting ? 'lasting' : 'not yet'}: ${decrypted.reason}`

/** Opens the encryption of one device: its keys, the library's state machine, and the requests of both. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DecryptionSettings, OlmMachine } from '@matrix-org/matrix-sdk-crypto-wasm'
import pLimit from 'p-limit'
import { makeInnerFolder, writeWhole } from '../../../journal/files/places.ts'
import { isObject } from '../../kit/is-object.ts'
import { ensureCrossSigning } from './cross-signing.ts'
import { type CryptoLibrary, loadCryptoLibrary } from './crypto-library.ts'
import { type DurableMap, MapDamaged, openDurableMap } from './durable-map.ts'
import { type FakeIndexedDb, openKeyDatabases } from './key-databases.ts'
import { createOutgoingRequests, type OutgoingRequests, toError } from './outgoing-requests.ts'
import {
  CryptoUnavailable,
  type Decrypted,
  type RoomCrypto,
  type RoomCryptoDeps,
  type RoomEncryption,
  type RoomMessage,
  type SyncedKeys,
} from './room-crypto.ts'
import { isRepeated } from './seen-messages.ts'

const keysFile = 'encryption-keys'
const storeKeyFile = 'encryption-store-key'
const algorithm = 'm.megolm.v1.aes-sha2'

/** Max events that the library processes at once, so that the daemon can do other work between. */
const maxEventsAtOnce = 50
/** Max characters of an event. Servers accept 65 536 bytes. */
const maxEventChars = 256 * 1024
const maxIdChars = 255
/** A key that is shared while the device list changes is shared again at most this often. */
const maxShareRounds = 5

const openFolders = new Set<string>()

/** Throws CryptoUnavailable, or the error of a request. */
export const openRoomCrypto = async (deps: RoomCryptoDeps): Promise<RoomCrypto> => {
  const { folder } = deps
  if (openFolders.has(folder)) throw new Error('The encryption of this channel is open already')
  openFolders.add(folder)
  try {
    const { map, storeKey } = await openFiles(folder)
    try {
      return await openOnMap(deps, map, storeKey, () => openFolders.delete(folder))
    } catch (error) {
      await map.close()
      throw error
    }
  } catch (error) {
    openFolders.delete(folder)
    throw error
  }
}

const newDeviceAdvice = 'Remove the channel and add it again with the password, which makes a new device.'

/**
 * Opens the keys, and the key that they are encrypted with. A missing file never leads to new keys for a device
 * that has some: `checkDevice` compares them with the server's.
 */
const openFiles = async (folder: string): Promise<{ map: DurableMap; storeKey: Uint8Array }> => {
  await makeInnerFolder(folder)
  const storeKeyPath = join(folder, storeKeyFile)
  const stored = await readIfPresent(storeKeyPath)
  if (!stored && (await readIfPresent(join(folder, keysFile))))
    throw new CryptoUnavailable(`The key of the encryption keys is missing. ${newDeviceAdvice}`)
  const storeKey = stored ?? randomBytes(32)
  if (storeKey.length !== 32)
    throw new CryptoUnavailable(`The key of the encryption keys is damaged. ${newDeviceAdvice}`)
  if (!stored) await writeWhole(storeKeyPath, storeKey)
  try {
    return { map: await openDurableMap(join(folder, keysFile)), storeKey }
  } catch (error) {
    if (!(error instanceof MapDamaged)) throw error
    throw new CryptoUnavailable(`${error.message}. ${newDeviceAdvice}`)
  }
}

const readIfPresent = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const openOnMap = async (
  deps: RoomCryptoDeps,
  map: DurableMap,
  storeKey: Uint8Array,
  onClosed: () => void,
): Promise<RoomCrypto> => {
  const { userId, log, request } = deps
  const { library, databases } = await loadCryptoLibrary()
  const keyDatabases = await openKeyDatabases(map, databases as unknown as FakeIndexedDb)
  let machine: OlmMachine | null = null
  const closeAll = async () => {
    machine?.close()
    await map.flush().catch(() => {})
    keyDatabases.close()
    await map.close()
    onClosed()
  }
  try {
    await claimForDevice(map, deps)
    machine = await openMachine(library, { ...deps, name: keyDatabases.name, storeKey })
    await map.flush()
    const outgoing = createOutgoingRequests({ library, machine, request, log })
    await checkDevice(machine, deps)
    await outgoing.alone(async () => {
      if ((await outgoing.sendDue()) > 0) throw new Error('The server did not take the keys of this device')
      await ensureCrossSigning({ ...deps, library, machine: machine as OlmMachine, outgoing })
    })
    return createRoomCrypto({ library, machine, map, outgoing, userId, close: closeAll })
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** The keys of one device are useless for another. */
const claimForDevice = async (map: DurableMap, { userId, deviceId }: RoomCryptoDeps): Promise<void> => {
  const owner = JSON.stringify([userId, deviceId])
  const stored = map.get('device')
  if (stored === undefined) return map.write([['device', owner]])
  if (stored !== owner)
    throw new CryptoUnavailable(`The stored encryption keys are those of another device. ${newDeviceAdvice}`)
}

const openMachine = async (
  library: CryptoLibrary,
  { userId, deviceId, name, storeKey, log }: RoomCryptoDeps & { name: string; storeKey: Uint8Array },
): Promise<OlmMachine> => {
  const report = (text: unknown) =>
    log.debug({ reason: String(text).slice(0, 300) }, 'Message of the encryption library')
  const logger = { debug: () => {}, info: () => {}, warn: report, error: report }
  try {
    const store = await library.StoreHandle.openWithKey(name, storeKey, logger)
    const [user, device] = [new library.UserId(userId), new library.DeviceId(deviceId)]
    return await library.OlmMachine.initFromStore(user, device, store, logger)
  } catch (error) {
    throw new CryptoUnavailable(
      `The encryption keys cannot be opened (${toError(error).message}). ${newDeviceAdvice}`,
    )
  }
}

/** Throws CryptoUnavailable if the server has keys of this device which another program made. */
const checkDevice = async (
  machine: OlmMachine,
  { userId, deviceId, request }: RoomCryptoDeps,
): Promise<void> => {
  const body = JSON.stringify({ device_keys: { [userId]: [deviceId] } })
  const answer: unknown = JSON.parse(await request('POST', '/_matrix/client/v3/keys/query', body))
  const devices = isObject(answer) && isObject(answer.device_keys) ? answer.device_keys[userId] : null
  const device = isObject(devices) ? devices[deviceId] : null
  if (!isObject(device) || !isObject(device.keys)) return
  const { ed25519, curve25519 } = machine.identityKeys
  const isOwn =
    device.keys[`ed25519:${deviceId}`] === ed25519.toBase64() &&
    device.keys[`curve25519:${deviceId}`] === curve25519.toBase64()
  if (isOwn) return
  throw new CryptoUnavailable(
    `The device of this access token has encryption keys of another program, or of an earlier state. ${newDeviceAdvice}`,
  )
}

interface Parts {
  readonly library: CryptoLibrary
  readonly machine: OlmMachine
  readonly map: DurableMap
  readonly outgoing: OutgoingRequests
  readonly userId: string
  readonly close: () => Promise<void>
}

const createRoomCrypto = (parts: Parts): RoomCrypto => {
  const { library, machine, map, outgoing } = parts
  const receiving = pLimit(1)
  const running = new Set<Promise<unknown>>()
  const listeners = new Set<(roomIds: readonly string[]) => void>()
  let closing: Promise<void> | null = null

  void machine.registerRoomKeyUpdatedCallback(async (keys) => {
    const rooms = [...new Set(keys.map(({ roomId }) => roomId.toString()))]
    if (!closing) for (const listener of listeners) listener(rooms)
  })

  /** Runs a call to its end before the keys are closed. Its result is returned when its changes are on disk. */
  const run = <T>(work: () => Promise<T>): Promise<T> => {
    if (closing) return Promise.reject(new Error('The encryption is closed'))
    const result = (async () => {
      try {
        return await work()
      } catch (error) {
        throw toError(error)
      } finally {
        await map.flush()
      }
    })()
    running.add(result)
    const remove = () => void running.delete(result)
    result.then(remove, remove)
    return result
  }

  const receiveSync = async (keys: SyncedKeys) => {
    const events = keys.toDevice.map(readToDevice).filter((text) => text !== null)
    let { changed, left } = keys.deviceLists
    for (let start = 0; start === 0 || start < events.length; start += maxEventsAtOnce) {
      await machine.receiveSyncChanges(
        `[${events.slice(start, start + maxEventsAtOnce).join(',')}]`,
        new library.DeviceLists(toUserIds(library, changed), toUserIds(library, left)),
        new Map(
          Object.entries(keys.oneTimeKeyCounts).filter(
            ([, count]) => Number.isSafeInteger(count) && count >= 0,
          ),
        ),
        keys.unusedFallbackKeys && new Set(keys.unusedFallbackKeys),
        untrusted(library),
      )
      changed = left = []
    }
    await map.flush()
    await outgoing.alone(outgoing.sendDue)
  }

  const close = () => {
    closing ??= (async () => {
      await Promise.allSettled(running)
      await parts.close()
    })()
    return closing
  }

  return {
    receiveSync: (keys) => run(() => receiving(() => receiveSync(keys))),
    decrypt: (roomId, event) => run(() => decrypt(parts, roomId, event)),
    encrypt: (message) => run(() => outgoing.alone(() => encrypt(parts, message))),
    setEncrypted: (roomId, settings) => run(() => setEncrypted(parts, roomId, settings)),
    isEncrypted: (roomId) => run(async () => (await getSettings(parts, roomId)) !== undefined),
    onRoomKeys: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close,
  }
}

const untrusted = ({ DecryptionSettings, TrustRequirement }: CryptoLibrary): DecryptionSettings =>
  new DecryptionSettings(TrustRequirement.Untrusted)

/** Returns the JSON of an event to this device. Null if it has no valid form. */
const readToDevice = (event: unknown): string | null => {
  if (!isObject(event) || !isId(event.type) || !isId(event.sender) || !isObject(event.content)) return null
  return toLimitedJson(event)
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= maxIdChars

const toLimitedJson = (value: unknown): string | null => {
  try {
    const text = JSON.stringify(value)
    return text.length <= maxEventChars ? text : null
  } catch {
    return null // too deep
  }
}

/** Leaves out ids that are not valid. The library consumes the returned objects. */
const toUserIds = ({ UserId }: CryptoLibrary, users: readonly unknown[] = []) =>
  users.filter(isId).flatMap((user) => {
    try {
      return [new UserId(user)]
    } catch {
      return []
    }
  })

const getSettings = async ({ machine, library }: Parts, roomId: string) =>
  machine.getRoomSettings(new library.RoomId(roomId))

const setEncrypted = async (parts: Parts, roomId: string, settings: RoomEncryption): Promise<void> => {
  const { library, machine } = parts
  if (settings.algorithm !== algorithm || (await getSettings(parts, roomId))) return
  const stored = new library.RoomSettings()
  stored.algorithm = library.EncryptionAlgorithm.MegolmV1AesSha2
  stored.onlyAllowTrustedDevices = false
  stored.sessionRotationPeriodMessages = readPeriod(settings.rotation_period_msgs)
  stored.sessionRotationPeriodMs = readPeriod(settings.rotation_period_ms)
  await machine.setRoomSettings(new library.RoomId(roomId), stored)
}

const readPeriod = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined

const encrypt = async (parts: Parts, message: RoomMessage): Promise<Readonly<Record<string, unknown>>> => {
  const { library, machine, map, outgoing } = parts
  const { roomId, members, settings, type, content } = message
  await setEncrypted(parts, roomId, settings)
  if (!(await getSettings(parts, roomId)))
    throw new CryptoUnavailable('The room asks for an encryption that is not known here')
  await machine.updateTrackedUsers(toUserIds(library, members))
  await outgoing.sendDue()
  await shareRoomKey(parts, roomId, members)
  const encrypted = await machine.encryptRoomEvent(new library.RoomId(roomId), type, JSON.stringify(content))
  await map.flush()
  return JSON.parse(encrypted) as Record<string, unknown>
}

/** Returns when every device of the members has the key of the room, or was told that it gets none. */
const shareRoomKey = async (parts: Parts, roomId: string, members: readonly string[]): Promise<void> => {
  const { library, machine, map, outgoing } = parts
  const claim = await machine.getMissingSessions(toUserIds(library, members))
  if (claim) await outgoing.send(claim)
  // Again, because a key that expires while it is sent must be replaced before it is used.
  for (let round = 0; round < maxShareRounds; round++) {
    const settings = await getEncryptionSettings(parts, roomId)
    const requests = await machine.shareRoomKey(
      new library.RoomId(roomId),
      toUserIds(library, members),
      settings,
    )
    await map.flush()
    if (requests.length === 0) return
    for (const request of requests) await outgoing.send(request)
  }
  throw new Error('The key of the room expired while it was sent')
}

/** All devices get the key, also those that nobody verified: a persona cannot verify devices. */
const getEncryptionSettings = async (parts: Parts, roomId: string) => {
  const { library } = parts
  const stored = await getSettings(parts, roomId)
  const settings = new library.EncryptionSettings()
  settings.algorithm = library.EncryptionAlgorithm.MegolmV1AesSha2
  settings.sharingStrategy = library.CollectStrategy.allDevices()
  const { sessionRotationPeriodMessages: messages, sessionRotationPeriodMs: ms } = stored ?? {}
  if (messages !== undefined) settings.rotationPeriodMessages = BigInt(messages)
  if (ms !== undefined) settings.rotationPeriod = BigInt(ms) * 1000n
  return settings
}

const lasting = (reason: string): Decrypted => ({ state: 'unreadable', lasting: true, reason })
const notYet = (reason: string): Decrypted => ({ state: 'unreadable', lasting: false, reason })

const decrypt = async (parts: Parts, roomId: string, event: unknown): Promise<Decrypted> => {
  const { library, machine, map, outgoing } = parts
  const text = isObject(event) ? toLimitedJson(event) : null
  if (text === null || !isObject(event) || !isObject(event.content))
    return lasting('It is not an encrypted event')
  const { sender, event_id: eventId, content } = event
  if (!isId(sender) || !isId(eventId) || typeof content.ciphertext !== 'string' || !isId(content.session_id))
    return lasting('It is not an encrypted event')
  const read = () => readEvent(parts, roomId, text)
  let result = await read()
  if (result.state === 'unknown device') {
    await outgoing.alone(async () => {
      await machine.updateTrackedUsers(toUserIds(library, [sender]))
      await outgoing.sendDue()
    })
    result = await read()
    if (result.state === 'unknown device') return notYet('The device that sent it is not known')
  }
  if (result.state !== 'clear') return result
  const message = { sessionId: content.session_id, ciphertext: content.ciphertext, eventId }
  const { repeated, changes } = isRepeated(map, message)
  if (repeated) return lasting('It repeats the message of another event')
  await map.write(changes)
  await setEncrypted(parts, roomId, { algorithm })
  return result
}

const readEvent = async (
  { library, machine }: Parts,
  roomId: string,
  text: string,
): Promise<Decrypted | { readonly state: 'unknown device' }> => {
  try {
    const decrypted = await machine.decryptRoomEvent(text, new library.RoomId(roomId), untrusted(library))
    const { code } = decrypted.shieldState(true)
    if (code === library.ShieldStateCode.MismatchedSender) return lasting('Its sender is forged')
    if (code === library.ShieldStateCode.UnknownDevice) return { state: 'unknown device' }
    const clear: unknown = JSON.parse(decrypted.event)
    return isObject(clear) && typeof clear.type === 'string' && isObject(clear.content)
      ? { state: 'clear', type: clear.type, content: clear.content }
      : lasting('Its content has no valid form')
  } catch (error) {
    return describeFailure(library, error)
  }
}

const describeFailure = (
  { MegolmDecryptionError, DecryptionErrorCode }: CryptoLibrary,
  error: unknown,
): Decrypted => {
  if (!(error instanceof MegolmDecryptionError)) return lasting(toError(error).message)
  switch (error.code) {
    case DecryptionErrorCode.MissingRoomKey:
      return notYet(error.maybe_withheld ?? 'Its key has not arrived')
    case DecryptionErrorCode.UnknownMessageIndex:
      return notYet('Its key is valid only for later messages')
    case DecryptionErrorCode.UnknownSenderDevice:
      return notYet('The device that sent it is not known')
    default:
      return lasting(error.description)
  }
}

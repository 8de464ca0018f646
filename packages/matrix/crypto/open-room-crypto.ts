/** Opens the encryption of one device: its keys, the library's state machine, and the requests of both. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OlmMachine } from '@matrix-org/matrix-sdk-crypto-wasm'
import pLimit from 'p-limit'
import { makeInnerFolder, writeWhole } from '../../../journal/leveldb/durable-files.ts'
import { isObject } from '../../kit/is-object.ts'
import { ensureCrossSigning } from './cross-signing.ts'
import {
  type CryptoDevice,
  getRoom,
  isId,
  setEncrypted,
  toLimitedJson,
  toUserIds,
  untrusted,
} from './crypto-device.ts'
import { type CryptoLibrary, loadCryptoLibrary } from './crypto-library.ts'
import { decryptEvent } from './decrypt-event.ts'
import { type DurableMap, MapDamaged, openDurableMap } from './durable-map.ts'
import { encryptMessage } from './encrypt-message.ts'
import { openKeyDatabases } from './key-databases.ts'
import { createOutgoingRequests, toError } from './outgoing-requests.ts'
import {
  CryptoUnavailable,
  type IdentityTrouble,
  type RoomCrypto,
  type RoomCryptoDeps,
  type SyncedKeys,
} from './room-crypto.ts'

const keysFile = 'encryption-keys'
const storeKeyFile = 'encryption-store-key'

/** Max events that the library processes at once, so that the daemon can do other work between. */
const maxEventsAtOnce = 50

const openFolders = new Set<string>()

/** Throws CryptoUnavailable, or the error of a request or of the disk. */
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
 * Opens the keys, and the key that they are encrypted with. A missing file never leads to new keys for a
 * device that has some: `checkDevice` compares them with the server's.
 */
const openFiles = async (folder: string): Promise<{ map: DurableMap; storeKey: Uint8Array }> => {
  await makeInnerFolder(folder)
  const storeKeyPath = join(folder, storeKeyFile)
  const storedKey = await readIfPresent(storeKeyPath)
  if (!storedKey && (await readIfPresent(join(folder, keysFile))))
    throw new CryptoUnavailable(`The key of the encryption keys is missing. ${newDeviceAdvice}`)
  const storeKey = storedKey ?? randomBytes(32)
  if (storeKey.length !== 32)
    throw new CryptoUnavailable(`The key of the encryption keys is damaged. ${newDeviceAdvice}`)
  if (!storedKey) await writeWhole(storeKeyPath, storeKey)
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
  const { log, request } = deps
  const { library, databases } = await loadCryptoLibrary()
  const keyDatabases = await openKeyDatabases(map, databases)
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
    const options = { ...deps, name: keyDatabases.name, storeKey }
    machine = await map.atomic(() => openMachine(library, options))
    const outgoing = createOutgoingRequests({ library, machine, map, request, log })
    const device = { library, machine, map, outgoing }
    await checkDevice(machine, deps)
    const ensureIdentity = () => ensureCrossSigning({ ...deps, ...device })
    const identityTrouble = await outgoing.alone(async () => {
      const [failure] = await outgoing.sendDue()
      if (failure) throw failure.error
      return ensureIdentity()
    })
    const identity = createIdentityRetries(deps.userId, identityTrouble, ensureIdentity)
    return createRoomCrypto(device, identity, closeAll)
  } catch (error) {
    // The library describes an error of the disk as one of its own.
    const failure = map.failure ?? error
    await closeAll()
    throw failure
  }
}

/** The keys of one device are useless for another. */
const claimForDevice = async (map: DurableMap, { userId, deviceId }: RoomCryptoDeps): Promise<void> => {
  const owner = JSON.stringify([userId, deviceId])
  const storedOwner = map.get('device')
  if (storedOwner === undefined) return map.write([['device', owner]])
  if (storedOwner !== owner)
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
  const answer = parse(await request('POST', '/_matrix/client/v3/keys/query', body))
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

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('The server gave no valid answer about the keys of this device')
  }
}

interface IdentityRetries {
  readonly trouble: IdentityTrouble | null
  /** Call it after each sync, inside `outgoing.alone`. */
  retry(changedUsers: readonly string[]): Promise<void>
}

const maxSyncsBetweenRetries = 128

/** Tries again after 1, 2, 4, … syncs if a request failed, and when the keys of the user change. */
const createIdentityRetries = (
  userId: string,
  initialTrouble: IdentityTrouble | null,
  ensureIdentity: () => Promise<IdentityTrouble | null>,
): IdentityRetries => {
  let trouble = initialTrouble
  let syncs = 0
  let nextRetry = 1
  return {
    get trouble() {
      return trouble
    },
    retry: async (changedUsers) => {
      if (trouble === null) return
      const isDue = ++syncs >= nextRetry && trouble === 'passing'
      if (!isDue && !changedUsers.includes(userId)) return
      syncs = 0
      nextRetry = Math.min(nextRetry * 2, maxSyncsBetweenRetries)
      trouble = await ensureIdentity()
    },
  }
}

const createRoomCrypto = (
  device: CryptoDevice,
  identity: IdentityRetries,
  closeAll: () => Promise<void>,
): RoomCrypto => {
  const { machine, map, outgoing } = device
  const receiving = pLimit(1)
  const runningCalls = new Set<Promise<unknown>>()
  const listeners = new Set<(roomIds: readonly string[]) => void>()
  let closed: Promise<void> | null = null
  /** The failure of the map before it was closed. */
  let failure: Error | null = null

  void machine.registerRoomKeyUpdatedCallback(async (keys) => {
    const rooms = [...new Set(keys.map(({ roomId }) => roomId.toString()))]
    if (closed === null) for (const listener of listeners) listener(rooms)
  })

  /**
   * Runs a call to its end before the keys are closed. Its result is returned when its changes are on disk.
   */
  const run = <T>(work: () => Promise<T>): Promise<T> => {
    if (closed !== null) return Promise.reject(failure ?? new Error('The encryption is closed'))
    const result = (async () => {
      try {
        return await work()
      } catch (error) {
        throw toError(error)
      } finally {
        await map.flush()
      }
    })()
    runningCalls.add(result)
    const remove = () => void runningCalls.delete(result)
    result.then(remove, remove)
    return result
  }
  const close = async () => {
    failure = map.failure
    await Promise.allSettled(runningCalls)
    failure ??= map.failure
    await closeAll()
  }

  return {
    get failure() {
      return closed === null ? map.failure : failure
    },
    get identityTrouble() {
      return identity.trouble
    },
    receiveSync: (keys) =>
      run(() =>
        receiving(async () => {
          await receiveSync(device, keys)
          await outgoing.alone(() => identity.retry(keys.deviceLists.changed ?? []))
        }),
      ),
    decrypt: (roomId, event) => run(() => decryptEvent(device, roomId, event)),
    encrypt: (message) => run(() => outgoing.alone(() => encryptMessage(device, message))),
    setEncrypted: (roomId, settings) => run(() => setEncrypted(device, roomId, settings)),
    isEncrypted: (roomId) => run(async () => getRoom(device, roomId) !== null),
    onRoomKeys: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

const receiveSync = async (
  { library, machine, map, outgoing }: CryptoDevice,
  { isInitial = false, toDevice, deviceLists, oneTimeKeyCounts, unusedFallbackKeys }: SyncedKeys,
): Promise<void> => {
  const isCount = ([, count]: [string, unknown]) => Number.isSafeInteger(count) && Number(count) >= 0
  let { changed, left } = deviceLists
  for (const events of splitEvents(toDevice)) {
    const lists = new library.DeviceLists(toUserIds(library, changed), toUserIds(library, left))
    const counts = new Map(Object.entries(oneTimeKeyCounts).filter(isCount))
    const fallbacks = unusedFallbackKeys && new Set(unusedFallbackKeys)
    // The library stores a new session before the room key that came with it. If only the session were on
    // disk after a crash, the server's next delivery of the key could not be decrypted.
    await map.atomic(() => machine.receiveSyncChanges(events, lists, counts, fallbacks, untrusted(library)))
    changed = left = []
  }
  if (isInitial) await machine.markAllTrackedUsersAsDirty()
  await outgoing.alone(outgoing.sendDue)
}

/**
 * Returns JSON lists of the valid events, at least one list. Encrypted events are alone: of two versions of a
 * room key in one list, the library keeps the last instead of the better one.
 */
const splitEvents = (events: readonly unknown[]): readonly string[] => {
  const lists: string[][] = [[]]
  for (const event of events) {
    const text = readToDevice(event)
    if (text === null) continue
    const isAlone = isObject(event) && event.type === 'm.room.encrypted'
    if (isAlone || (lists.at(-1)?.length ?? 0) >= maxEventsAtOnce) lists.push([])
    lists.at(-1)?.push(text)
    if (isAlone) lists.push([])
  }
  const filled = lists.filter((list) => list.length > 0)
  return (filled.length > 0 ? filled : [[]]).map((list) => `[${list.join(',')}]`)
}

/** Returns the JSON of an event to this device. Null if it has no valid form. */
const readToDevice = (event: unknown): string | null => {
  if (!isObject(event) || !isId(event.type) || !isId(event.sender) || !isObject(event.content)) return null
  return toLimitedJson(event)
}

/** Encrypts a message for a room, after every device of the members got the key. */
import type { EncryptionSettings } from '@matrix-org/matrix-sdk-crypto-wasm'
import { type CryptoDevice, getRoom, setEncrypted, toUserIds } from './crypto-device.ts'
import { CryptoUnavailable, type RoomMessage } from './room-crypto.ts'

/** A key that expires while it is sent is replaced at most this often. */
const maxShareRounds = 5

/** Call it inside `outgoing.alone`. */
export const encryptMessage = async (
  device: CryptoDevice,
  message: RoomMessage,
): Promise<Readonly<Record<string, unknown>>> => {
  const { library, machine, map, outgoing } = device
  const { roomId, members, settings, type, content } = message
  await setEncrypted(device, roomId, settings)
  if (getRoom(device, roomId)?.isUnknown)
    throw new CryptoUnavailable('The room asks for an encryption that is not known here')
  await machine.updateTrackedUsers(toUserIds(library, members))
  for (const { request, error } of await outgoing.sendDue())
    if (request.type === library.RequestType.KeysQuery) throw error // the devices of the members are not known
  await shareRoomKey(device, roomId, members)
  const encrypted = await machine.encryptRoomEvent(new library.RoomId(roomId), type, JSON.stringify(content))
  await map.flush() // a position of the key is never used twice
  return JSON.parse(encrypted) as Record<string, unknown>
}

/** Returns when every device of the members has received the key of the room or a refusal. */
const shareRoomKey = async (
  device: CryptoDevice,
  roomId: string,
  members: readonly string[],
): Promise<void> => {
  const { library, machine, outgoing } = device
  const claim = await machine.getMissingSessions(toUserIds(library, members))
  if (claim) await outgoing.send(claim)
  // Again, because a key that expires while it is sent must be replaced before it is used.
  for (let round = 0; round < maxShareRounds; round++) {
    const settings = createSettings(device, roomId)
    const requests = await machine.shareRoomKey(
      new library.RoomId(roomId),
      toUserIds(library, members),
      settings,
    )
    if (requests.length === 0) return
    for (const request of requests) await outgoing.send(request)
  }
  throw new Error('The key of the room expired while it was sent')
}

/** All devices get the key, also unverified ones: a persona cannot verify devices. */
const createSettings = (device: CryptoDevice, roomId: string): EncryptionSettings => {
  const { library } = device
  const { maxMessages = null, maxAgeMs = null } = getRoom(device, roomId) ?? {}
  const settings = new library.EncryptionSettings()
  settings.algorithm = library.EncryptionAlgorithm.MegolmV1AesSha2
  settings.sharingStrategy = library.CollectStrategy.allDevices()
  if (maxMessages !== null) settings.rotationPeriodMessages = BigInt(maxMessages)
  if (maxAgeMs !== null) settings.rotationPeriod = BigInt(maxAgeMs) * 1000n
  return settings
}

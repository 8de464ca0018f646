/** The opened encryption of one device, and which of its rooms are encrypted. */
import type { DecryptionSettings, OlmMachine, UserId } from '@matrix-org/matrix-sdk-crypto-wasm'
import type { CryptoLibrary } from './crypto-library.ts'
import type { DurableMap } from './durable-map.ts'
import type { OutgoingRequests } from './outgoing-requests.ts'
import type { RoomEncryption } from './room-crypto.ts'

export interface CryptoDevice {
  readonly library: CryptoLibrary
  readonly machine: OlmMachine
  readonly map: DurableMap
  readonly outgoing: OutgoingRequests
}

const algorithm = 'm.megolm.v1.aes-sha2'
/** Max characters of an event. Servers accept 65 536 bytes. */
const maxEventChars = 256 * 1024
const maxIdChars = 255

/** The settings of an encrypted room. A later change of its settings can only replace keys more often. */
export interface EncryptedRoom {
  /** The room asked for an algorithm that is not known here, so no message can be sent. */
  readonly isUnknown: boolean
  /** Max messages with one key. Null: the default of the library. */
  readonly maxMessages: number | null
  /** Max age of a key in ms. Null: the default of the library. */
  readonly maxAgeMs: number | null
}

/** Returns null if the room was never encrypted. */
export const getRoom = ({ map }: CryptoDevice, roomId: string): EncryptedRoom | null => {
  const text = map.get(roomKey(roomId))
  return text === undefined ? null : (JSON.parse(text) as EncryptedRoom)
}

const roomKey = (roomId: string) => `room/${roomId}`

/** See RoomCrypto. */
export const setEncrypted = async (
  device: CryptoDevice,
  roomId: string,
  settings: RoomEncryption,
): Promise<void> => {
  if (!isId(roomId)) throw new Error('The id of the room is not valid')
  const knownRoom = getRoom(device, roomId)
  const isKnownAlgorithm = settings.algorithm === algorithm
  const merged: EncryptedRoom = {
    isUnknown: isKnownAlgorithm ? false : (knownRoom?.isUnknown ?? true),
    maxMessages: getSmaller(knownRoom?.maxMessages, isKnownAlgorithm ? settings.rotation_period_msgs : null),
    maxAgeMs: getSmaller(knownRoom?.maxAgeMs, isKnownAlgorithm ? settings.rotation_period_ms : null),
  }
  const text = JSON.stringify(merged)
  if (text !== device.map.get(roomKey(roomId))) await device.map.write([[roomKey(roomId), text]])
}

const getSmaller = (left: unknown, right: unknown): number | null => {
  const periods = [left, right].filter(isPeriod)
  return periods.length > 0 ? Math.min(...periods) : null
}

const isPeriod = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0

/** Events of unverified devices are read, as in other clients. */
export const untrusted = ({ DecryptionSettings, TrustRequirement }: CryptoLibrary): DecryptionSettings =>
  new DecryptionSettings(TrustRequirement.Untrusted)

export const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= maxIdChars

/** Returns null if the JSON is too long or too deep. */
export const toLimitedJson = (value: unknown): string | null => {
  try {
    const text = JSON.stringify(value)
    return text.length <= maxEventChars ? text : null
  } catch {
    return null // too deep
  }
}

/** Leaves out ids that are not valid. The library consumes the returned objects. */
export const toUserIds = ({ UserId }: CryptoLibrary, users: unknown): UserId[] =>
  (Array.isArray(users) ? users : []).filter(isId).flatMap((user) => {
    try {
      return [new UserId(user)]
    } catch {
      return []
    }
  })

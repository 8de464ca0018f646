/** Decrypts an event of a room, and recognises forged and repeated ones. */
import { isObject } from '../../kit/is-object.ts'
import {
  type CryptoDevice,
  isId,
  setEncrypted,
  toLimitedJson,
  toUserIds,
  untrusted,
} from './crypto-device.ts'
import type { CryptoLibrary } from './crypto-library.ts'
import { isRepeated } from './repeated-messages.ts'
import type { Decrypted } from './room-crypto.ts'

const lasting = (reason: string): Decrypted => ({ state: 'unreadable', lasting: true, reason })
const notYet = (reason: string): Decrypted => ({ state: 'unreadable', lasting: false, reason })

export const decryptEvent = async (
  device: CryptoDevice,
  roomId: string,
  event: unknown,
): Promise<Decrypted> => {
  const { library, machine, map, outgoing } = device
  const text = isObject(event) ? toLimitedJson(event) : null
  if (text === null || !isObject(event) || !isObject(event.content))
    return lasting('It is not an encrypted event')
  const { sender, event_id: eventId, content } = event
  if (!isId(sender) || !isId(eventId) || typeof content.ciphertext !== 'string' || !isId(content.session_id))
    return lasting('It is not an encrypted event')
  const read = () => readEvent(device, roomId, text)
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
  await setEncrypted(device, roomId, { algorithm: 'm.megolm.v1.aes-sha2' })
  return result
}

const readEvent = async (
  { library, machine }: CryptoDevice,
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

const damagedEvent = lasting('It was changed on its way, or has no valid form')

const describeFailure = (
  { MegolmDecryptionError, DecryptionErrorCode }: CryptoLibrary,
  error: unknown,
): Decrypted => {
  if (!(error instanceof MegolmDecryptionError)) return damagedEvent
  switch (error.code) {
    case DecryptionErrorCode.MissingRoomKey:
      return notYet(error.maybe_withheld ?? 'Its key has not arrived')
    case DecryptionErrorCode.UnknownMessageIndex:
      return notYet('Its key is valid only for later messages')
    case DecryptionErrorCode.UnknownSenderDevice:
      return notYet('The device that sent it is not known')
    default:
      return damagedEvent
  }
}

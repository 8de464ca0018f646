/**
 * Recognises repeated messages. The position of a message in its Megolm session may appear in one event only;
 * the encryption library leaves this check to its user.
 *
 * https://spec.matrix.org/v1.16/client-server-api/#mmegolmv1aes-sha2
 */
import { createHash } from 'node:crypto'
import type { Change, DurableMap } from './durable-map.ts'

/** Positions per entry of the map, so that an entry stays small. */
const blockSize = 64

/**
 * Returns true if another event had the same position. Otherwise adds the event; the change that makes it
 * durable is in `changes`. `ciphertext`: of a message that was decrypted.
 */
export const isRepeated = (
  map: DurableMap,
  message: { readonly sessionId: string; readonly ciphertext: string; readonly eventId: string },
): { readonly repeated: boolean; readonly changes: readonly Change[] } => {
  const position = readPosition(message.ciphertext)
  const key = `seen/${message.sessionId}/${Math.floor(position / blockSize)}`
  const block = JSON.parse(map.get(key) ?? '{}') as Record<string, string>
  const hash = createHash('sha256').update(message.eventId).digest('base64').slice(0, 16)
  const knownHash = block[position]
  if (knownHash !== undefined) return { repeated: knownHash !== hash, changes: [] }
  return { repeated: false, changes: [[key, JSON.stringify({ ...block, [position]: hash })]] }
}

/**
 * Reads the position from a Megolm message: a version byte, then the field 0x08 with a variable-length
 * integer.
 *
 * https://gitlab.matrix.org/matrix-org/olm/-/blob/master/docs/megolm.md#message-format
 */
export const readPosition = (ciphertext: string): number => {
  const bytes = Buffer.from(ciphertext.slice(0, 16), 'base64')
  if (bytes[0] !== 3 || bytes[1] !== 0x08) throw new Error('The message has no position')
  let position = 0
  for (let i = 2; i < 7; i++) {
    const byte = bytes[i] ?? 0
    position += (byte & 0x7f) * 2 ** (7 * (i - 2))
    if (byte < 0x80) return position
  }
  throw new Error('The position of the message is too large')
}

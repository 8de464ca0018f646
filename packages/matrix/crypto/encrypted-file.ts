/**
 * Files of encrypted rooms: AES-256 in counter mode, with a hash of the encrypted bytes.
 *
 * https://spec.matrix.org/v1.16/client-server-api/#sending-encrypted-attachments
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { createYielding } from '../../kit/flow/yielding.ts'

const bytesOf = (base64: string) => Buffer.from(base64, 'base64')
const hasBytes = (count: number) => (base64: string) => bytesOf(base64).length === count

const FileKey = z.object({
  v: z.literal('v2'),
  key: z.object({
    kty: z.literal('oct'),
    alg: z.literal('A256CTR'),
    ext: z.literal(true),
    key_ops: z.array(z.string()).max(10),
    k: z.string().max(64).refine(hasBytes(32)),
  }),
  iv: z.string().max(32).refine(hasBytes(16)),
  hashes: z.object({ sha256: z.string().max(64).refine(hasBytes(32)) }),
})
/** The `file` of a message without its `url`. */
export type FileKey = z.infer<typeof FileKey>

/** The file cannot be decrypted, now or later. Drop the part that was read. */
export class FileDamaged extends Error {}

const algorithm = 'aes-256-ctr'
/** Bytes that are encrypted at once. */
const sliceBytes = 256 * 1024

/**
 * Yields the decrypted bytes of a file. They are unchecked until the end: throws FileDamaged there if the
 * hash differs, as for a file that was cut off or changed. `file`: from the message, unchecked.
 */
export async function* decryptFile(
  source: AsyncIterable<Uint8Array>,
  file: unknown,
): AsyncGenerator<Uint8Array> {
  const { success, data } = FileKey.safeParse(file)
  if (!success) throw new FileDamaged('The message gives no valid key for its file')
  const decipher = createDecipheriv(algorithm, bytesOf(data.key.k), bytesOf(data.iv))
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield decipher.update(chunk)
  }
  if (!hash.digest().equals(bytesOf(data.hashes.sha256)))
    throw new FileDamaged('The file was cut off or changed on its way')
}

/** Encrypts a file with a new key. */
export const encryptFile = async (
  bytes: Uint8Array,
): Promise<{ readonly bytes: Buffer; readonly file: FileKey }> => {
  const key = randomBytes(32)
  // The low half counts blocks and begins with zero, so that it cannot overflow.
  const iv = Buffer.concat([randomBytes(8), Buffer.alloc(8)])
  const cipher = createCipheriv(algorithm, key, iv)
  const hash = createHash('sha256')
  const encrypted = Buffer.alloc(bytes.length)
  const maybeYield = createYielding()
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    const slice = cipher.update(bytes.subarray(start, start + sliceBytes))
    hash.update(slice)
    encrypted.set(slice, start)
    await maybeYield()
  }
  const file: FileKey = {
    v: 'v2',
    key: {
      kty: 'oct',
      alg: 'A256CTR',
      ext: true,
      key_ops: ['encrypt', 'decrypt'],
      k: key.toString('base64url'),
    },
    iv: toUnpadded(iv),
    hashes: { sha256: toUnpadded(hash.digest()) },
  }
  return { bytes: encrypted, file }
}

const toUnpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/**
 * Files of encrypted rooms: AES-256 in counter mode, with a hash of the encrypted bytes.
 *
 * https://spec.matrix.org/v1.16/client-server-api/#sending-encrypted-attachments
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'

const bytesOf = (base64: string) => Buffer.from(base64, 'base64')
const hasBytes = (count: number) => (base64: string) => bytesOf(base64).length === count

/** The `file` of a message, as a client sent it. */
export const EncryptedFileInfo = z.object({
  v: z.literal('v2'),
  url: z.string().max(1024),
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
export type EncryptedFileInfo = z.infer<typeof EncryptedFileInfo>

/** The encrypted bytes do not have the hash that the sender gave. Everything that was read must be dropped. */
export class FileDamaged extends Error {}

const algorithm = 'aes-256-ctr'

/**
 * Yields the decrypted bytes of a file. They are unchecked until the end: throws FileDamaged there if the hash
 * differs, as for a file that was cut off or changed.
 */
export async function* decryptFile(
  source: AsyncIterable<Uint8Array>,
  file: EncryptedFileInfo,
): AsyncGenerator<Uint8Array> {
  const decipher = createDecipheriv(algorithm, bytesOf(file.key.k), bytesOf(file.iv))
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield decipher.update(chunk)
  }
  if (!hash.digest().equals(bytesOf(file.hashes.sha256)))
    throw new FileDamaged('The file was cut off or changed on its way')
}

export interface FileEncryption {
  /** The encrypted bytes. Read them once. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Returns the `file` of the message. Throws until all bytes were read. `url`: of the uploaded bytes. */
  describe(url: string): EncryptedFileInfo
}

/** Encrypts a file with a new key. */
export const encryptFile = (source: AsyncIterable<Uint8Array>): FileEncryption => {
  const key = randomBytes(32)
  // The low half counts blocks and begins with zero, so that it cannot overflow.
  const iv = Buffer.concat([randomBytes(8), Buffer.alloc(8)])
  const hash = createHash('sha256')
  let sha256: string | null = null
  const encrypt = async function* () {
    const cipher = createCipheriv(algorithm, key, iv)
    for await (const chunk of source) {
      const encrypted = cipher.update(chunk)
      hash.update(encrypted)
      yield encrypted
    }
    sha256 = toUnpadded(hash.digest('base64'))
  }
  const describe = (url: string): EncryptedFileInfo => {
    if (sha256 === null) throw new Error('The file is not encrypted to its end')
    const k = key.toString('base64url')
    return {
      ...{ v: 'v2', url, iv: toUnpadded(iv.toString('base64')), hashes: { sha256 } },
      key: { kty: 'oct', alg: 'A256CTR', ext: true, key_ops: ['encrypt', 'decrypt'], k },
    }
  }
  return { bytes: encrypt(), describe }
}

const toUnpadded = (base64: string) => base64.replace(/=+$/, '')

/** The key of a cluster, and the encryption that keeps the operator of the servers from reading its data. */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRandomPool } from '../../../journal/log/batch-encoder.ts'
import { NatsRefused } from './nats-refused.ts'

/** `id` identifies the key without revealing it. It is stored next to the encrypted bytes. */
export interface ClusterKey {
  readonly id: string
  readonly bytes: Buffer
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** Number of bytes that encryption adds. */
export const sealBytes = nonceBytes + tagBytes

/** Reads a file that holds 32 bytes as 64 hex digits or in base64. Throws NatsRefused. */
export const readClusterKey = async (path: string): Promise<ClusterKey> => {
  const words = await readFile(path, 'utf8').catch((cause: { readonly code?: string }) => {
    throw new NatsRefused(`the key of the cluster in ${path} cannot be read: ${cause.code ?? 'unknown'}`, {
      cause,
    })
  })
  const text = words.trim()
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length !== keyBytes || (text.length !== 64 && !/^[\w+/-]{43}=?$/.test(text)))
    throw new NatsRefused(`${path} does not hold a cluster key: it must be 32 random bytes as 64 hex digits`)
  return toClusterKey(bytes)
}

export const toClusterKey = (bytes: Buffer): ClusterKey => ({
  id: hash('sha256', Buffer.concat([Buffer.from('daimon cluster key'), bytes])).slice(0, 8),
  bytes,
})

export const newKey = (): Buffer => randomBytes(keyBytes)

const random = createRandomPool()

/**
 * Encrypts with AES-256-GCM. Returns nonce, ciphertext and tag. `place` is authenticated but not included:
 * the bytes can only be decrypted for the same place.
 */
export const sealFor = (key: Buffer, place: string, bytes: Uint8Array): Buffer => {
  const nonce = random(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(place))
  const body = cipher.update(bytes)
  return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()])
}

/** Returns undefined if the bytes were encrypted with another key or for another place, or were changed. */
export const openSeal = (key: Buffer, place: string, ciphertext: Uint8Array): Buffer | undefined => {
  if (ciphertext.length < sealBytes) return undefined
  const end = ciphertext.length - tagBytes
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(ciphertext.subarray(end))
  try {
    return Buffer.concat([decipher.update(ciphertext.subarray(nonceBytes, end)), decipher.final()])
  } catch {
    return undefined
  }
}

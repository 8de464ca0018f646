/** The key of a cluster, and how bytes are sealed so that whoever runs the servers reads none of them. */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRandomPool } from '../../../journal/log/random-pool.ts'
import { NatsRefused } from './nats-refused.ts'

/** `id` tells keys apart and nothing of them: it stands beside what they seal. */
export interface ClusterKey {
  readonly id: string
  readonly bytes: Buffer
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** Bytes a seal adds. */
export const sealBytes = nonceBytes + tagBytes

/** Of a file with 32 bytes as 64 hex digits or in base64. NatsRefused. */
export const readClusterKey = async (path: string): Promise<ClusterKey> => {
  const words = await readFile(path, 'utf8').catch((cause: { readonly code?: string }) => {
    throw new NatsRefused(`the key of the cluster in ${path} cannot be read: ${cause.code ?? 'unknown'}`, {
      cause,
    })
  })
  const said = words.trim()
  const bytes = /^[0-9a-f]{64}$/i.test(said) ? Buffer.from(said, 'hex') : Buffer.from(said, 'base64')
  if (bytes.length !== keyBytes || (said.length !== 64 && !/^[\w+/-]{43}=?$/.test(said)))
    throw new NatsRefused(`${path} holds no key of a cluster: 32 random bytes are wanted, as 64 hex digits`)
  return clusterKeyOf(bytes)
}

export const clusterKeyOf = (bytes: Buffer): ClusterKey => ({
  id: hash('sha256', Buffer.concat([Buffer.from('daimon cluster key'), bytes])).slice(0, 8),
  bytes,
})

export const newKey = (): Buffer => randomBytes(keyBytes)

const random = createRandomPool()

/** AES-256-GCM: nonce, sealed bytes, tag. `place` is not in it, and it opens nowhere else. */
export const sealFor = (key: Buffer, place: string, bytes: Uint8Array): Buffer => {
  const nonce = random(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(place))
  const body = cipher.update(bytes)
  return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()])
}

/** Undefined where it was not sealed with this key for this place, or was changed. */
export const openSeal = (key: Buffer, place: string, sealed: Uint8Array): Buffer | undefined => {
  if (sealed.length < sealBytes) return undefined
  const end = sealed.length - tagBytes
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(end))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()])
  } catch {
    return undefined
  }
}

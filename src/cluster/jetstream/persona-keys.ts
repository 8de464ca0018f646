/**
 * The bucket that lists the personas of the cluster and stores the key of each, encrypted with the cluster's
 * key.
 */
import { randomBytes } from 'node:crypto'
import { decode, encode } from '@msgpack/msgpack'
import * as z from 'zod'
import type { PersonaId } from '../../../facts/fact-values.ts'
import { Unavailable } from '../../../journal/log/errors.ts'
import { type ClusterKey, newKey, openSeal, sealFor } from './cluster-key.ts'
import type { History } from './places-in-cluster.ts'
import type { Requests } from './server-requests.ts'

/** A history with the revision of its bucket entry. */
export interface StoredKey extends History {
  readonly revision: number
}

export interface PersonaKeys {
  /**
   * Returns the leader's value. Rejects with Unavailable, also if it was encrypted with another cluster key.
   */
  get(id: PersonaId): Promise<StoredKey | undefined>
  /**
   * Makes a history the current one of its persona if the entry still has this revision (0 for none).
   * Otherwise resolves to undefined. Rejects with InDoubt or Unavailable.
   */
  put(history: History, revision: number): Promise<StoredKey | undefined>
  /** Deletes the key. All data that the servers still store becomes unreadable. Rejects with Unavailable. */
  destroy(storedKey: StoredKey): Promise<void>
  /** Deletes the key of an entry that was replaced. Rejects with Unavailable. */
  destroyOld(storedKey: StoredKey): Promise<void>
  ids(): Promise<readonly PersonaId[]>
  /** Encrypts a history and its key. */
  pack(history: History): Buffer
  unpack(id: PersonaId, value: Buffer): History
}

const format = 1
const Value = z.tuple([z.literal(format), z.string(), z.string(), z.instanceof(Uint8Array)])

export const newHistory = (id: PersonaId): History => ({
  id,
  token: randomBytes(8).toString('hex'),
  key: newKey(),
})

export const createPersonaKeys = (
  requests: Requests,
  bucket: string,
  { id: keyId, bytes: clusterKey }: ClusterKey,
): PersonaKeys => {
  const stream = `KV_${bucket}`
  const toSubject = (id: PersonaId): string => `$KV.${bucket}.${id}`

  const pack = ({ id, token, key }: History): Buffer =>
    Buffer.from(encode([format, keyId, token, sealFor(clusterKey, `${bucket} ${id} ${token}`, key)]))
  const unpack = (id: PersonaId, value: Buffer): History => {
    const [, sealedBy, token, encryptedKey] = Value.parse(decode(value))
    const key = openSeal(clusterKey, `${bucket} ${id} ${token}`, encryptedKey)
    if (key) return { id, token, key }
    throw new Unavailable(
      sealedBy === keyId
        ? `the key of ${id} cannot be decrypted with the cluster's key`
        : `the key of ${id} was sealed with the cluster key ${sealedBy}, and this daemon has ${keyId}`,
    )
  }
  return {
    pack,
    unpack,
    get: async (id) => {
      const entry = await requests.last(stream, toSubject(id))
      // An entry that was deleted with a NATS tool has an empty value.
      if (!entry || entry.data.length === 0) return undefined
      return { ...unpack(id, entry.data), revision: entry.seq }
    },
    put: async (history, revision) => {
      const subject = toSubject(history.id)
      const name = `${history.token}.${history.id}`
      const seq = await requests.publish({ subject, data: pack(history), after: revision, name })
      if (seq !== undefined) return { ...history, revision: seq }
      // If the message was sent twice, the conflict may be with its first copy.
      const entry = await requests.last(stream, subject)
      const isOurs = entry !== undefined && unpack(history.id, entry.data).token === history.token
      return isOurs ? { ...history, revision: entry.seq } : undefined
    },
    destroy: async ({ id, revision }) => {
      await requests.erase(stream, revision)
      await requests.purge(stream, toSubject(id))
    },
    destroyOld: ({ revision }) => requests.erase(stream, revision),
    ids: async () => {
      const all = await requests.subjects(stream, toSubject('*'))
      return all.map((subject) => subject.slice(toSubject('').length))
    },
  }
}

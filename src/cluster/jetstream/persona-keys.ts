/** The bucket that says which personas there are, and keeps the key of each, sealed with the cluster's. */
import { randomBytes } from 'node:crypto'
import { decode, encode } from '@msgpack/msgpack'
import * as z from 'zod'
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import { Unavailable } from '../../../journal/log/errors.ts'
import { type ClusterKey, newKey, openSeal, sealFor } from './cluster-key.ts'
import type { History } from './places-in-cluster.ts'
import type { Requests } from './server-requests.ts'

/** Where a history is kept to be the one of its persona. */
export interface Kept extends History {
  readonly revision: number
}

export interface PersonaKeys {
  /** As the leader has it. Unavailable, also where it was sealed with another key. */
  get(id: PersonaId): Promise<Kept | undefined>
  /**
   * Makes a history the one of its persona, where the entry is still of this revision, 0 for none; undefined
   * where it is not. InDoubt, Unavailable.
   */
  put(history: History, revision: number): Promise<Kept | undefined>
  /** From here on nobody can read it, whatever the servers still keep. Unavailable. */
  destroy(kept: Kept): Promise<void>
  /** The same of an entry that another one has taken the place of. Unavailable. */
  destroyOld(kept: Kept): Promise<void>
  ids(): Promise<readonly PersonaId[]>
  /** A history and its key, sealed. */
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
  const subjectOf = (id: PersonaId): string => `$KV.${bucket}.${id}`

  const pack = ({ id, token, key }: History): Buffer =>
    Buffer.from(encode([format, keyId, token, sealFor(clusterKey, `${bucket} ${id} ${token}`, key)]))
  const unpack = (id: PersonaId, value: Buffer): History => {
    const [, sealedBy, token, sealed] = Value.parse(decode(value))
    const key = openSeal(clusterKey, `${bucket} ${id} ${token}`, sealed)
    if (key) return { id, token, key }
    throw new Unavailable(
      sealedBy === keyId
        ? `the key of ${id} does not open with the cluster's`
        : `the key of ${id} was sealed with the cluster key ${sealedBy}, and this daemon has ${keyId}`,
    )
  }
  return {
    pack,
    unpack,
    get: async (id) => {
      const found = await requests.last(stream, subjectOf(id))
      // A delete that somebody made with a tool leaves an empty one.
      if (!found || found.data.length === 0) return undefined
      return { ...unpack(id, found.data), revision: found.seq }
    },
    put: async (history, revision) => {
      const subject = subjectOf(history.id)
      const name = `${history.token}.${history.id}`
      const seq = await requests.publish({ subject, data: pack(history), after: revision, name })
      if (seq !== undefined) return { ...history, revision: seq }
      // A conflict of one that was sent twice may be with itself.
      const found = await requests.last(stream, subject)
      const isOurs = found !== undefined && unpack(history.id, found.data).token === history.token
      return isOurs ? { ...history, revision: found.seq } : undefined
    },
    destroy: async ({ id, revision }) => {
      await requests.erase(stream, revision)
      await requests.purge(stream, subjectOf(id))
    },
    destroyOld: ({ revision }) => requests.erase(stream, revision),
    ids: async () => {
      const all = await requests.subjects(stream, subjectOf('*'))
      return all.map((subject) => subject.slice(subjectOf('').length))
    },
  }
}

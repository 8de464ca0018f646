/**
 * API keys and bot tokens of personas in a bucket of the cluster: one value per persona, encrypted with the
 * cluster's key. A writer names the revision it has read, so of two concurrent writers one is refused.
 */
import { randomBytes } from 'node:crypto'
import { decode, encode } from '@msgpack/msgpack'
import pLimit from 'p-limit'
import * as z from 'zod'
import type { PersonaId } from '../../../facts/fact-values.ts'
import type { Secrets } from '../../../home/secrets.ts'
import { InDoubt, Unavailable } from '../../../journal/log/errors.ts'
import { type ClusterKey, openSeal, sealFor } from './cluster-key.ts'
import { nameHeader, type Requests } from './server-requests.ts'

/** All methods reject with Unavailable. */
export interface SecretsBucket {
  /** Loads the leader's values. The result also reflects its own later changes. */
  open(id: PersonaId): Promise<Secrets>
  /** Returns all values by reference. */
  values(id: PersonaId): Promise<ReadonlyMap<string, string>>
  drop(id: PersonaId): Promise<void>
}

interface Deps {
  readonly requests: Requests
  readonly bucket: string
  readonly clusterKey: ClusterKey
}

type Values = ReadonlyMap<string, string>

interface HeldSecrets {
  readonly values: Values
  /** 0 if there is no entry. */
  readonly revision: number
  readonly damaged: boolean
}

const format = 1
const Value = z.tuple([z.literal(format), z.string(), z.instanceof(Uint8Array)])
const Pairs = z.array(z.tuple([z.string(), z.string()]))

export const createSecretsBucket = ({ requests, bucket, clusterKey }: Deps): SecretsBucket => {
  const stream = `KV_${bucket}`
  const toSubject = (id: PersonaId): string => `$KV.${bucket}.${id}`

  const load = async (id: PersonaId): Promise<HeldSecrets> => {
    const entry = await requests.last(stream, toSubject(id))
    if (!entry || entry.data.length === 0)
      return { values: new Map(), revision: entry?.seq ?? 0, damaged: false }
    const values = decryptValues(id, entry.data)
    return { values: values ?? new Map(), revision: entry.seq, damaged: values === undefined }
  }
  /** Returns undefined if the entry is damaged. */
  const decryptValues = (id: PersonaId, data: Buffer): Values | undefined => {
    const value = Value.safeParse(decode(data))
    if (!value.success) return undefined
    const [, sealedBy, ciphertext] = value.data
    // An entry with another key must not count as empty: the next `put` would overwrite valid secrets.
    if (sealedBy !== clusterKey.id)
      throw new Unavailable(
        `the keys of ${id} were sealed with the cluster key ${sealedBy}, and this daemon has ${clusterKey.id}`,
      )
    const bytes = openSeal(clusterKey.bytes, toSubject(id), ciphertext)
    return bytes && new Map(Pairs.parse(decode(bytes)))
  }
  /** Returns undefined if the revision is not the last one. */
  const save = async (id: PersonaId, values: Values, afterSeq: number): Promise<number | undefined> => {
    const subject = toSubject(id)
    const name = randomBytes(8).toString('hex')
    const ciphertext = sealFor(clusterKey.bytes, subject, encode([...values]))
    const data = Buffer.from(encode([format, clusterKey.id, ciphertext]))
    if (data.length + 512 > requests.largest)
      throw new Unavailable('its keys exceed the message size of the servers')
    try {
      const seq = await requests.publish({ subject, data, after: afterSeq, name })
      if (seq !== undefined) return seq
      // If the message was sent twice, the conflict may be with its first copy.
      const entry = await requests.last(stream, subject)
      return entry?.header(nameHeader) === name ? entry.seq : undefined
    } catch (cause) {
      throw cause instanceof InDoubt ? new Unavailable('the keys were not acknowledged', { cause }) : cause
    }
  }

  const open = async (id: PersonaId): Promise<Secrets> => {
    let entry = await load(id)
    const { damaged: isDamaged } = entry
    let isStale = false
    /** Revisions that were replaced and must be overwritten. */
    const old = new Set<number>()
    const runAlone = pLimit(1)

    const overwriteOld = async () => {
      for (const revision of old) {
        await requests.erase(stream, revision)
        old.delete(revision)
      }
    }
    const current = async (): Promise<HeldSecrets> => {
      if (isStale) entry = await load(id)
      isStale = false
      return entry
    }
    /** Returns false if another daemon has written meanwhile. */
    const change = async (make: (values: Values) => Values): Promise<boolean> => {
      const { values, revision } = await current()
      const next = make(values)
      if (next === values) return true
      isStale = true
      const revisionAfter = await save(id, next, revision)
      if (revisionAfter === undefined) return false
      entry = { values: next, revision: revisionAfter, damaged: false }
      isStale = false
      if (revision > 0) old.add(revision)
      return true
    }
    return {
      damaged: isDamaged,
      get: (ref) => entry.values.get(ref),
      put: (ref, value) =>
        runAlone(async () => {
          const withValue = (values: Values) =>
            values.get(ref) === value ? values : new Map(values).set(ref, value)
          while (!(await change(withValue)));
          await overwriteOld()
        }),
      sweep: (refs) =>
        runAlone(async () => {
          const wantedRefs = new Set(refs)
          const onlyWanted = (values: Values) => {
            const remainingValues = new Map([...values].filter(([ref]) => wantedRefs.has(ref)))
            return remainingValues.size === values.size ? values : remainingValues
          }
          // The other writer may be the current host, and knows which secrets are needed.
          if (!(await change(onlyWanted))) throw new Unavailable('another daemon has written its keys')
          await overwriteOld()
        }),
    }
  }

  return {
    open,
    values: async (id) => (await load(id)).values,
    drop: async (id) => {
      const entry = await requests.last(stream, toSubject(id))
      if (entry) await requests.erase(stream, entry.seq)
      await requests.purge(stream, toSubject(id))
    },
  }
}

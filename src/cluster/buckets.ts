/** The buckets of the cluster, made where missing: the last value of each key, as the servers have it. */
import { randomBytes } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import { streamOf } from './jetstream/layout.ts'
import { createRequests, type Incoming, type Requests } from './jetstream/server-requests.ts'

/**
 * Milliseconds after which what is not renewed is gone; the same for a daemon and for what it holds. A
 * process that gets no time of a busy machine for a second or two must not lose what it holds.
 */
export const leaseTime = 4000

/** Milliseconds for which the answer to a renewal is waited for. */
const answerTime = 1500

export const serversOf = (connection: NatsConnection, name: string, replicas: number): Servers => ({
  ...{ connection, name, replicas },
  ...{ requests: createRequests(connection), quick: createRequests(connection, answerTime) },
})

/** `lasting`: kept until it is removed. */
const buckets = {
  daemons: 'renewed',
  sessions: 'renewed',
  leases: 'lasting',
  summaries: 'lasting',
} as const satisfies Readonly<Record<string, 'renewed' | 'lasting'>>

export type BucketName = keyof typeof buckets

/** Of one cluster; several may use the same servers. */
export interface Servers {
  readonly connection: NatsConnection
  readonly requests: Requests
  /** Of no more patience than a lease lasts. */
  readonly quick: Requests
  readonly name: string
  /** Servers that keep each value. */
  readonly replicas: number
}

/** Each rejects where the servers do not answer: InDoubt, Unavailable. */
export interface Bucket {
  readonly prefix: string
  get(key: string): Promise<Incoming | undefined>
  /**
   * Its sequence; undefined where `after` is told and another value is the last one, 0 for none.
   */
  put(key: string, value: string, after?: number): Promise<number | undefined>
  /** Where it is still the last one, the key has none from then on. */
  remove(seq: number): Promise<void>
  /** It has none from then on, and whoever listens hears that. */
  end(key: string): Promise<void>
  /** All, and some that were replaced meanwhile; the newest may be missing. */
  all(): AsyncIterable<Incoming>
}

const operation = 'KV-Operation'

/** Whether a message says that its key has no value. */
export const isEnd = (header: (name: string) => string): boolean => header(operation) !== ''

/** Rejects where the servers do not answer. */
export const openBucket = async (servers: Servers, of: BucketName): Promise<Bucket> => {
  const { requests, replicas } = servers
  const name = `${servers.name}-${of}`
  const [stream, prefix] = [`KV_${name}`, `$KV.${name}.`]
  const isRenewed = buckets[of] === 'renewed'
  await streamOf(requests, {
    ...{ name: stream, subjects: [`${prefix}>`], num_replicas: replicas, retention: 'limits' },
    ...{ max_msgs_per_subject: 1, discard: 'new', allow_direct: true, deny_delete: false },
    ...{ allow_rollup_hdrs: true, storage: isRenewed ? 'memory' : 'file' },
    ...(isRenewed && { max_age: leaseTime * nanoseconds }),
  })
  const publish = (key: string, value: string, more: { after?: number; headers?: Record<string, string> }) =>
    (isRenewed ? servers.quick : requests).publish({
      ...{ subject: `${prefix}${key}`, data: Buffer.from(value), name: randomBytes(8).toString('hex') },
      ...more,
    })

  return {
    prefix,
    get: async (key) => {
      const found = await requests.last(stream, `${prefix}${key}`)
      return found && !isEnd(found.header) ? found : undefined
    },
    put: (key, value, after) => publish(key, value, after === undefined ? {} : { after }),
    remove: (seq) => servers.quick.erase(stream, seq),
    end: async (key) => {
      const seq = await publish(key, '', { headers: { [operation]: 'DEL' } })
      if (seq !== undefined) await servers.quick.erase(stream, seq)
    },
    all: async function* () {
      for (let last = 0; ; ) {
        const found = await requests.page(stream, `${prefix}>`, last)
        yield* found
        const next = found.at(-1)?.seq
        if (next === undefined) return
        last = next
      }
    },
  }
}

/** Of a millisecond. */
const nanoseconds = 1_000_000

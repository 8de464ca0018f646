/**
 * Key-value buckets of the cluster. A bucket keeps the last value of each key.
 */
import { randomBytes } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import { findStream, getStream } from './jetstream/layout.ts'
import { createRequests, type Incoming, type Requests } from './jetstream/server-requests.ts'

/**
 * Milliseconds after which a value that is not renewed expires. Daemon announcements, sessions and leases
 * share it. A daemon that gets no CPU time on a busy machine for a second or two must not lose its leases.
 */
export const leaseTime = 4000

/** Timeout in ms for the answer to a renewal. */
const answerTime = 1500

export const listServers = (connection: NatsConnection, name: string, replicas: number): Servers => ({
  connection,
  name,
  replicas,
  requests: createRequests(connection),
  quick: createRequests(connection, answerTime),
})

/**
 * Values of a `lasting` bucket stay until they are removed. Values of a `renewed` bucket expire after
 * `leaseTime`.
 */
const buckets = {
  daemons: 'renewed',
  sessions: 'renewed',
  leases: 'lasting',
  summaries: 'lasting',
} as const satisfies Readonly<Record<string, 'renewed' | 'lasting'>>

export type BucketName = keyof typeof buckets

/** The connection of one cluster. Several clusters may share the same servers. */
export interface Servers {
  readonly connection: NatsConnection
  readonly requests: Requests
  /** Requests that give up well before a lease expires. */
  readonly quick: Requests
  readonly name: string
  /** Number of servers that store each value. */
  readonly replicas: number
}

/** Every method rejects with InDoubt or Unavailable if the servers do not answer. */
export interface Bucket {
  readonly prefix: string
  get(key: string): Promise<Incoming | undefined>
  /**
   * Returns the sequence of the new value. With `after`, writes only if the last value has that sequence (0
   * for none) and returns undefined otherwise.
   */
  put(key: string, value: string, afterSeq?: number): Promise<number | undefined>
  /** Removes the value if it is still the last one of its key. */
  remove(seq: number): Promise<void>
  /** Removes the value and notifies subscribers. */
  end(key: string): Promise<void>
  /** Yields all values. It may also yield replaced values, and may miss the newest ones. */
  all(): AsyncIterable<Incoming>
}

const operation = 'KV-Operation'

/** Returns whether a message marks its key as deleted. */
export const isEnd = (header: (name: string) => string): boolean => header(operation) !== ''

/** Creates the bucket if it is missing. Rejects if the servers do not answer. */
export const openBucket = async (servers: Servers, bucketName: BucketName): Promise<Bucket> => {
  const { requests, replicas } = servers
  const { stream, prefix, isRenewed } = describeBucket(servers, bucketName)
  await getStream(requests, {
    name: stream,
    subjects: [`${prefix}>`],
    num_replicas: replicas,
    retention: 'limits',
    max_msgs_per_subject: 1,
    discard: 'new',
    allow_direct: true,
    deny_delete: false,
    allow_rollup_hdrs: true,
    storage: isRenewed ? 'memory' : 'file',
    ...(isRenewed && { max_age: leaseTime * nanoseconds }),
  })
  return createBucket(servers, bucketName)
}

/** Creates nothing. Returns undefined if the bucket is missing. Rejects if the servers do not answer. */
export const findBucket = async (servers: Servers, bucketName: BucketName): Promise<Bucket | undefined> =>
  (await findStream(servers.requests, describeBucket(servers, bucketName).stream)) &&
  createBucket(servers, bucketName)

const describeBucket = (servers: Servers, bucketName: BucketName) => {
  const name = `${servers.name}-${bucketName}`
  return { stream: `KV_${name}`, prefix: `$KV.${name}.`, isRenewed: buckets[bucketName] === 'renewed' }
}

const createBucket = (servers: Servers, bucketName: BucketName): Bucket => {
  const { requests } = servers
  const { stream, prefix, isRenewed } = describeBucket(servers, bucketName)
  const publish = (
    key: string,
    value: string,
    options: { after?: number; headers?: Record<string, string> },
  ) =>
    (isRenewed ? servers.quick : requests).publish({
      subject: `${prefix}${key}`,
      data: Buffer.from(value),
      name: randomBytes(8).toString('hex'),
      ...options,
    })

  return {
    prefix,
    get: async (key) => {
      const last = await requests.last(stream, `${prefix}${key}`)
      return last && !isEnd(last.header) ? last : undefined
    },
    put: (key, value, afterSeq) => publish(key, value, afterSeq === undefined ? {} : { after: afterSeq }),
    remove: (seq) => servers.quick.erase(stream, seq),
    end: async (key) => {
      const seq = await publish(key, '', { headers: { [operation]: 'DEL' } })
      if (seq !== undefined) await servers.quick.erase(stream, seq)
    },
    all: async function* () {
      for (let last = 0; ; ) {
        const page = await requests.page(stream, `${prefix}>`, last)
        yield* page
        const next = page.at(-1)?.seq
        if (next === undefined) return
        last = next
      }
    },
  }
}

/** Nanoseconds per millisecond. */
const nanoseconds = 1_000_000

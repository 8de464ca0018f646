/** The streams and buckets of a cluster. The first daemon creates them, and later daemons use them. */
import * as z from 'zod'
import { NatsRefused } from './nats-refused.ts'
import type { Names } from './places-in-cluster.ts'
import { type Requests, ServerRefused } from './server-requests.ts'

export interface Layout {
  /** Prefix of its streams, buckets and subjects. */
  readonly name: string
  /** Number of streams that share the personas: one per 10 000 personas. It cannot be changed later. */
  readonly shards: number
  /** Number of servers that store each message. */
  readonly replicas: number
}

export interface StreamConfig {
  readonly name: string
  readonly [field: string]: unknown
}

const streamNotFound = 10059
const nameInUse = 10058
const Info = z.object({
  config: z.object({ num_replicas: z.int(), metadata: z.record(z.string(), z.string()).nullish() }),
})

/** Returns the requested configuration of all streams of a cluster, buckets first. */
export const listStreams = (names: Names, { name, shards, replicas }: Layout): readonly StreamConfig[] => {
  const commonConfig = {
    storage: 'file',
    retention: 'limits',
    num_replicas: replicas,
    discard: 'new',
    metadata: { 'daimon-shards': `${shards}` },
    deny_delete: false,
    allow_direct: true,
  }
  const bucket = (key: string) => ({
    ...commonConfig,
    name: `KV_${key}`,
    subjects: [`$KV.${key}.>`],
    // The previous value stays until it is overwritten explicitly.
    max_msgs_per_subject: 2,
    allow_rollup_hdrs: true,
  })
  const eachShard = (make: (shard: number) => StreamConfig) =>
    Array.from({ length: shards }, (_, shard) => make(shard))
  return [
    bucket(names.bucket),
    bucket(names.secrets),
    ...eachShard((shard) => ({
      ...commonConfig,
      name: names.stream(shard),
      subjects: [`${name}.${shard}.>`],
    })),
    ...eachShard((shard) => ({
      ...commonConfig,
      name: names.files(shard),
      subjects: [`${name}.files.${shard}.>`],
      // A subject is written once, and again only after a crash.
      max_msgs_per_subject: 1,
    })),
  ]
}

/**
 * Throws NatsRefused if the cluster exists with another number of shards. Throws Unavailable if the servers
 * do not answer.
 */
export const layOut = async (requests: Requests, names: Names, layout: Layout): Promise<void> => {
  const { name, shards } = layout
  const [first, ...rest] = listStreams(names, layout)
  const actualStream = first && (await getStream(requests, first))
  const actualShards = Number(actualStream?.metadata?.['daimon-shards'])
  if (actualShards !== shards)
    throw new NatsRefused(
      `the cluster ${name} has ${actualShards} shards and cannot be opened with ${shards}: the number cannot be changed`,
    )
  await Promise.all(rest.map((config) => getStream(requests, config)))
}

/**
 * Creates the stream if it is missing, and returns its actual configuration, which may differ from the
 * requested one. Throws Unavailable.
 */
export const getStream = async (requests: Requests, config: StreamConfig) => {
  const existingStream = await findStream(requests, config.name)
  if (existingStream) return existingStream
  try {
    return (await requests.ask(`$JS.API.STREAM.CREATE.${config.name}`, config, Info)).config
  } catch (error) {
    // Another daemon has created it meanwhile.
    if (!(error instanceof ServerRefused) || error.reason !== nameInUse) throw error
    return (await requests.ask(`$JS.API.STREAM.INFO.${config.name}`, {}, Info)).config
  }
}

/** Creates nothing. Returns undefined if the stream is missing. Throws Unavailable. */
export const findStream = async (requests: Requests, name: string) => {
  try {
    return (await requests.ask(`$JS.API.STREAM.INFO.${name}`, {}, Info)).config
  } catch (error) {
    if (error instanceof ServerRefused && error.reason === streamNotFound) return undefined
    throw error
  }
}

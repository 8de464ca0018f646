/** The engine of a cluster: journals in NATS JetStream, a message for each commit. */
import type { NatsConnection } from '@nats-io/transport-node'
import * as z from 'zod'
import type { Stores } from '../log/store.ts'
import type { ClusterKey } from './cluster-key.ts'
import { openJetStreamStores } from './jetstream-stores.ts'
import { type Layout, layOut } from './layout.ts'
import type { Cluster } from './new-history.ts'
import { createPersonaKeys } from './persona-keys.ts'
import { namesOf } from './places-in-cluster.ts'
import { createRemoteFiles } from './remote-files.ts'
import { createSecretsBucket } from './secrets-bucket.ts'
import { createRequests } from './server-requests.ts'

export interface JetStreamOptions extends Layout {
  readonly connection: NatsConnection
  /** Where the caches lie. */
  readonly home: string
  readonly clusterKey: ClusterKey
  /** Milliseconds for which servers that do not answer are asked again. */
  readonly patience?: number
}

/** What an acknowledged commit can be relied on for, as far as the servers tell. */
export interface Durability {
  readonly engine: 'jetstream'
  readonly server: string
  /** On so many disks, by most of which it is acknowledged; of the stream that has the fewest. */
  readonly replicas: number
  /** Of those, how many follow their leader now. */
  readonly current: number
  /**
   * What a power cut of all of them takes at most: the servers tell no client, so it is null. With
   * `sync_interval: always` in their settings it is nothing.
   */
  readonly syncInterval: null
}

export interface JetStream {
  readonly stores: Stores
  readonly cluster: Cluster
  /** Unavailable. */
  durability(): Promise<Durability>
}

/** NatsRefused where the cluster was laid out otherwise; Unavailable. */
export const openJetStream = async (options: JetStreamOptions): Promise<JetStream> => {
  const { connection, home, clusterKey, name, shards, patience } = options
  const requests = createRequests(connection, patience)
  const names = namesOf(name, shards)
  await layOut(requests, names, options)
  const cluster = {
    ...{ requests, names, keys: createPersonaKeys(requests, names.bucket, clusterKey) },
    files: createRemoteFiles({ requests, names, shards, clusterKey }),
    secrets: createSecretsBucket({ requests, bucket: names.secrets, clusterKey }),
  }
  return {
    stores: await openJetStreamStores(cluster, home),
    cluster,
    durability: async () => {
      const asked = Array.from({ length: shards }, (_, shard) =>
        requests.ask(`$JS.API.STREAM.INFO.${names.stream(shard)}`, {}, StreamInfo),
      )
      const streams = await Promise.all(asked)
      return {
        engine: 'jetstream',
        server: connection.info?.version ?? '',
        replicas: Math.min(...streams.map(({ config }) => config.num_replicas)),
        current: Math.min(...streams.map(inTime)),
        syncInterval: null,
      }
    },
  }
}

const StreamInfo = z.object({
  config: z.object({ num_replicas: z.int() }),
  cluster: z
    .object({
      leader: z.string().optional(),
      replicas: z.array(z.object({ current: z.boolean(), offline: z.boolean().optional() })).nullish(),
    })
    .optional(),
})

const inTime = ({ cluster }: z.infer<typeof StreamInfo>): number =>
  1 + (cluster?.replicas ?? []).filter(({ current, offline }) => current && !offline).length

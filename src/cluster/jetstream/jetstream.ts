/** The storage engine of a cluster: journals in NATS JetStream. A message holds one or more whole commits. */

import type { NatsConnection } from '@nats-io/transport-node'
import { personaVocabulary } from '../../../facts/facts.ts'
import type { Stores } from '../../../journal/log/store.ts'
import type { Vocabulary } from '../../../journal/log/vocabulary.ts'
import type { ClusterKey } from './cluster-key.ts'
import { askDurability, type Durability } from './durability.ts'
import { openJetStreamStores } from './jetstream-stores.ts'
import { type Layout, layOut, listStreams } from './layout.ts'
import type { Cluster } from './new-history.ts'
import { createPersonaKeys } from './persona-keys.ts'
import { createNames } from './places-in-cluster.ts'
import { createRemoteFiles } from './remote-files.ts'
import { createSecretsBucket } from './secrets-bucket.ts'
import { createRequests } from './server-requests.ts'

export interface JetStreamOptions extends Layout {
  readonly connection: NatsConnection
  /** Directory of the caches. */
  readonly home: string
  readonly clusterKey: ClusterKey
  /** Milliseconds for which unanswered requests are retried. */
  readonly patience?: number
  /** The facts of the journals. Default: those of a persona. */
  readonly vocabulary?: Vocabulary
}

export interface JetStream {
  /** The name of the cluster and the id of its key. Together they are unique. */
  readonly identity: string
  readonly stores: Stores
  readonly cluster: Cluster
  /** Rejects with Unavailable. */
  durability(): Promise<Durability>
}

/**
 * Throws NatsRefused if the cluster was created with another number of shards. Throws Unavailable if the
 * servers do not answer.
 */
export const openJetStream = async (options: JetStreamOptions): Promise<JetStream> => {
  const { connection, home, clusterKey, name, shards, patience, vocabulary = personaVocabulary } = options
  const requests = createRequests(connection, patience)
  const names = createNames(name, shards)
  await layOut(requests, names, options)
  const cluster = {
    requests,
    names,
    keys: createPersonaKeys(requests, names.bucket, clusterKey),
    files: createRemoteFiles({ requests, names, shards, clusterKey }),
    secrets: createSecretsBucket({ requests, bucket: names.secrets, clusterKey }),
  }
  return {
    identity: `${name} ${clusterKey.id}`,
    stores: await openJetStreamStores({ cluster, home, vocabulary }),
    cluster,
    durability: () => askDurability({ requests, requestedConfigs: listStreams(names, options), connection }),
  }
}

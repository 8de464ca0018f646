/** Where the journals lie: in the home alone, or in a cluster of which the home is a cache. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { type Beside, besideIn } from '../journal/files/beside.ts'
import { openLevelStores } from '../journal/leveldb/level-stores.ts'
import type { Stores } from '../journal/log/store.ts'
import type { Stopwatch } from '../journal/log/timeout.ts'
import type { ClusterConfig } from './config.ts'
import { HomeError } from './home-lock.ts'
import type { DiscreetLog } from './log.ts'

export interface JournalEngine {
  readonly stores: Stores
  readonly beside: Beside
  /** With the servers of the cluster; null where there is none. */
  readonly connection: NatsConnection | null
  close(): Promise<void>
}

/** There once a daemon of a cluster had the home: what lies there is a cache from then on. */
const clusterMark = (home: string): string => join(home, 'cluster')

/** Who holds the home. What is written to a cache alone would be lost. HomeError. */
export const mustBeNoCache = (home: string): void => {
  if (existsSync(clusterMark(home)))
    throw new HomeError(
      `the home ${home} is a cache of a cluster: set DAIMON_NATS, or choose another with DAIMON_HOME.`,
    )
}

interface Means {
  readonly log: DiscreetLog
  /** What the disk is timed by. */
  readonly stopwatch: Stopwatch
}

/** Who holds the home. HomeError, NatsRefused. */
export const openEngine = async (
  home: string,
  cluster: ClusterConfig | null,
  { log, stopwatch }: Means,
): Promise<JournalEngine> => {
  if (cluster) return openCluster(home, cluster, { log, stopwatch })
  mustBeNoCache(home)
  const [stores, beside] = [await openLevelStores(home), besideIn(home, stopwatch)]
  return { stores, beside, connection: null, close: async () => {} }
}

/** Loaded only where there is one. */
const openCluster = async (
  home: string,
  { servers, credentials, authority, key, advertise: _, ...layout }: ClusterConfig,
  { log, stopwatch }: Means,
): Promise<JournalEngine> => {
  await becomeCache(home)
  const { openConnection } = await import('../journal/jetstream/nats-connection.ts')
  const { readClusterKey } = await import('../journal/jetstream/cluster-key.ts')
  const { openJetStream } = await import('../journal/jetstream/jetstream.ts')
  const { besideInCluster } = await import('../journal/jetstream/beside-in-cluster.ts')
  const clusterKey = await readClusterKey(key)
  const connection = await openConnection({
    ...{ servers, name: 'daimon' },
    ...(credentials !== null && { credentials }),
    ...(authority !== null && { authority }),
    refused: (reason) => log.error({ reason }, 'the connection to the cluster is given up'),
  })
  const close = () => connection.close()
  try {
    const { stores, cluster, durability } = await openJetStream({ connection, home, clusterKey, ...layout })
    const { replicas, server } = await durability()
    log.info(
      { count: replicas },
      `the journals lie in a cluster, on so many servers each, of version ${server}`,
    )
    return { stores, beside: besideInCluster(cluster, home, stopwatch), connection, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** One with personas of its own would look empty, and they would be taken for caches. */
const becomeCache = async (home: string): Promise<void> => {
  if (existsSync(clusterMark(home))) return
  const own = await (await openLevelStores(home)).ids()
  if (own.length > 0)
    throw new HomeError(
      `the home ${home} has ${own.length} personas that are in no cluster. Choose another with DAIMON_HOME.`,
    )
  await writeFile(clusterMark(home), '', { mode: 0o600 })
}

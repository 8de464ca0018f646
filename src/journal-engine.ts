/** Opens the storage of the journals: the home alone, or a cluster with the home as a cache. */
import type { NatsConnection } from '@nats-io/transport-node'
import { type FileStores, openFileStores } from '../home/file-stores.ts'
import { openHomeStores } from '../home/home-stores.ts'
import type { Stores } from '../journal/log/store.ts'
import type { Stopwatch } from '../journal/log/timeout.ts'
import type { DiscreetLog } from '../packages/kit/log.ts'
import type { Durability } from './cluster/jetstream/durability.ts'
import type { JetStream } from './cluster/jetstream/jetstream.ts'
import type { ConnectionOptions } from './cluster/jetstream/nats-connection.ts'
import { getClusterState, halfMoved, markHome } from './cluster-state-file.ts'
import type { ClusterConfig } from './config.ts'
import { HomeError } from './home-lock.ts'

export interface JournalEngine {
  readonly stores: Stores
  /** The stores in the home; null if the home is not a cache. */
  readonly cache: Stores | null
  readonly files: FileStores
  /** The connection to the servers of the cluster; null without a cluster. */
  readonly connection: NatsConnection | null
  /** Checks how durable acknowledged commits are; null without a cluster. */
  readonly durability: (() => Promise<Durability>) | null
  close(): Promise<void>
}

/**
 * Throws HomeError if the home is a cache, because writes to a cache alone would be lost. Requires the home's
 * lock.
 */
export const mustBeNoCache = (home: string): void => {
  const state = getClusterState(home)
  if (state.is === 'cache')
    throw new HomeError(
      `the home ${home} is a cache of a cluster: set DAIMON_NATS, or choose another with DAIMON_HOME.`,
    )
  if (state.is !== 'alone') throw new HomeError(halfMoved(home, state))
}

interface Means {
  readonly log: DiscreetLog
  /** Measures disk operations. */
  readonly stopwatch: Stopwatch
}

/** Requires the home's lock. Throws HomeError or NatsRefused. */
export const openEngine = async (
  home: string,
  cluster: ClusterConfig | null,
  { log, stopwatch }: Means,
): Promise<JournalEngine> => {
  if (cluster) return openCluster(home, cluster, { log, stopwatch })
  mustBeNoCache(home)
  const stores = await openHomeStores(home)
  const files = openFileStores(home, stopwatch)
  return { stores, cache: null, files, connection: null, durability: null, close: async () => {} }
}

/** Loads the cluster code only if a cluster is configured. */
const openCluster = async (
  home: string,
  config: ClusterConfig,
  { log, stopwatch }: Means,
): Promise<JournalEngine> => {
  await becomeCache(home)
  const onRefused = (reason: string) => log.error({ reason }, 'gave up the connection to the cluster')
  const { besideInCluster } = await import('./cluster/jetstream/beside-in-cluster.ts')
  const { connection, jetStream, close } = await openServers(home, config, onRefused)
  const { stores, cluster, durability } = jetStream
  try {
    const { replicas, server, differs } = await durability()
    log.info(
      { count: replicas },
      `the journals are stored in a cluster of version ${server}, on this number of servers each`,
    )
    for (const reason of differs)
      log.warn({ reason }, 'a stream of the cluster has another configuration than requested')
    const cache = await openHomeStores(home)
    const files = besideInCluster(cluster, home, stopwatch)
    return { stores, cache, files, connection, durability, close }
  } catch (error) {
    await close()
    throw error
  }
}

export interface OpenServers {
  readonly connection: NatsConnection
  readonly jetStream: JetStream
  close(): Promise<void>
}

/** Throws NatsRefused. */
export const connectTo = async (
  { servers, credentials, authority }: ClusterConfig,
  options: Pick<ConnectionOptions, 'name' | 'onRefusal'>,
): Promise<NatsConnection> => {
  const { openConnection } = await import('./cluster/jetstream/nats-connection.ts')
  return openConnection({
    servers,
    ...options,
    ...(credentials !== null && { credentials }),
    ...(authority !== null && { authority }),
  })
}

/** Requires the home's lock if the home has caches. Throws NatsRefused or Unavailable. */
export const openServers = async (
  home: string,
  config: ClusterConfig,
  onRefused: (sentence: string) => void,
): Promise<OpenServers> => {
  const { readClusterKey } = await import('./cluster/jetstream/cluster-key.ts')
  const { openJetStream } = await import('./cluster/jetstream/jetstream.ts')
  const clusterKey = await readClusterKey(config.key)
  const connection = await connectTo(config, { name: 'daimon', onRefusal: onRefused })
  const { name, shards, replicas } = config
  const close = () => connection.close()
  try {
    const jetStream = await openJetStream({ connection, home, clusterKey, name, shards, replicas })
    return { connection, close, jetStream }
  } catch (error) {
    await close()
    throw error
  }
}

/** Refuses a home with personas of its own. They would disappear from the list and be treated as caches. */
const becomeCache = async (home: string): Promise<void> => {
  const state = getClusterState(home)
  if (state.is === 'cache') return
  if (state.is !== 'alone') throw new HomeError(halfMoved(home, state))
  const ids = await (await openHomeStores(home)).ids()
  if (ids.length > 0)
    throw new HomeError(
      `the home ${home} has ${ids.length} personas that are in no cluster. Move them with daimon cluster join, or choose another with DAIMON_HOME.`,
    )
  await markHome(home, { is: 'cache' })
}

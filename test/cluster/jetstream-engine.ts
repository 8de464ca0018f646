/** The cluster engine for the shared engine tests: real servers, and a way to make batches fail. */
import { rm } from 'node:fs/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import * as z from 'zod'
import { personaVocabulary } from '../../facts/facts.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import type { Engine } from '../../journal/conformance/conformance.ts'
import { isRecordOrPart } from '../../journal/log/keys.ts'
import type { Store } from '../../journal/log/store.ts'
import type { Vocabulary } from '../../journal/log/vocabulary.ts'
import { newKey, toClusterKey } from '../../src/cluster/jetstream/cluster-key.ts'
import {
  type JetStream,
  type JetStreamOptions,
  openJetStream,
} from '../../src/cluster/jetstream/jetstream.ts'
import { createPersonaLog } from '../../src/cluster/jetstream/jetstream-log.ts'
import { openConnection } from '../../src/cluster/jetstream/nats-connection.ts'
import { placeHistory } from '../../src/cluster/jetstream/new-history.ts'
import { failingStores, temporary } from '../journal/engines.ts'
import type { NatsServers } from '../nats-servers.ts'

const testKey = toClusterKey(newKey())

export const connectTo = ({ addresses }: NatsServers): Promise<NatsConnection> =>
  openConnection({ servers: addresses, name: 'test', timeout: 20_000 })

let engines = 0

/** Creates a new cluster on shared servers. */
export const jetStreamEngine = async (
  connection: NatsConnection,
  vocabulary: Vocabulary = personaVocabulary,
): Promise<Engine> => {
  const home = await temporary()
  const name = `test${++engines}`
  const engine = await openOn(connection, home, { name, vocabulary })
  const { stores, failNext, close } = failingStores(engine.stores)
  const local = await openHomeStores(home)
  return {
    stores,
    failNext,
    beneath: async (id) => changingBoth(engine, id, await local.open(id)),
    end: async () => {
      await close()
      await dropStreams(engine)
      await rm(home, { recursive: true })
    },
  }
}

export const openOn = (
  connection: NatsConnection,
  home: string,
  overrides: Partial<JetStreamOptions> = {},
): Promise<JetStream> =>
  openJetStream({ connection, home, clusterKey: testKey, name: 'test', shards: 1, replicas: 1, ...overrides })

/** Applies changes of records and parts to the servers as well. */
const changingBoth = ({ cluster }: JetStream, id: string, store: Store): Store => ({
  ...store,
  batch: async (ops, options) => {
    await store.batch(ops, options)
    if (!ops.some(({ key }) => isRecordOrPart(key))) return
    const storedKey = await cluster.keys.get(id)
    if (!storedKey) throw new Error(`${id} is not there`)
    const log = createPersonaLog({ ...cluster, history: storedKey })
    const newest = await log.newest()
    if (newest) log.onMessage(newest)
    await placeHistory(cluster, id, store, { storedKey, log })
  },
})

const dropStreams = async ({ cluster: { requests, names } }: JetStream): Promise<void> => {
  for (const stream of [names.stream(0), names.files(0), `KV_${names.bucket}`, `KV_${names.secrets}`])
    await requests.ask(`$JS.API.STREAM.DELETE.${stream}`, {}, z.unknown())
}

/** Runs the common journal tests on NATS JetStream. */
import type { NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import { conformance } from '../../journal/conformance/conformance.ts'
import { shopVocabulary } from '../../journal/conformance/shop-facts.ts'
import { type NatsServers, startNatsServers, withNats } from '../nats-servers.ts'
import { connectTo, jetStreamEngine } from './jetstream-engine.ts'

const test = suite('journals in JetStream')

withNats(test, () => {
  let servers: NatsServers
  let connection: NatsConnection
  test.before(async () => {
    servers = await startNatsServers()
    connection = await connectTo(servers)
  })
  test.after(async () => {
    await connection.close()
    await servers.end()
  })
  conformance(test, () => jetStreamEngine(connection, shopVocabulary))
})

test.run()

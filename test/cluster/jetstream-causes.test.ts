/** Causes and effects of facts in a journal of a cluster. */
import { rm } from 'node:fs/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatEdges, life, withWalks } from '../causes/life.ts'
import { createJournal } from '../create-journal.ts'
import { tempHome } from '../daemon.ts'
import { type NatsServers, startNatsServers, withNats } from '../nats-servers.ts'
import { connectTo, jetStreamEngine } from './jetstream-engine.ts'

const test = suite('causes in JetStream')

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

  test('are the same as in memory', async () => {
    const engine = await jetStreamEngine(connection)
    const home = await tempHome()
    const journals = [await createJournal(life), await createJournal(life, engine.stores)]
    const edges: string[][] = []
    for (const journal of journals)
      edges.push(
        await withWalks(home, journal, async (walk) => {
          const causes = await walk({ seq: 47, depth: 20 })
          const effects = await walk({ seq: 4, depth: 20, direction: 'effects' })
          return [...formatEdges(causes), ...formatEdges(effects)]
        }),
      )
    assert.ok((edges[0]?.length ?? 0) > 20)
    assert.equal(edges[1], edges[0])
    for (const journal of journals) await journal.close()
    await engine.end()
    await rm(home, { recursive: true, force: true })
  })
})

test.run()

/** The status of a cluster, which is read without changing the servers. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { listServers, openBucket } from '../../src/cluster/buckets.ts'
import { standOfCluster } from '../../src/cluster/cluster-status.ts'
import { createRequests } from '../../src/cluster/jetstream/server-requests.ts'
import { temporary } from '../journal/engines.ts'
import { startNatsServers, withNats } from '../nats-servers.ts'
import { connectTo, openOn } from './jetstream-engine.ts'

withNats(test, () => {
  test('creates no bucket on the servers', async () => {
    const nats = await startNatsServers()
    const home = await temporary()
    const connection = await connectTo(nats)
    await openOn(connection, home, { name: 'looked-at' })
    const requests = createRequests(connection)
    const listNames = async () =>
      (
        await requests.ask('$JS.API.STREAM.NAMES', {}, z.object({ streams: z.array(z.string()) }))
      ).streams.sort()
    const layout = { name: 'looked-at', shards: 1, replicas: 1 }
    try {
      const namesBefore = await listNames()
      const status = await standOfCluster(connection, layout)
      assert.equal([status.daemons, status.personas], [[], []])
      assert.equal(await listNames(), namesBefore)

      const daemons = await openBucket(listServers(connection, 'looked-at', 1), 'daemons')
      await daemons.put('one', JSON.stringify({ advertise: 'http://127.0.0.1:1', leaving: false }))
      const [daemon] = (await standOfCluster(connection, layout)).daemons
      assert.is(daemon?.id, 'one')
    } finally {
      await connection.close()
      await nats.end()
      await rm(home, { recursive: true })
    }
  })
})

test.run()

/** Moves into a cluster and out of it that cannot finish: nothing is removed, and no key is left behind. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { journalFolder, personaFolder } from '../../home/places.ts'
import { openSecrets } from '../../home/secrets.ts'
import { toClusterKey } from '../../src/cluster/jetstream/cluster-key.ts'
import { openJetStream } from '../../src/cluster/jetstream/jetstream.ts'
import { removeFromServers } from '../../src/cluster/jetstream/remove-from-servers.ts'
import { joinCluster } from '../../src/cluster/join-cluster.ts'
import { leaveCluster } from '../../src/cluster/leave-cluster.ts'
import { getClusterState, markHome } from '../../src/cluster-state-file.ts'
import { tempHome } from '../daemon.ts'
import { type NatsServers, startNatsServers, withNats } from '../nats-servers.ts'
import { connectTo } from './jetstream-engine.ts'
import { clusterKey, createLife, diary, filename, layout, listNames, people } from './journal-layout.ts'

const test = suite('moves that cannot be ended')

withNats(test, () => {
  let [servers, connection]: [NatsServers, NatsConnection] = [] as never
  const homes: string[] = []
  test.before(async () => {
    servers = await startNatsServers()
    connection = await connectTo(servers)
  })
  test.after(async () => {
    await connection.close()
    await servers.end()
    for (const home of homes) await rm(home, { recursive: true, force: true })
  })

  const emptyHome = async () => {
    const home = await tempHome()
    homes.push(home)
    return home
  }
  let clusters = 0
  /** A new cluster, with two personas in a home or already moved. */
  const moving = async () => {
    const name = `half${++clusters}`
    const open = (home: string) => openJetStream({ ...layout, name, home, clusterKey, connection })
    const home = await emptyHome()
    await createLife(home)
    const joinHome = async () => joinCluster({ home, jetStream: await open(home), onJoined: () => undefined })
    const leave = async (otherId: string) =>
      leaveCluster('ada', { ...layout, name, home: otherId, jetStream: await open(otherId), connection })
    return { home, open, joinHome, leave }
  }
  const namesIn = async (home: string) =>
    (await readdir(join(home, 'personas'), { recursive: true })).filter((name) => /secrets/.test(name))

  test('removes keys that an earlier attempt left in the home after all have moved', async () => {
    const { home, joinHome } = await moving()
    await joinHome()
    await markHome(home, { is: 'joining', moved: people })
    await (await openSecrets(home, 'ada')).put('ref', 'sk-of-ada')
    await writeFile(join(personaFolder(home, 'bo'), 'secrets.tmp'), 'sk-of-bo')
    await joinHome()
    assert.equal(await namesIn(home), [])
    assert.is(getClusterState(home).is, 'cache')
  })

  test('moves no persona if some keys cannot be read', async () => {
    const { home, open, joinHome } = await moving()
    await writeFile(join(personaFolder(home, 'bo'), 'secrets'), 'torn')
    assert.match(await getRefusal(joinHome()), /the keys of bo are damaged/)
    assert.is(getClusterState(home).is, 'alone')
    assert.equal(await (await open(await emptyHome())).stores.ids(), [])
    assert.is((await openSecrets(home, 'ada')).get('ref'), 'sk-of-ada')
  })

  test('removes nothing from the cluster unless the local copy is complete', async () => {
    const { open, joinHome, leave } = await moving()
    await joinHome()
    const otherHome = await emptyHome()
    const { stores, cluster } = await open(await emptyHome())
    const { requests, names, files, secrets } = cluster
    const [chunk = ''] = await requests.subjects(
      names.getFileSubjects('ada'),
      names.chunk('ada', 'media', '*', '*'),
    )
    const lastMessage = await requests.last(names.getFileSubjects('ada'), chunk)
    await requests.publish({ subject: chunk, data: Buffer.alloc(99), name: 'another' })
    assert.match(await getRefusal(leave(otherHome)), /damaged/)
    assert.equal([...(await stores.ids())].sort(), people)
    assert.equal(await listNames(stores, 'ada'), names5)
    assert.equal([...(await secrets.values('ada'))], [['ref', 'sk-of-ada']])
    assert.equal(await files.names('ada', 'media'), [filename])
    assert.equal(await files.names('ada', 'diaries'), [diary])

    await requests.publish({ subject: chunk, data: lastMessage?.data ?? Buffer.alloc(0), name: 'whole' })
    await leave(otherHome)
    assert.equal(await stores.ids(), ['bo'])
    assert.is((await openSecrets(otherHome, 'ada')).get('ref'), 'sk-of-ada')
  })

  // Seen failing without the check of the cluster's identity.
  test('does not continue a move with another cluster', async () => {
    const first = await moving()
    const otherMove = await moving()
    const { identity } = await first.open(first.home)
    await markHome(first.home, { is: 'joining', moved: ['ada'], of: identity })
    const wrong = { ...layout, name: `half${clusters}`, home: first.home, connection }
    const joinWith = async (key: typeof clusterKey) =>
      joinCluster({
        home: first.home,
        jetStream: await openJetStream({ ...wrong, clusterKey: key }),
        onJoined: () => undefined,
      })
    assert.match(await getRefusal(joinWith(clusterKey)), /begun with another cluster/)
    assert.match(await getRefusal(joinWith(toClusterKey(Buffer.alloc(32, 8)))), /another (cluster|key)/)
    assert.equal(getClusterState(first.home), { is: 'joining', moved: ['ada'], of: identity })
    assert.is((await openSecrets(first.home, 'ada')).get('ref'), 'sk-of-ada')

    await markHome(first.home, { is: 'leaving', id: 'ada', isWhole: true, of: identity })
    assert.match(await getRefusal(otherMove.leave(first.home)), /begun with another cluster/)
    assert.is(getClusterState(first.home).is, 'leaving')
    await markHome(first.home, { is: 'joining', moved: [], of: identity })
    await first.joinHome()
    assert.is(getClusterState(first.home).is, 'cache')
  })

  test('does not restore a persona that was deleted before the copy was complete', async () => {
    const { open, joinHome, leave } = await moving()
    await joinHome()
    const otherHome = await emptyHome()
    const third = await emptyHome()
    const { cluster } = await open(third)
    await markHome(otherHome, { is: 'leaving', id: 'ada', isWhole: false })
    await mkdir(journalFolder(otherHome, 'ada'), { recursive: true })
    await removeFromServers(cluster, 'ada')
    assert.match(await getRefusal(leave(otherHome)), /was deleted there before the copy was complete/)
    assert.is(getClusterState(otherHome).is, 'alone')
    assert.equal(await readdir(join(otherHome, 'personas')), [])
  })
})

const names5 = [0, 1, 2, 3, 4].map((n) => `ada ${n}`)

const getRefusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  )

test.run()

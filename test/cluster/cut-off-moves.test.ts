/**
 * Moves into a cluster and out of it are interrupted after every few answers of the servers, and continued.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openHomeStores } from '../../home/home-stores.ts'
import { mediaFolder } from '../../home/places.ts'
import { openSecrets } from '../../home/secrets.ts'
import { openJetStream } from '../../src/cluster/jetstream/jetstream.ts'
import { joinCluster } from '../../src/cluster/join-cluster.ts'
import { leaveCluster } from '../../src/cluster/leave-cluster.ts'
import { getClusterState } from '../../src/cluster-state-file.ts'
import { tempHome } from '../daemon.ts'
import { startNatsServers, withNats } from '../nats-servers.ts'
import { connectTo } from './jetstream-engine.ts'
import {
  clusterKey,
  createLife,
  diary,
  filename,
  layout,
  limitAnswers,
  listNames,
  people,
} from './journal-layout.ts'

/** Repeats until it succeeds. Returns the number of interruptions. */
const insisting = async (act: (answers: number) => Promise<unknown>, step: number): Promise<number> => {
  for (let tries = 0; ; tries++) {
    try {
      await act(1 + tries * step)
      return tries
    } catch (error) {
      assert.match(
        (error as Error).message,
        /not answer|not acknowledge|in doubt|refused/,
        (error as Error).stack,
      )
    }
  }
}

withNats(test, () => {
  test('loses nothing and leaves nothing behind after any interruption', async () => {
    const nats = await startNatsServers()
    const connection = await connectTo(nats)
    const home = await tempHome()
    const otherHome = await tempHome()
    try {
      await createLife(home)
      const open = (subject: string, answers: number) =>
        openJetStream({
          ...layout,
          home: subject,
          clusterKey,
          patience: 50,
          connection: limitAnswers(connection, answers),
        })
      const joinCut = await insisting(async (answers) => {
        await joinCluster({ home, jetStream: await open(home, answers), onJoined: () => undefined })
      }, 1)
      assert.ok(joinCut > 10, `${joinCut}`)
      assert.is(getClusterState(home).is, 'cache')
      assert.not.ok((await readdir(join(home, 'personas/ada'))).includes('secrets'))

      const all = await open(otherHome, Number.POSITIVE_INFINITY)
      for (const id of people) assert.is((await listNames(all.stores, id)).length, 5)
      await rm(join(otherHome, 'personas'), { recursive: true })
      const leaveCut = await insisting(async (answers) => {
        const jetStream = await open(otherHome, answers)
        await leaveCluster('ada', { ...layout, home: otherHome, jetStream, connection })
      }, 4)
      assert.ok(leaveCut > 3, `${leaveCut}`)
      assert.is(getClusterState(otherHome).is, 'alone')
      assert.equal(
        await listNames(await openHomeStores(otherHome), 'ada'),
        [0, 1, 2, 3, 4].map((n) => `ada ${n}`),
      )
      assert.is((await openSecrets(otherHome, 'ada')).get('ref'), 'sk-of-ada')
      assert.equal(await readdir(mediaFolder(otherHome, 'ada')), [filename])
      assert.equal(await readdir(join(otherHome, 'diaries/ada')), [diary])
      const { cluster } = all
      assert.equal([...(await cluster.keys.ids())], ['bo'])
      const remainingSubjects = await cluster.requests.subjects(
        cluster.names.getFileSubjects('ada'),
        'moves.files.*.ada.>',
      )
      assert.equal(remainingSubjects, [])
    } finally {
      await connection.close()
      await nats.end()
      for (const item of [home, otherHome]) await rm(item, { recursive: true, force: true })
    }
  })
})

test.run()

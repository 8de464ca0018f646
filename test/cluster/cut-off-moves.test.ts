/** Moves into a cluster and out again, cut off after every few answers of the servers, and gone on with. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mediaFolder } from '../../journal/files/places.ts'
import { openSecrets } from '../../journal/files/secrets.ts'
import { clusterKeyOf } from '../../journal/jetstream/cluster-key.ts'
import { openJetStream } from '../../journal/jetstream/jetstream.ts'
import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import { openJournals } from '../../journal/log/journals.ts'
import type { Stores } from '../../journal/log/store.ts'
import { joinCluster } from '../../src/cluster/join-cluster.ts'
import { leaveCluster } from '../../src/cluster/leave-cluster.ts'
import { standOf } from '../../src/home-mark.ts'
import { tempHome } from '../daemon.ts'
import { born, draft, renamed } from '../journal/facts.ts'
import { connectTo } from '../journal/jetstream-engine.ts'
import { startNatsServers, withNats } from '../nats-servers.ts'

const clusterKey = clusterKeyOf(Buffer.alloc(32, 7))
const layout = { name: 'moves', shards: 1, replicas: 1 }
const filename = `${'a'.repeat(32)}.txt`
const diary = '2026-01-02T030405-000000000003-0123abcd.diary'
const people = ['ada', 'bo']

/** After so many answers there are none any more. */
const answering = (connection: NatsConnection, count: number): NatsConnection => {
  let left = count
  const request: NatsConnection['request'] = (...asked) =>
    left-- > 0 ? connection.request(...asked) : Promise.reject(new Error('cut off'))
  return new Proxy(connection, {
    get: (target, name) => {
      if (name === 'request') return request
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const namesOf = async (stores: Stores, id: string): Promise<readonly string[]> => {
  const journal = await openJournals({ stores, witness: async () => undefined }).open(id, 'reader')
  const names: string[] = []
  for await (const { event } of journal.read({})) if (event.type === 'Renamed') names.push(event.name)
  await journal.close()
  return names
}

const lived = async (home: string): Promise<void> => {
  const stores = await openLevelStores(home)
  const journals = openJournals({ stores, witness: async () => undefined })
  for (const id of people) {
    const journal = await journals.create(id, draft(born))
    for (let n = 0; n < 5; n++) await journal.append([draft(renamed(`${id} ${n}`))], journal.head)
    await journal.close()
    await (await openSecrets(home, id)).put('ref', `sk-of-${id}`)
    await mkdir(mediaFolder(home, id))
    await writeFile(join(mediaFolder(home, id), filename), `a file of ${id}`)
    await mkdir(join(home, 'diaries', id), { recursive: true })
    await writeFile(join(home, 'diaries', id, diary), `a diary of ${id}`)
  }
}

/** Until it is done; how often it was cut off. */
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
  test('nothing is lost or left behind, wherever it is cut off', async () => {
    const nats = await startNatsServers()
    const connection = await connectTo(nats)
    const [home, other] = [await tempHome(), await tempHome()]
    try {
      await lived(home)
      const open = (to: string, answers: number) =>
        openJetStream({
          ...{ ...layout, home: to, clusterKey, patience: 50 },
          connection: answering(connection, answers),
        })
      const joinCut = await insisting(async (answers) => {
        await joinCluster({ home, jetStream: await open(home, answers), told: () => undefined })
      }, 1)
      assert.ok(joinCut > 10, `${joinCut}`)
      assert.is(standOf(home).is, 'cache')
      assert.not.ok((await readdir(join(home, 'personas/ada'))).includes('secrets'))

      const all = await open(other, Number.POSITIVE_INFINITY)
      for (const id of people) assert.is((await namesOf(all.stores, id)).length, 5)
      await rm(join(other, 'personas'), { recursive: true })
      const leaveCut = await insisting(async (answers) => {
        const jetStream = await open(other, answers)
        await leaveCluster('ada', { ...layout, home: other, jetStream, connection })
      }, 4)
      assert.ok(leaveCut > 3, `${leaveCut}`)
      assert.is(standOf(other).is, 'alone')
      assert.equal(
        await namesOf(await openLevelStores(other), 'ada'),
        [0, 1, 2, 3, 4].map((n) => `ada ${n}`),
      )
      assert.is((await openSecrets(other, 'ada')).get('ref'), 'sk-of-ada')
      assert.equal(await readdir(mediaFolder(other, 'ada')), [filename])
      assert.equal(await readdir(join(other, 'diaries/ada')), [diary])
      const { cluster } = all
      assert.equal([...(await cluster.keys.ids())], ['bo'])
      const left = await cluster.requests.subjects(cluster.names.filesOf('ada'), 'moves.files.*.ada.>')
      assert.equal(left, [])
    } finally {
      await connection.close()
      await nats.end()
      for (const one of [home, other]) await rm(one, { recursive: true, force: true })
    }
  })
})

test.run()

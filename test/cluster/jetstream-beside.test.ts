/**
 * Files and keys in the file stores of a cluster are complete, encrypted, and deleted after their removal.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Unavailable } from '../../journal/log/errors.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { besideInCluster } from '../../src/cluster/jetstream/beside-in-cluster.ts'
import { clusterKeyOf } from '../../src/cluster/jetstream/cluster-key.ts'
import type { JetStream } from '../../src/cluster/jetstream/jetstream.ts'
import { createRemoteFiles } from '../../src/cluster/jetstream/remote-files.ts'
import { createSecretsBucket } from '../../src/cluster/jetstream/secrets-bucket.ts'
import { createRequests } from '../../src/cluster/jetstream/server-requests.ts'
import { temporary } from '../journal/engines.ts'
import { type NatsServers, startNatsServers, withNats } from '../nats-servers.ts'
import { connectTo, openOn } from './jetstream-engine.ts'

const test = suite('file stores of a cluster')

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

  let clusters = 0
  /** Two daemons of a separate cluster. */
  const hosts = async () => {
    const name = `beside${++clusters}`
    const host = async () => {
      const home = await temporary()
      homes.push(home)
      for (const id of ['ada', 'bo']) await mkdir(join(home, 'personas', id), { recursive: true })
      const engine = await openOn(connection, home, { name })
      return { home, engine, beside: besideInCluster(engine.cluster, home, systemClock()) }
    }
    return [await host(), await host()] as const
  }
  const chunksOf = ({ cluster: { requests, names } }: JetStream, id: string) =>
    requests.subjects(names.filesOf(id), names.chunk(id, 'media', '*', '*'))

  /** Returns true if the servers' files contain these bytes unencrypted. */
  const onServers = async (words: string): Promise<boolean> => {
    const folder = servers.servers[0]?.folder ?? ''
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile() && (await readFile(join(file.parentPath, file.name))).includes(words)) return true
    return false
  }

  test('a file of any size reaches another host complete, and the servers only encrypted', async () => {
    const [one, two] = await hosts()
    for (const size of [0, 1, 512 * 1024, 512 * 1024 + 1, 9 * 1024 * 1024 + 7]) {
      const bytes = Buffer.concat([Buffer.from('words of Ada'), randomBytes(size)]).subarray(0, size)
      const { filename } = await one.beside.media.keep('ada', { bytes }, 'bin')
      await two.beside.media.bring('ada', filename)
      assert.ok((await readFile(join(two.home, 'personas/ada/media', filename))).equals(bytes), `${size}`)
    }
    assert.not.ok(await onServers('words of Ada'))
    // The download leaves no temporary files.
    assert.equal(await readdir(join(two.home, 'trash')), [])
  })

  test('a file that one host removes is gone for all hosts, with its bytes', async () => {
    const [one, two] = await hosts()
    const { filename } = await one.beside.media.keep('ada', { bytes: randomBytes(700_000) }, 'bin')
    await one.beside.media.drop('ada', filename)
    await two.beside.media.bring('ada', filename)
    assert.equal(await readdir(join(two.home, 'personas/ada')), [])
    assert.equal(await chunksOf(one.engine, 'ada'), [])
  })

  test('an interrupted upload is no file and its bytes are removed; a running upload is not affected', async () => {
    const [one] = await hosts()
    const { requests, names, files } = one.engine.cluster
    const path = join(one.home, 'file')
    await writeFile(path, randomBytes(6 * 1024 * 1024))
    const dying = createRemoteFiles({
      ...{ names, shards: 1, clusterKey: clusterKeyOf(randomBytes(32)) },
      requests: {
        ...requests,
        publish: async (message) => {
          if (message.name.endsWith('.head')) throw new Unavailable('cut off')
          return requests.publish(message)
        },
      },
    })
    const name = `${'0'.repeat(32)}.bin`
    assert.ok((await refusalOf(dying.put('ada', 'media', name, path))) instanceof Unavailable)
    assert.equal(await files.names('ada', 'media'), [])
    assert.is((await chunksOf(one.engine, 'ada')).length, 12)
    const putting = files.put('ada', 'media', name, path)
    await files.sweep('ada', 'media')
    await putting
    await files.sweep('ada', 'media')
    assert.is((await chunksOf(one.engine, 'ada')).length, 12)
    assert.ok(await files.fetch('ada', 'media', name, join(one.home, 'again')))
    assert.ok((await readFile(join(one.home, 'again'))).equals(await readFile(path)))
  })

  test('a missing or damaged chunk is reported, and no partial file remains', async () => {
    const [one, two] = await hosts()
    const { requests, names } = one.engine.cluster
    const { filename } = await one.beside.media.keep('ada', { bytes: randomBytes(1_200_000) }, 'bin')
    const [chunk = ''] = await chunksOf(one.engine, 'ada')
    await requests.publish({ subject: chunk, data: randomBytes(4000), name: 'another' })
    assert.match((await refusalOf(two.beside.media.bring('ada', filename)))?.message ?? '', /damaged/)
    await requests.purge(names.filesOf('ada'), chunk)
    assert.match((await refusalOf(two.beside.media.bring('ada', filename)))?.message ?? '', /not whole/)
    assert.equal(await readdir(join(two.home, 'trash')), [])
  })

  test('the cluster keeps seven diaries, from any daemon, and one of a deleted persona', async () => {
    const [one, two] = await hosts()
    for (let seq = 1; seq <= 9; seq++) {
      const host = seq % 2 ? one : two
      const diary = { made: Date.UTC(2026, 0, seq), seq, recipient: 'age1x' }
      await host.beside.diaries.keep('ada', diary, of(`diary ${seq}`))
    }
    const all = await one.beside.diaries.list('ada')
    assert.equal(
      all.map(({ seq }) => seq),
      [9, 8, 7, 6, 5, 4, 3],
    )
    const [, eighth] = all
    await one.beside.diaries.bring(eighth?.path ?? '')
    assert.is(await readFile(eighth?.path ?? '', 'utf8'), 'diary 8')
    await two.beside.diaries.retire('ada', Date.UTC(2026, 1, 1))
    assert.equal(
      (await one.beside.diaries.list('ada')).map(({ seq }) => seq),
      [9],
    )
    assert.equal(await one.beside.diaries.retired(() => true), [
      { id: 'ada', since: `deleted-${Date.UTC(2026, 1, 1)}` },
    ])
    await one.beside.diaries.removeAll('ada')
    assert.equal(await two.beside.diaries.list('ada'), [])
    await two.beside.diaries.retired(() => false)
    assert.equal(await readdir(join(two.home, 'diaries')), [])
  })

  test('keys move to the next host; a host that was frozen adds keys and removes none', async () => {
    const [one, two] = await hosts()
    const ours = await one.beside.secrets.open('ada')
    await ours.put('a', 'sk-first')
    await ours.put('old', 'sk-old')
    const theirs = await two.beside.secrets.open('ada')
    assert.is(theirs.get('a'), 'sk-first')
    await theirs.put('b', 'sk-second')
    assert.match((await refusalOf(ours.sweep(['a'])))?.message ?? '', /another daemon/)
    await ours.put('c', 'sk-third')
    const now = await two.beside.secrets.open('ada')
    assert.equal(['a', 'b', 'c'].map(now.get), ['sk-first', 'sk-second', 'sk-third'])
    await now.sweep(['b'])
    const after = await one.beside.secrets.open('ada')
    assert.equal(['a', 'b', 'c'].map(after.get), [undefined, 'sk-second', undefined])
    assert.not.ok(await onServers('sk-second'))
  })

  test('keys encrypted with another cluster key are not mistaken for missing keys', async () => {
    const [one] = await hosts()
    await (await one.beside.secrets.open('ada')).put('a', 'sk-first')
    const { requests, names } = one.engine.cluster
    const other = createSecretsBucket({
      ...{ requests, bucket: names.secrets, clusterKey: clusterKeyOf(randomBytes(32)) },
    })
    assert.match((await refusalOf(other.open('ada')))?.message ?? '', /sealed with the cluster key/)
  })

  test('nothing counts as stored while the servers do not answer', async () => {
    const [one] = await hosts()
    const [server] = servers.servers
    const { names, keys } = one.engine.cluster
    const requests = createRequests(connection, 400)
    const files = createRemoteFiles({
      ...{ requests, names, shards: 1, clusterKey: clusterKeyOf(randomBytes(32)) },
    })
    const secrets = createSecretsBucket({
      ...{ requests, bucket: names.secrets, clusterKey: clusterKeyOf(randomBytes(32)) },
    })
    const kept = await secrets.open('bo')
    const media = besideInCluster({ requests, names, keys, files, secrets }, one.home, systemClock()).media
    server?.signal('SIGSTOP')
    try {
      assert.ok((await refusalOf(kept.put('a', 'sk-lost'))) instanceof Unavailable)
      assert.is(kept.get('a'), undefined)
      assert.ok((await refusalOf(media.keep('bo', { bytes: randomBytes(9) }, 'bin'))) instanceof Unavailable)
    } finally {
      server?.signal('SIGCONT')
    }
    await kept.put('b', 'sk-kept')
    assert.is((await secrets.open('bo')).get('b'), 'sk-kept')
    assert.equal(await files.names('bo', 'media'), [])
  })
})

async function* of(words: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(words)
}

const refusalOf = (asked: Promise<unknown>): Promise<Error | undefined> =>
  asked.then(
    () => undefined,
    (error: unknown) => error as Error,
  )

test.run()

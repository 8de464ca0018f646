/** Files and keys in a cluster: complete, encrypted, and gone after they are dropped. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Unavailable } from '../../journal/log/errors.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { besideInCluster } from '../../src/cluster/jetstream/beside-in-cluster.ts'
import { toClusterKey } from '../../src/cluster/jetstream/cluster-key.ts'
import type { JetStream } from '../../src/cluster/jetstream/jetstream.ts'
import { createRemoteFiles } from '../../src/cluster/jetstream/remote-files.ts'
import { createSecretsBucket } from '../../src/cluster/jetstream/secrets-bucket.ts'
import { createRequests } from '../../src/cluster/jetstream/server-requests.ts'
import { temporary } from '../journal/engines.ts'
import { type NatsServers, startNatsServers, withNats } from '../nats-servers.ts'
import { connectTo, openOn } from './jetstream-engine.ts'

const test = suite('beside the journals of a cluster')

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
  /** Two daemons of a new cluster. */
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
  const countChunks = ({ cluster: { requests, names } }: JetStream, id: string) =>
    requests.subjects(names.getFileSubjects(id), names.chunk(id, 'media', '*', '*'))

  /** Returns whether the files of the servers contain this text unencrypted. */
  const onServers = async (text: string): Promise<boolean> => {
    const folder = servers.servers[0]?.folder ?? ''
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile() && (await readFile(join(file.parentPath, file.name))).includes(text)) return true
    return false
  }

  test('a file of any size reaches another host completely, and the servers only encrypted', async () => {
    const [first, second] = await hosts()
    for (const size of [0, 1, 512 * 1024, 512 * 1024 + 1, 9 * 1024 * 1024 + 7]) {
      const bytes = Buffer.concat([Buffer.from('words of Ada'), randomBytes(size)]).subarray(0, size)
      const { filename } = await first.beside.media.keep('ada', { bytes }, 'bin')
      await second.beside.media.bring('ada', filename)
      assert.ok((await readFile(join(second.home, 'personas/ada/media', filename))).equals(bytes), `${size}`)
    }
    assert.not.ok(await onServers('words of Ada'))
    // No temporary download is left.
    assert.equal(await readdir(join(second.home, 'trash')), [])
  })

  test('a file that one host drops is gone for all hosts, and so are its bytes', async () => {
    const [first, second] = await hosts()
    const { filename } = await first.beside.media.keep('ada', { bytes: randomBytes(700_000) }, 'bin')
    await first.beside.media.drop('ada', filename)
    await second.beside.media.bring('ada', filename)
    assert.equal(await readdir(join(second.home, 'personas/ada')), [])
    assert.equal(await countChunks(first.engine, 'ada'), [])
  })

  test('sweeps the bytes of an interrupted upload, and not those of a running one', async () => {
    const [first] = await hosts()
    const { requests, names, files } = first.engine.cluster
    const path = join(first.home, 'file')
    await writeFile(path, randomBytes(6 * 1024 * 1024))
    const dyingFiles = createRemoteFiles({
      names,
      shards: 1,
      clusterKey: toClusterKey(randomBytes(32)),
      requests: {
        ...requests,
        publish: async (message) => {
          if (message.name.endsWith('.head')) throw new Unavailable('cut off')
          return requests.publish(message)
        },
      },
    })
    const name = `${'0'.repeat(32)}.bin`
    assert.ok((await getRefusal(dyingFiles.put('ada', 'media', name, path))) instanceof Unavailable)
    assert.equal(await files.names('ada', 'media'), [])
    assert.is((await countChunks(first.engine, 'ada')).length, 12)
    const putting = files.put('ada', 'media', name, path)
    await files.sweep('ada', 'media')
    await putting
    await files.sweep('ada', 'media')
    assert.is((await countChunks(first.engine, 'ada')).length, 12)
    assert.ok(await files.fetch('ada', 'media', name, join(first.home, 'again')))
    assert.ok((await readFile(join(first.home, 'again'))).equals(await readFile(path)))
  })

  test('rejects a missing or foreign chunk, and leaves no partial file', async () => {
    const [first, second] = await hosts()
    const { requests, names } = first.engine.cluster
    const { filename } = await first.beside.media.keep('ada', { bytes: randomBytes(1_200_000) }, 'bin')
    const [chunk = ''] = await countChunks(first.engine, 'ada')
    await requests.publish({ subject: chunk, data: randomBytes(4000), name: 'another' })
    assert.match((await getRefusal(second.beside.media.bring('ada', filename)))?.message ?? '', /damaged/)
    await requests.purge(names.getFileSubjects('ada'), chunk)
    assert.match((await getRefusal(second.beside.media.bring('ada', filename)))?.message ?? '', /incomplete/)
    assert.equal(await readdir(join(second.home, 'trash')), [])
  })

  test('keeps seven diaries of all hosts, and one of a deleted persona', async () => {
    const [first, second] = await hosts()
    for (let seq = 1; seq <= 9; seq++) {
      const host = seq % 2 ? first : second
      const diary = { made: Date.UTC(2026, 0, seq), seq, recipient: 'age1x' }
      await host.beside.diaries.keep('ada', diary, createBytes(`diary ${seq}`))
    }
    const all = await first.beside.diaries.list('ada')
    assert.equal(
      all.map(({ seq }) => seq),
      [9, 8, 7, 6, 5, 4, 3],
    )
    const [, eighth] = all
    await first.beside.diaries.bring(eighth?.path ?? '')
    assert.is(await readFile(eighth?.path ?? '', 'utf8'), 'diary 8')
    await second.beside.diaries.retire('ada', Date.UTC(2026, 1, 1))
    assert.equal(
      (await first.beside.diaries.list('ada')).map(({ seq }) => seq),
      [9],
    )
    assert.equal(await first.beside.diaries.retired(() => true), [
      { id: 'ada', since: `deleted-${Date.UTC(2026, 1, 1)}` },
    ])
    await first.beside.diaries.removeAll('ada')
    assert.equal(await second.beside.diaries.list('ada'), [])
    await second.beside.diaries.retired(() => false)
    assert.equal(await readdir(join(second.home, 'diaries')), [])
  })

  test('the next host has the keys; a host that was suspended can add keys but sweeps none', async () => {
    const [first, second] = await hosts()
    const ours = await first.beside.secrets.open('ada')
    await ours.put('a', 'sk-first')
    await ours.put('old', 'sk-old')
    const otherSecrets = await second.beside.secrets.open('ada')
    assert.is(otherSecrets.get('a'), 'sk-first')
    await otherSecrets.put('b', 'sk-second')
    assert.match((await getRefusal(ours.sweep(['a'])))?.message ?? '', /another daemon/)
    await ours.put('c', 'sk-third')
    const secretsNow = await second.beside.secrets.open('ada')
    assert.equal(['a', 'b', 'c'].map(secretsNow.get), ['sk-first', 'sk-second', 'sk-third'])
    await secretsNow.sweep(['b'])
    const journalAfter = await first.beside.secrets.open('ada')
    assert.equal(['a', 'b', 'c'].map(journalAfter.get), [undefined, 'sk-second', undefined])
    assert.not.ok(await onServers('sk-second'))
  })

  test('keys of another cluster key do not count as empty', async () => {
    const [first] = await hosts()
    await (await first.beside.secrets.open('ada')).put('a', 'sk-first')
    const { requests, names } = first.engine.cluster
    const otherBucket = createSecretsBucket({
      requests,
      bucket: names.secrets,
      clusterKey: toClusterKey(randomBytes(32)),
    })
    assert.match((await getRefusal(otherBucket.open('ada')))?.message ?? '', /sealed with the cluster key/)
  })

  test('stores nothing while the servers do not answer', async () => {
    const [first] = await hosts()
    const [server] = servers.servers
    const { names, keys } = first.engine.cluster
    const requests = createRequests(connection, 400)
    const files = createRemoteFiles({
      requests,
      names,
      shards: 1,
      clusterKey: toClusterKey(randomBytes(32)),
    })
    const secrets = createSecretsBucket({
      requests,
      bucket: names.secrets,
      clusterKey: toClusterKey(randomBytes(32)),
    })
    const storedSecrets = await secrets.open('bo')
    const media = besideInCluster({ requests, names, keys, files, secrets }, first.home, systemClock()).media
    server?.signal('SIGSTOP')
    try {
      assert.ok((await getRefusal(storedSecrets.put('a', 'sk-lost'))) instanceof Unavailable)
      assert.is(storedSecrets.get('a'), undefined)
      assert.ok((await getRefusal(media.keep('bo', { bytes: randomBytes(9) }, 'bin'))) instanceof Unavailable)
    } finally {
      server?.signal('SIGCONT')
    }
    await storedSecrets.put('b', 'sk-kept')
    assert.is((await secrets.open('bo')).get('b'), 'sk-kept')
    assert.equal(await files.names('bo', 'media'), [])
  })
})

async function* createBytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const getRefusal = (promise: Promise<unknown>): Promise<Error | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => error as Error,
  )

test.run()

/** The only daemon of a cluster. */
import { execFile } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NatsRefused } from '../../src/cluster/jetstream/nats-refused.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { HomeError } from '../../src/home-lock.ts'
import { call } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { type NatsServers, startNatsServers, withNats } from '../nats-servers.ts'
import { runDaimon } from '../process/daemon.ts'

const test = suite('a daemon on a cluster')

const root = fileURLToPath(new URL('../..', import.meta.url))
const key = 'ab'.repeat(32)

const create = async (url: string): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'embedded/practice' })).body
    .persona.id

const list = async (url: string) =>
  (await call(url, 'GET', '/api/personas')).body.personas.map(({ id }: { id: string }) => id)

const getRefusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a daemon without a cluster does not load NATS', async () => {
  const loadedScript = `Object.keys((await import('node:module')).default._cache).filter((path) => path.includes('@nats-io')).length`
  const script = `
    const { startDaemon } = await import('./test/daemon.ts')
    const { close, url } = await startDaemon()
    await fetch(url + '/api/personas')
    await close()
    const alone = ${loadedScript}
    await import('./src/cluster/jetstream/nats-connection.ts')
    console.log(alone, ${loadedScript} > 0)
    process.exit(0)`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script],
    { cwd: root },
  )
  assert.is(stdout.trim(), '0 true')
})

// Seen failing when an address could contain a password.
test('reports invalid cluster settings without their secrets', () => {
  assert.is(readConfig({}).cluster, null)
  const DAIMON_NATS = 'nats://10.0.0.1:4222, tls://n2.example.org'
  const { cluster } = readConfig({ DAIMON_NATS, DAIMON_CLUSTER_KEY: '/k' })
  assert.equal(cluster, {
    servers: ['nats://10.0.0.1:4222', 'tls://n2.example.org'],
    credentials: null,
    authority: null,
    key: '/k',
    name: 'daimon',
    shards: 1,
    replicas: 3,
    advertise: null,
  })
  for (const [env, words] of [
    [{ DAIMON_NATS }, /DAIMON_CLUSTER_KEY must name the file/],
    [{ DAIMON_NATS: 'nats://me:hunter2@host', DAIMON_CLUSTER_KEY: '/k' }, /must not hold a name or password/],
    [{ DAIMON_NATS: 'host', DAIMON_CLUSTER_KEY: '/k' }, /must be addresses/],
    [
      { DAIMON_NATS, DAIMON_CLUSTER_KEY: '/k', DAIMON_CLUSTER: 'a.b' },
      /DAIMON_CLUSTER must be small letters/,
    ],
    [{ DAIMON_NATS, DAIMON_CLUSTER_KEY: '/k', DAIMON_CLUSTER_SHARDS: '0' }, /from 1 to 1000/],
  ] as const) {
    assert.throws(
      () => readConfig(env),
      (error: Error) =>
        error instanceof ConfigError && words.test(error.message) && !/hunter2/.test(error.message),
    )
  }
})

withNats(test, () => {
  let servers: NatsServers
  let keyFolder: string
  const env = () => ({
    DAIMON_NATS: servers.addresses.join(','),
    DAIMON_CLUSTER_KEY: join(keyFolder, 'key'),
    DAIMON_CLUSTER_REPLICAS: '1',
  })
  test.before(async () => {
    servers = await startNatsServers()
    keyFolder = await tempHome()
    await writeFile(join(keyFolder, 'key'), `${key}\n`)
  })
  test.after(async () => {
    await servers.end()
    await rm(keyFolder, { recursive: true })
  })

  test('a persona outlives the home of its daemon', async () => {
    const first = await tempHome()
    const second = await tempHome()
    const firstDaemon = await startDaemon({ home: first, env: env() })
    const id = await create(firstDaemon.url)
    const reply = await call(firstDaemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message: 'hello' })
    assert.is(reply.status, 200, JSON.stringify(reply.body))
    await firstDaemon.close()
    await rm(first, { recursive: true })
    const secondDaemon = await startDaemon({ home: second, env: env() })
    assert.equal(await list(secondDaemon.url), [id])
    const { events, intact } = (await call(secondDaemon.url, 'POST', `/api/persona/${id}/verify`)).body
    assert.ok(intact)
    assert.ok(events > 3)
    const secondReply = await call(secondDaemon.url, 'POST', `/api/persona/${id}/read?wait=20`, {
      message: 'still there?',
    })
    assert.is(secondReply.status, 200)
    await secondDaemon.close()
    assert.instance(await getRefusal(startDaemon({ home: second })), HomeError)
    await rm(second, { recursive: true })
  })

  test('does not use a home with personas as a cache', async () => {
    const home = await tempHome()
    const loneDaemon = await startDaemon({ home })
    const id = await create(loneDaemon.url)
    await loneDaemon.close()
    const error = await getRefusal(startDaemon({ home, env: env() }))
    assert.instance(error, HomeError)
    assert.match((error as Error).message, /has 1 personas that are in no cluster/)
    assert.ok((await readdir(join(home, 'personas'))).includes(id))
    await rm(home, { recursive: true })
  })

  // Seen failing when it ended with a stack trace.
  test('a start with too few servers fails with a message', async () => {
    const natsServers = await startNatsServers(3)
    const [, ...dead] = natsServers.servers
    await Promise.all(dead.map((server) => server.kill()))
    const home = await tempHome()
    const { whenEnded } = runDaimon({
      home,
      env: { ...env(), DAIMON_NATS: natsServers.addresses.join(',') },
    })
    const { code, stderr } = await whenEnded
    assert.is(code, 1)
    assert.match(stderr, /^daimon: the cluster does not answer[^\n]*\n$/)
    await natsServers.end()
    await rm(home, { recursive: true })
  })

  test('reports an invalid key without quoting it', async () => {
    const bad = join(keyFolder, 'bad')
    await writeFile(bad, 'hunter2')
    const error = await getRefusal(startDaemon({ env: { ...env(), DAIMON_CLUSTER_KEY: bad } }))
    assert.instance(error, NatsRefused)
    assert.not.match((error as Error).message, /hunter2/)
  })
})

test.run()

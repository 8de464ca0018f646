/**
 * The `nats.conf` of the how-to about clusters, unchanged except for addresses and folders: three real
 * servers with TLS and the least rights, and the errors of a daemon if one of these is wrong.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { toStartupError } from '../../src/cli/startup-errors.ts'
import { call, create, say } from '../cluster/daemons.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { type NatsServers, type Place, startNatsServers, withNats } from '../nats-servers.ts'

const test = suite('the conf of a cluster')

const execute = promisify(execFile)
const password = 'a-password-of-this-test'

/** Returns the first block of this kind in the how-to. */
const readConfig = async (): Promise<string> => {
  const page = await readFile(new URL('../../docs/how-to/cluster.md', import.meta.url), 'utf8')
  const [, conf] = /```conf\n(.*?)```/s.exec(page) ?? []
  if (!conf) throw new Error('the how-to shows no conf')
  return conf
}

const getConf =
  (conf: string, change: (text: string) => string = (text) => text) =>
  (folder: string, { name, port, route, routes }: Place): string => {
    const [one = 0, two = 0] = routes.filter((otherRoute) => otherRoute !== route)
    return change(conf)
      .replace('server_name: n1', `server_name: ${name}`)
      .replace('10.0.0.1:4222', `127.0.0.1:${port}`)
      .replace('10.0.0.1:6222', `127.0.0.1:${route}`)
      .replace('10.0.0.2:6222', `127.0.0.1:${one}`)
      .replace('10.0.0.3:6222', `127.0.0.1:${two}`)
      .replace('/var/lib/nats', join(folder, name))
      .replaceAll('/etc/nats/n1', join(keys, name))
      .replaceAll('/etc/nats', keys)
  }

let keys = ''

/** Creates a certificate for each server, signed by one authority, and another authority that signed none. */
const sign = async (folder: string) => {
  const key = (name: string) =>
    ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'].concat(
      ...[
        ['-keyout', join(folder, `${name}.key`)],
        ['-subj', `/CN=${name}`],
      ],
    )
  for (const name of ['ca', 'other'])
    await execute('openssl', [
      'req',
      '-x509',
      '-days',
      '2',
      ...key(name),
      '-out',
      join(folder, `${name}.crt`),
    ])
  const extensions = join(folder, 'extensions')
  await writeFile(extensions, 'subjectAltName=IP:127.0.0.1\n')
  for (const name of ['n1', 'n2', 'n3']) {
    const csrPath = join(folder, `${name}.csr`)
    await execute('openssl', ['req', '-new', ...key(name), '-out', csrPath])
    const signArgs = ['-CA', join(folder, 'ca.crt'), '-CAkey', join(folder, 'ca.key'), '-CAcreateserial']
    const outArgs = ['-extfile', extensions, '-out', join(folder, `${name}.crt`)]
    await execute('openssl', ['x509', '-req', '-days', '2', '-in', csrPath, ...signArgs, ...outArgs])
  }
  await writeFile(join(folder, 'nats'), `daimon:${password}\n`)
  await writeFile(join(folder, 'wrong'), 'daimon:hunter2\n')
  await writeFile(join(folder, 'cluster.key'), `${'1f'.repeat(32)}\n`)
}

const getEnv = ({ addresses }: NatsServers) => ({
  DAIMON_NATS: addresses.map((address) => address.replace('nats://', 'tls://')).join(','),
  DAIMON_NATS_CA: join(keys, 'ca.crt'),
  DAIMON_NATS_CREDENTIALS: join(keys, 'nats'),
  DAIMON_CLUSTER_KEY: join(keys, 'cluster.key'),
})

/** Returns the error line of a daemon that cannot start. */
const getRefusal = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const home = await tempHome()
  const error: unknown = await startDaemon({ home, env }).catch((caughtError: unknown) => caughtError)
  await rm(home, { recursive: true })
  const { line = '' } = toStartupError(error) ?? {}
  assert.match(line, /^[^\n]+$/)
  assert.not.match(line, /hunter2|a-password/)
  return line
}

withNats(test, () => {
  test.before(async () => {
    keys = await mkdtemp(join(tmpdir(), 'conf-'))
    process.env.DAIMON_PASSWORD = password
    await sign(keys)
  })
  test.after(async () => {
    delete process.env.DAIMON_PASSWORD
    await rm(keys, { recursive: true })
  })

  // Fails if a server without a name counts as localhost, and if a user is retried after a permanent refusal.
  test('the configuration is sufficient for a daemon, and each error is reported in a sentence', async () => {
    const nats = await startNatsServers(3, { conf: getConf(await readConfig()) })
    try {
      const env = getEnv(nats)
      const daemon = await startDaemon({ env })
      const id = await create(daemon.url, 'Ada')
      assert.is((await say(daemon.url, id, 'My name is Mia.'))[0], 200)
      const [status, { intact }] = await call(`${daemon.url}/api/persona/${id}/verify`, { method: 'POST' })
      assert.equal([status, intact], [200, true])
      assert.is((await call(`${daemon.url}/api/persona/${id}/delete`, { method: 'POST' }))[0], 200)
      await daemon.close()
      const wrong = { ...env, DAIMON_NATS_CREDENTIALS: join(keys, 'wrong') }
      assert.match(await getRefusal(wrong), /Authorization Violation/)
      assert.match(
        await getRefusal({ ...env, DAIMON_NATS_CA: join(keys, 'other.crt') }),
        /certificate|CERT|SIGNATURE|ISSUER/,
      )
    } finally {
      await nats.end()
    }
  })

  // Fails if the daemon retries and reports that no server answers.
  test('reports missing rights', async () => {
    const withoutCreate = (text: string) => text.replace('"$JS.API.STREAM.CREATE.*", ', '')
    const nats = await startNatsServers(3, { conf: getConf(await readConfig(), withoutCreate) })
    try {
      assert.match(await getRefusal(getEnv(nats)), /too few permissions: .*STREAM\.CREATE/i)
    } finally {
      await nats.end()
    }
  })
})

test.run()

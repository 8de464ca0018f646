/** Moves personas into a cluster and out of it by the command line, with interruptions. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createClosing } from '../../packages/kit/flow/closing.ts'
import { waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { startNatsServers, withNats } from '../nats-servers.ts'
import { mainFile } from '../process/daemon.ts'
import { call, create, createClusterEnv, say, waitUntilRunning } from './daemons.ts'

interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly err: string
}

const daimon = (args: readonly string[], env: object): Promise<CommandResult> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, NO_COLOR: '1', OLLAMA_BASE_URL: 'http://127.0.0.1:9', ...env } }
    execFile(process.execPath, [mainFile, ...args], options, (error, stdout, err) =>
      resolve({ code: error ? Number(error.code) : 0, stdout: stdout, err }),
    )
  })

/** Kills the command after `ms` milliseconds. */
const cutOffCommand = async (args: readonly string[], env: object, ms: number): Promise<void> => {
  const child = spawn(process.execPath, [mainFile, ...args], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  await Promise.race([delay(ms), exited])
  child.kill('SIGKILL')
  await exited
}

const notes = 'The kite is in the cellar.\n'

const readTalk = async (url: string, id: string): Promise<readonly string[]> =>
  (await call(`${url}/api/persona/${id}/conversation`))[1].messages.map(
    ({ role, content }: { role: string; content: string }) => `${role}: ${content}`,
  )

withNats(test, () => {
  test('moves the personas of a home into a cluster and one of them out again, with all their data', async () => {
    const { keep, close } = createClosing()
    try {
      const nats = await startNatsServers()
      keep({ close: nats.end })
      const cluster = await createClusterEnv(nats.addresses, nats.servers[0]?.folder ?? '')
      const home = await tempHome()
      const otherHome = await tempHome()
      for (const item of [home, otherHome]) keep({ close: () => rm(item, { recursive: true, force: true }) })

      const standalone = await startDaemon({ home })
      const ids: string[] = []
      for (const name of ['Ada', 'Bo', 'Cy', 'Di'])
        ids.push(await create(standalone.url, name, { thinking_api_key: `sk-of-${name}` }))
      const [ada = ''] = ids
      const form = new FormData()
      form.set('file', new Blob([notes], { type: 'text/plain' }), 'notes.txt')
      await fetch(`${standalone.url}/api/persona/${ada}/attach?wait=30`, { method: 'POST', body: form })
      for (const id of ids) assert.is((await say(standalone.url, id, 'My name is Mia.'))[0], 200)
      const messagesBefore = await Promise.all(ids.map((id) => readTalk(standalone.url, id)))
      await standalone.close()

      const env = { ...cluster, DAIMON_HOME: home }
      assert.match((await daimon([], env)).err, /daimon cluster join/)
      for (const ms of [500, 900, 1300]) await cutOffCommand(['cluster', 'join'], env, ms)
      const joinReply = await daimon(['cluster', 'join'], env)
      // On a fast machine the last run may finish before it is killed.
      assert.ok(joinReply.code === 0 || /is in a cluster already/.test(joinReply.err), joinReply.err)
      assert.not.ok((await readdir(join(home, 'personas', ada))).includes('secrets'))
      assert.match((await daimon(['cluster', 'join'], env)).err, /is in a cluster already/)
      assert.match((await daimon([], { DAIMON_HOME: home, WEB_PORT: '0' })).err, /is a cache of a cluster/)

      // Another home, so only the servers know the personas.
      const host = keep(await startDaemon({ env: cluster }))
      await waitUntilRunning(host.url, ['Ada', 'Bo', 'Cy', 'Di'])
      assert.equal(await Promise.all(ids.map((id) => readTalk(host.url, id))), messagesBefore)
      const [, told] = await call(`${host.url}/api/persona/${ada}/diagnose`)
      assert.is(told.organs.thinking.key_missing, undefined)
      assert.ok(told.diaries.kept >= 1)
      assert.equal([told.journal.durability.replicas, told.journal.durability.differs], [1, []])
      const metrics = await (await fetch(`${host.url}/metrics`)).text()
      assert.match(metrics, /^daimon_cluster_replicas 1$/m)
      assert.match(metrics, /^daimon_cluster_as_asked 1$/m)

      const status = await daimon(['cluster', 'status', '--json'], cluster)
      assert.is(status.code, 0, status.err)
      const stand = JSON.parse(status.stdout)
      assert.equal(
        stand.daemons.map(({ hosts }: { hosts: number }) => hosts),
        [4],
      )
      assert.equal(stand.personas.map(({ name }: { name: string }) => name).sort(), ['Ada', 'Bo', 'Cy', 'Di'])
      assert.match((await daimon(['cluster', 'status'], cluster)).stdout, /Ada +\S+ +awake/)

      assert.is((await say(host.url, ada, 'I live in the cluster.'))[0], 200)
      const talkOnHost = await readTalk(host.url, ada)
      const leaveEnv = { ...cluster, DAIMON_HOME: otherHome }
      for (const ms of [900, 1800, 2500]) await cutOffCommand(['cluster', 'leave', ada], leaveEnv, ms)
      const leaveResult = await daimon(['cluster', 'leave', ada], leaveEnv)
      const isDone = /the cluster has no persona|has a persona/.test(leaveResult.err)
      assert.ok(leaveResult.code === 0 || isDone, leaveResult.err)
      await waitUntilRunning(host.url, ['Bo', 'Cy', 'Di'])
      const restartedDaemon = keep(await startDaemon({ home: otherHome }))
      await waitUntilRunning(restartedDaemon.url, ['Ada'])
      assert.equal(await readTalk(restartedDaemon.url, ada), talkOnHost)
      const diagnosis = (await call(`${restartedDaemon.url}/api/persona/${ada}/diagnose`))[1]
      assert.is(diagnosis.organs.thinking.key_missing, undefined)
      assert.ok(diagnosis.diaries.kept >= 1)
      assert.is(diagnosis.journal.durability, undefined)
      const verification = (
        await call(`${restartedDaemon.url}/api/persona/${ada}/verify`, { method: 'POST' })
      )[1]
      assert.ok(verification.intact)
      assert.equal([verification.media.missing, verification.media.damaged], [[], []])
      // Other daemons reload the list of journals twice a minute. Until then they answer 503.
      const isUnknown = async () => (await call(`${host.url}/api/persona/${ada}/conversation`))[0] === 404
      await waitFor('it to be unknown there', isUnknown, 60_000)
    } finally {
      await close()
    }
  })

  test('the doctor reports healthy and faulty parts of a cluster', async () => {
    const { keep, close } = createClosing()
    try {
      const nats = await startNatsServers()
      keep({ close: nats.end })
      const env = await createClusterEnv(nats.addresses, nats.servers[0]?.folder ?? '')
      await chmod(env.DAIMON_CLUSTER_KEY, 0o644)
      const home = await tempHome()
      keep({ close: () => rm(home, { recursive: true, force: true }) })
      const findings = async (overrides: object = {}) => {
        const { stdout } = await daimon(['--json', 'doctor'], {
          ...env,
          DAIMON_HOME: home,
          ...overrides,
        })
        return JSON.parse(stdout).findings as { what: string; state: string; told: string }[]
      }
      const findFinding = (all: Awaited<ReturnType<typeof findings>>, topic: string) =>
        all.filter((item) => item.what === topic).map(({ state, told }) => `${state}: ${told}`)
      const first = await findings()
      assert.match(findFinding(first, 'cluster key')[0] ?? '', /^amiss: others on this machine can read/)
      assert.match(findFinding(first, 'NATS server')[0] ?? '', /^well: .* version 2\.\d+/)
      assert.match(findFinding(first, 'streams')[0] ?? '', /^note: missing/)
      await chmod(env.DAIMON_CLUSTER_KEY, 0o600)
      keep(await startDaemon({ env }))
      const second = await findings()
      assert.match(findFinding(second, 'cluster key')[0] ?? '', /^well/)
      assert.equal(findFinding(second, 'daimon-0'), ['well: on 1 server'])
      assert.match(findFinding(second, 'clocks')[0] ?? '', /^well/)
      const third = await findings({ DAIMON_NATS: 'nats://127.0.0.1:9', DAIMON_CLUSTER_REPLICAS: '3' })
      assert.match(findFinding(third, 'NATS server')[0] ?? '', /^amiss: /)
      const fourth = await findings({ DAIMON_CLUSTER_REPLICAS: '3' })
      assert.match(findFinding(fourth, 'daimon-0')[0] ?? '', /^amiss: num_replicas of daimon-0 is 1, not 3/)
    } finally {
      await close()
    }
  })
})

test.run()

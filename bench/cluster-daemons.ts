/**
 * Measures daemon processes of a cluster on three servers: the cost of 1000 hosted personas, the extra cost
 * of a forwarded request, and the time until a message is acknowledged.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClosing } from '../packages/kit/flow/closing.ts'
import { standOfCluster } from '../src/cluster/cluster-status.ts'
import { call, create, createClusterEnv } from '../test/cluster/daemons.ts'
import { connectTo } from '../test/cluster/jetstream-engine.ts'
import { startNatsServers } from '../test/nats-servers.ts'
import { fillHome } from '../test/ordeal/homes.ts'
import { runDaimon } from '../test/process/daemon.ts'
import { type Figure, median } from './figure.ts'
import { load } from './load.ts'
import { quiet, readCpuMs } from './long-work.ts'
import { type RunningDaemon, startRunning } from './running-daemon.ts'
import { silentRuntime } from './silent-runtime.ts'

const personas = 1000
const factsOfEach = 60
const idleSeconds = 20
const rounds = 3

export const clusterDaemons = async (): Promise<readonly Figure[]> => {
  const { keep, close } = createClosing()
  try {
    const nats = await startNatsServers(3)
    keep({ close: nats.end })
    const folder = await mkdtemp(join(tmpdir(), 'bench-'))
    keep({ close: () => rm(folder, { recursive: true, force: true }) })
    const runtime = await silentRuntime()
    keep(runtime)
    const env = { ...(await createClusterEnv(nats.addresses, folder)), OLLAMA_BASE_URL: runtime.url }

    const aloneHome = join(folder, 'alone')
    const clusterHome = join(folder, 'moved')
    await fillHome(aloneHome, Array<number>(personas).fill(factsOfEach))
    await cp(aloneHome, clusterHome, { recursive: true })
    const home = await hosting(aloneHome, {})
    await home.daemon.close()
    const joining = await measureJoin(clusterHome, env)
    const hostedCosts = await hosting(clusterHome, env)
    keep(hostedCosts.daemon)
    const otherPersona = await startRunning(join(folder, 'other'), env, personas)
    keep(otherPersona)
    // It takes its share of the personas over from the first daemon.
    await quiet(otherPersona.pid)

    const connection = keep(await connectTo(nats))
    const findHost = async (id: string): Promise<string> => {
      const { daemons, personas: all } = await standOfCluster(connection, {
        name: 'daimon',
        shards: 1,
        replicas: 3,
      })
      const daemon = all.find((item) => item.id === id)?.daemon
      return daemons.find((item) => item.id === daemon)?.address ?? ''
    }
    const urls = [hostedCosts.daemon.url, otherPersona.url]
    const silent = await create(otherPersona.url, 'Silent', { thinking_model: 'silent' })
    runtime.hush()
    return [
      ...costs(home, hostedCosts, joining),
      await measureForwarding(urls, await findHost('p00000')),
      ...(await measureRead(await findHost(silent), silent)),
    ]
  } finally {
    await close()
  }
}

/** Personas moved and verified per second. */
const measureJoin = async (home: string, env: Record<string, string>): Promise<number> => {
  const startedAt = performance.now()
  const { code, stderr } = await runDaimon({ args: ['cluster', 'join', '--json'], home, env }).whenEnded
  if (code !== 0) throw new Error(`did not join: ${stderr}`)
  return personas / ((performance.now() - startedAt) / 1000)
}

interface Hosting {
  readonly daemon: RunningDaemon
  readonly memory: number
  /** Share of one core while there are no requests. */
  readonly idle: number
}

const hosting = async (home: string, env: Record<string, string>): Promise<Hosting> => {
  const daemon = await startRunning(home, env, personas)
  await quiet(daemon.pid)
  const cpuBefore = await readCpuMs(daemon.pid)
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000))
  const idle = (100 * ((await readCpuMs(daemon.pid)) - cpuBefore)) / idleSeconds
  return { daemon: daemon, memory: await daemon.memory(), idle }
}

const costs = (home: Hosting, cluster: Hosting, joining: number): readonly Figure[] => [
  {
    label: `${personas} personas moved into a cluster and verified`,
    value: joining,
    unit: '/s',
    goal: 'none',
    isMet: true,
  },
  {
    label: `a daemon of a cluster with ${personas} hosted, spawn to all running`,
    value: cluster.daemon.runMs,
    unit: 'ms',
    baseline: { label: 'without a cluster', value: home.daemon.runMs },
    goal: 'none',
    isMet: true,
  },
  {
    label: 'the same: memory',
    value: cluster.memory,
    unit: 'MB',
    baseline: { label: 'without a cluster', value: home.memory },
    goal: 'none',
    isMet: true,
  },
  {
    label: 'the same: share of a core while idle',
    value: cluster.idle,
    unit: '%',
    baseline: { label: 'without a cluster', value: home.idle },
    goal: 'none',
    isMet: true,
  },
]

/** Compares the medians of single requests to the host and to another daemon, alternating. */
const measureForwarding = async (urls: readonly string[], host: string): Promise<Figure> => {
  const hostTimes: number[] = []
  const otherTimes: number[] = []
  for (let n = 0; n < rounds; n++)
    for (const url of urls) {
      const { p50 } = await load(1, 2000, { url: `${url}/api/persona/p00000/conversation?limit=10` })
      ;(url === host ? hostTimes : otherTimes).push(p50)
    }
  const extraMs = median(otherTimes) - median(hostTimes)
  return {
    label: `a page of talk from another daemon (${median(otherTimes).toFixed(2)} ms), extra time against its host`,
    value: extraMs,
    unit: 'ms',
    baseline: { label: 'from its host', value: median(hostTimes) },
    goal: '< 2 ms',
    isMet: hostTimes.length > 0 && otherTimes.length > 0 && extraMs < 2,
  }
}

const measureRead = async (url: string, id: string): Promise<readonly Figure[]> => {
  await call(`${url}/api/persona/${id}/read?wait=0`, { method: 'POST', body: { message: 'hello' } })
  const figures: Figure[] = []
  for (const clients of [1, 16]) {
    const { p50, p99, perSecond } = await load(clients, 5000, {
      url: `${url}/api/persona/${id}/read`,
      method: 'POST',
      body: () => JSON.stringify({ message: 'A few words, as one says them.' }),
    })
    const label = `read acknowledged by three servers, ${clients} ${clients === 1 ? 'client' : 'clients'}`
    figures.push(
      { label, value: perSecond, unit: '/s', goal: 'none', isMet: true },
      { label: `${label}, p50`, value: p50, unit: 'ms', goal: 'none', isMet: true },
      { label: `${label}, p99`, value: p99, unit: 'ms', goal: '< 50 ms', isMet: p99 < 50 },
    )
  }
  return figures
}

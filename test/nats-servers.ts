/** Real NATS servers on loopback, for tests: from `NATS_SERVER` or the path. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'uvu'
import { printFigures } from './ordeal.ts'

/** The oldest version that a cluster accepts. */
const minVersion = { major: 2, minor: 12 }

/** Undefined if none is installed, or if it is too old for a cluster. */
export const natsServerFile = ((): string | undefined => {
  const { NATS_SERVER: configuredFile, PATH = '' } = process.env
  const places = configuredFile
    ? [configuredFile]
    : PATH.split(delimiter).map((folder) => join(folder, 'nats-server'))
  return places.find((file) => isProgram(file) && isRecent(file))
})()

/** Reads `nats-server: v2.12.1`. */
function isRecent(file: string): boolean {
  const [, major = 0, minor = 0] =
    /v(\d+)\.(\d+)/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' }))?.map(Number) ?? []
  return major > minVersion.major || (major === minVersion.major && minor >= minVersion.minor)
}

/** Runs the tests only if a server is installed, and otherwise reports that they are skipped. */
export const withNats = (test: Test, tests: () => void): void => {
  if (natsServerFile !== undefined) return tests()
  test('is skipped without a nats-server', () =>
    printFigures(
      'NATS',
      `skipped: no nats-server ${minVersion.major}.${minVersion.minor} or newer in NATS_SERVER or on the path`,
    ))
}

export interface NatsServer {
  readonly name: string
  readonly address: string
  readonly folder: string
  start(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Resolves when the process has exited. */
  kill(signal?: NodeJS.Signals): Promise<void>
}

export interface NatsServers {
  readonly servers: readonly NatsServer[]
  readonly addresses: readonly string[]
  end(): Promise<void>
}

/**
 * Starts one server, or three as a cluster. They accept connections, but a cluster may not have its leaders
 * yet. `isDiscreet`: they do not advertise each other to clients.
 */
export const startNatsServers = async (
  count: 1 | 3 = 1,
  {
    isDiscreet = false,
    at = '127.0.0.1',
    conf = createConfig,
    file = natsServerFile ?? 'nats-server',
  }: Partial<Manner> = {},
): Promise<NatsServers> => {
  const folder = await mkdtemp(join(tmpdir(), 'nats-'))
  const names = Array.from({ length: count }, (_, n) => `n${n + 1}`)
  const ports = await freePorts(count)
  const routes = await freePorts(count)
  const servers = await Promise.all(
    names.map(async (name, n) => {
      const config = join(folder, `${name}.conf`)
      const place = {
        name,
        port: ports[n] ?? 0,
        route: routes[n] ?? 0,
        routes: count === 1 ? [] : routes,
        isDiscreet,
        at,
      }
      await writeFile(config, conf(folder, place))
      return createNatsServer({ file, config, name, port: place.port, folder })
    }),
  )
  await Promise.all(servers.map((server) => server.start()))
  return {
    servers,
    addresses: servers.map(({ address }) => address),
    end: async () => {
      await Promise.all(servers.map((server) => server.kill('SIGKILL')))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Manner {
  readonly isDiscreet: boolean
  /** Listen address for clients; `0.0.0.0` for those of any network. */
  readonly at: string
  /** Returns the configuration of a server, from the shared folder and its own place. */
  readonly conf: (folder: string, place: Place) => string
  readonly file: string
}

export interface Place {
  readonly name: string
  readonly port: number
  readonly route: number
  readonly routes: readonly number[]
  readonly isDiscreet: boolean
  readonly at: string
}

const createConfig = (folder: string, { name, port, route, routes, isDiscreet, at }: Place): string => {
  const store = join(folder, name)
  mkdirSync(store, { recursive: true })
  const cluster = `cluster { name: test, listen: "127.0.0.1:${route}", no_advertise: ${isDiscreet}, routes: [${routes.map((targetRoute) => `"nats://127.0.0.1:${targetRoute}"`).join(', ')}] }\n`
  return `server_name: ${name}\nlisten: "${at}:${port}"\njetstream { store_dir: "${store}", sync_interval: always }\n${routes.length > 0 ? cluster : ''}`
}

interface MadeServer {
  readonly file: string
  readonly config: string
  readonly name: string
  readonly port: number
  readonly folder: string
}

const createNatsServer = ({ file, config, name, port, folder }: MadeServer): NatsServer => {
  let childProcess: ChildProcess | undefined
  return {
    name,
    address: `nats://127.0.0.1:${port}`,
    folder: join(folder, name),
    start: async () => {
      const child = spawn(file, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
      childProcess = child
      await waitForAnswer(child, port)
    },
    signal: (signal) => void childProcess?.kill(signal),
    kill: async (signal = 'SIGKILL') => {
      const child = childProcess
      childProcess = undefined
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exitTask = once(child, 'exit')
      child.kill(signal)
      // A stopped process receives no other signal.
      if (signal !== 'SIGKILL') child.kill('SIGCONT')
      await exitTask
    },
  }
}

const waitForAnswer = async (child: ChildProcess, port: number): Promise<void> => {
  let output = ''
  child.stderr?.on('data', (bytes) => (output = `${output}${bytes}`.slice(-4000)))
  while (!/Server is ready/.test(output)) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`nats-server on ${port} ended: ${output}`)
    await delay(20)
  }
}

/** Returns ports that were free a moment ago: servers of a cluster need each other's before they start. */
const freePorts = (count: number): Promise<readonly number[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      await delay(5)
      server.close()
      return typeof address === 'object' && address ? address.port : 0
    }),
  )

function isProgram(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

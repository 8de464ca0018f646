/** The checks of `doctor` for a cluster. They create nothing there. */
import { stat } from 'node:fs/promises'
import { readClusterKey } from '../cluster/jetstream/cluster-key.ts'
import { askStreams, isMissing, type StreamStand } from '../cluster/jetstream/durability.ts'
import { listStreams } from '../cluster/jetstream/layout.ts'
import { openConnection } from '../cluster/jetstream/nats-connection.ts'
import { createNames } from '../cluster/jetstream/places-in-cluster.ts'
import { createRequests } from '../cluster/jetstream/server-requests.ts'
import type { ClusterConfig } from '../config.ts'
import type { Finding } from './finding.ts'

export const clusterFindings = async (config: ClusterConfig): Promise<readonly Finding[]> =>
  (
    await Promise.all([
      key(config),
      ...config.servers.map((server) => serverAt(server, config)),
      streams(config),
    ])
  ).flat()

const getReason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const key = async ({ key: path }: ClusterConfig): Promise<readonly Finding[]> => {
  const subject = 'cluster key'
  try {
    const { id } = await readClusterKey(path)
    const isOpen = ((await stat(path)).mode & 0o077) !== 0 && process.platform !== 'win32'
    return [
      isOpen
        ? {
            what: subject,
            state: 'amiss',
            told: `others on this machine can read ${path}: chmod 600 ${path}`,
          }
        : { what: subject, state: 'well', told: `${id}: must be the same at every daemon` },
    ]
  } catch (error) {
    return [{ what: subject, state: 'amiss', told: getReason(error) }]
  }
}

const connect = ({ credentials, authority }: ClusterConfig, servers: readonly string[]) =>
  openConnection({
    servers,
    name: 'daimon-doctor',
    timeout: 3000,
    ...(credentials !== null && { credentials }),
    ...(authority !== null && { authority }),
  })

const serverAt = async (server: string, config: ClusterConfig): Promise<Finding> => {
  const subject = 'NATS server'
  try {
    const connection = await connect(config, [server])
    const { server_name: name = '', version = '' } = connection.info ?? {}
    await connection.close()
    return { what: subject, state: 'well', told: `${server} answers: ${name}, version ${version}` }
  } catch (error) {
    return { what: subject, state: 'amiss', told: `${server}: ${getReason(error)}` }
  }
}

const streams = async (config: ClusterConfig): Promise<readonly Finding[]> => {
  const connection = await connect(config, config.servers).catch(() => null)
  // The findings of the servers already have the reason.
  if (!connection) return []
  try {
    const startMs = Date.now()
    const streams = listStreams(createNames(config.name, config.shards), config)
    const states = await askStreams({ requests: createRequests(connection, 3000), requestedConfigs: streams })
    return [...states.map(checkStream), ...checkClocks(states, startMs, Date.now())]
  } catch (error) {
    return [
      isMissing(error)
        ? { what: 'streams', state: 'note', told: 'missing: the first daemon creates them' }
        : { what: 'streams', state: 'amiss', told: getReason(error) },
    ]
  } finally {
    await connection.close()
  }
}

const checkStream = ({ name, leader, replicas, followers, differs }: StreamStand): Finding => {
  const current = followers.filter((follower) => follower.current).length + 1
  if (leader === null && replicas > 1)
    return { what: name, state: 'amiss', told: 'no leader: nothing can be written' }
  if (differs.length > 0) return { what: name, state: 'amiss', told: differs.join('; ') }
  return current < replicas
    ? { what: name, state: 'amiss', told: `${current} of ${replicas} servers follow` }
    : { what: name, state: 'well', told: `on ${replicas} ${replicas === 1 ? 'server' : 'servers'}` }
}

/** Max difference between clocks in ms. */
const maxClockDifferenceMs = 2000

const checkClocks = (
  states: readonly StreamStand[],
  beforeMs: number,
  afterMs: number,
): readonly Finding[] => {
  const times = states.flatMap(({ time }) => time ?? [])
  if (times.length === 0)
    return [{ what: 'clocks', state: 'note', told: 'the servers do not report their time' }]
  // The time that the request took does not count as a difference.
  const differenceMs = Math.max(...times.map((time) => Math.max(beforeMs - time, time - afterMs, 0)))
  return [
    differenceMs > maxClockDifferenceMs
      ? {
          what: 'clocks',
          state: 'amiss',
          told: `the clock of a server is ${(differenceMs / 1000).toFixed(1)} s away from this one`,
        }
      : { what: 'clocks', state: 'well', told: 'the clocks of the servers agree with this one' },
  ]
}

/**
 * Reports the status of a cluster for its operator: servers, streams, daemons, and the host of each persona.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import { findBucket, listServers } from './buckets.ts'
import { askStreams, type StreamStand } from './jetstream/durability.ts'
import { type Layout, listStreams } from './jetstream/layout.ts'
import { createNames } from './jetstream/places-in-cluster.ts'
import { createRequests } from './jetstream/server-requests.ts'
import { readAnnouncement } from './registry.ts'
import { readSummary } from './summaries.ts'

export interface ClusterStand {
  /** The server that answered. */
  readonly server: { readonly name: string; readonly version: string }
  /**
   * All servers that store streams, by name. `current` is true if the server is up to date in every stream.
   */
  readonly servers: readonly { readonly name: string; readonly current: boolean }[]
  readonly streams: readonly StreamStand[]
  readonly daemons: readonly {
    readonly id: string
    readonly address: string
    readonly leaving: boolean
    readonly hosts: number
  }[]
  /** `daemon`: the current or last host. `alive`: whether that daemon announces itself. */
  readonly personas: readonly {
    readonly id: string
    readonly name: string
    readonly running: boolean
    readonly daemon: string
    readonly alive: boolean
  }[]
}

/** Creates nothing on the servers. Throws Unavailable, also if the cluster was never created. */
export const standOfCluster = async (connection: NatsConnection, layout: Layout): Promise<ClusterStand> => {
  const requests = createRequests(connection, 3000)
  const configs = listStreams(createNames(layout.name, layout.shards), layout)
  const streams = await askStreams({ requests, asked: configs })
  const servers = listServers(connection, layout.name, layout.replicas)
  const all = async <T>(name: 'daemons' | 'summaries', read: (value: unknown) => T | undefined) => {
    const bucket = await findBucket(servers, name)
    const valuesByKey = new Map<string, T>()
    if (!bucket) return valuesByKey
    for await (const { subject, data } of bucket.all()) {
      const value = parsed(data, read)
      if (value !== undefined) valuesByKey.set(subject.slice(bucket.prefix.length), value)
    }
    return valuesByKey
  }
  const daemons = await all('daemons', readAnnouncement)
  const summaries = await all('summaries', readSummary)
  const personas = [...summaries].map(([id, { host, view }]) => ({
    id,
    name: view.name,
    running: view.running,
    daemon: host,
    alive: daemons.has(host),
  }))
  const { server_name: name = '', version = '' } = connection.info ?? {}
  return {
    server: { name, version },
    servers: serversIn(streams),
    streams,
    daemons: [...daemons].map(([id, { advertise: address, leaving }]) => {
      const hosts = personas.filter(({ daemon }) => daemon === id).length
      return { id, address, leaving, hosts }
    }),
    personas,
  }
}

const serversIn = (streams: readonly StreamStand[]): ClusterStand['servers'] => {
  const current = new Map<string, boolean>()
  for (const { leader, followers } of streams) {
    if (leader !== null) current.set(leader, current.get(leader) ?? true)
    for (const follower of followers)
      current.set(follower.name, (current.get(follower.name) ?? true) && follower.current)
  }
  return [...current].map(([name, isCurrent]) => ({ name, current: isCurrent })).sort(byName)
}

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : 1

const parsed = <T>(data: Buffer, read: (value: unknown) => T | undefined): T | undefined => {
  try {
    return read(JSON.parse(data.toString('utf8')))
  } catch {
    return undefined
  }
}

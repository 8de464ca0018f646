/** Reports how durable an acknowledged commit is, as far as the servers reveal it. */
import type { NatsConnection } from '@nats-io/transport-node'
import * as z from 'zod'
import type { StreamConfig } from './layout.ts'
import { type Requests, ServerRefused } from './server-requests.ts'

export interface Durability {
  readonly engine: 'jetstream'
  /** Version of the server that this daemon is connected to. */
  readonly server: string
  /**
   * Number of servers that store each commit; a majority of them must acknowledge it. The lowest number among
   * all streams.
   */
  readonly replicas: number
  /** Number of those servers that are up to date with their leader. */
  readonly current: number
  /** Sentences about settings that differ from the requested ones. Empty if there are none. */
  readonly differs: readonly string[]
  /**
   * The largest loss if all servers lose power. Always null, because clients cannot query it. With
   * `sync_interval: always` in the server settings nothing is lost.
   */
  readonly syncInterval: null
}

/** The current status of a stream. */
export interface StreamStand {
  readonly name: string
  readonly leader: string | null
  readonly replicas: number
  /** The following servers, by name. `lag` is a number of messages. */
  readonly followers: readonly Follower[]
  readonly messages: number
  readonly bytes: number
  readonly differs: readonly string[]
  /** The leader's clock in epoch milliseconds, or null if the server does not report it. */
  readonly time: number | null
}

interface Follower {
  readonly name: string
  readonly current: boolean
  readonly lag: number
}

interface Asking {
  readonly requests: Requests
  readonly requestedConfigs: readonly StreamConfig[]
}

const Config = z.looseObject({ num_replicas: z.int() })
const StreamInfo = z.object({
  config: Config,
  state: z.object({ messages: z.int(), bytes: z.int() }),
  cluster: z
    .object({
      leader: z.string().optional(),
      replicas: z
        .array(
          z.object({
            name: z.string(),
            current: z.boolean(),
            offline: z.boolean().optional(),
            lag: z.int().default(0),
          }),
        )
        .nullish(),
    })
    .optional(),
  ts: z.string().optional(),
})

/** Throws Unavailable, also if a stream is missing. */
export const askStreams = ({ requests, requestedConfigs }: Asking): Promise<readonly StreamStand[]> =>
  Promise.all(requestedConfigs.map((config) => askStream(requests, config)))

const askStream = async (requests: Requests, requestedConfig: StreamConfig): Promise<StreamStand> => {
  const { config, state, cluster, ts } = await requests.ask(
    `$JS.API.STREAM.INFO.${requestedConfig.name}`,
    {},
    StreamInfo,
  )
  const followers = (cluster?.replicas ?? []).map(({ name, current, offline = false, lag }) => ({
    name,
    lag,
    current: current && !offline,
  }))
  return {
    name: requestedConfig.name,
    leader: cluster?.leader ?? null,
    replicas: config.num_replicas,
    followers,
    ...state,
    differs: differences(requestedConfig, config),
    time: ts === undefined ? null : Date.parse(ts),
  }
}

/**
 * Compares only settings that could drop messages or store them on fewer disks. The server omits fields that
 * are false.
 */
const differences = (
  requestedConfig: StreamConfig,
  actualConfig: z.infer<typeof Config>,
): readonly string[] => {
  const expectedConfig = { ...requestedConfig, max_age: 0, max_msgs: -1, max_bytes: -1 }
  return Object.entries(expectedConfig).flatMap(([field, value]) => {
    if (field === 'metadata' || field === 'name') return []
    const actualValue = actualConfig[field] ?? (typeof value === 'boolean' ? false : value)
    return JSON.stringify(actualValue) === JSON.stringify(value)
      ? []
      : `${field} of ${requestedConfig.name} is ${JSON.stringify(actualValue)}, not ${JSON.stringify(value)}`
  })
}

/** Throws Unavailable. */
export const askDurability = async ({
  connection,
  ...asking
}: Asking & { readonly connection: NatsConnection }): Promise<Durability> => {
  const streams = await askStreams(asking)
  return {
    engine: 'jetstream',
    server: connection.info?.version ?? '',
    replicas: Math.min(...streams.map(({ replicas }) => replicas)),
    current: Math.min(
      ...streams.map(({ leader, followers, replicas }) =>
        leader === null && replicas > 1 ? 0 : 1 + followers.filter(({ current }) => current).length,
      ),
    ),
    differs: streams.flatMap(({ differs }) => differs),
    syncInterval: null,
  }
}

/** Returns whether the error says that a stream does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof ServerRefused && error.reason === 10059

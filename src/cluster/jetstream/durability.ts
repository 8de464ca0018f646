/** What an acknowledged commit can be relied on for, as far as the servers tell. */
import type { NatsConnection } from '@nats-io/transport-node'
import * as z from 'zod'
import type { StreamConfig } from './layout.ts'
import { type Requests, ServerRefused } from './server-requests.ts'

export interface Durability {
  readonly engine: 'jetstream'
  /** Version of the server that this daemon is connected to. */
  readonly server: string
  /** On so many disks, by most of which it is acknowledged; of the stream that has the fewest. */
  readonly replicas: number
  /** Of those, how many follow their leader now. */
  readonly current: number
  /** What is otherwise than this daemon asks for, in words; none where all is as asked. */
  readonly differs: readonly string[]
  /**
   * What a power cut of all of them takes at most: the servers tell no client, so it is null. With
   * `sync_interval: always` in their settings it is nothing.
   */
  readonly syncInterval: null
}

/** A stream as it is now. */
export interface StreamStand {
  readonly name: string
  readonly leader: string | null
  readonly replicas: number
  /** Servers that follow it, by name; `lag` in messages. */
  readonly followers: readonly Follower[]
  readonly messages: number
  readonly bytes: number
  readonly differs: readonly string[]
  /** What its leader took for now: epoch milliseconds; null where it does not tell. */
  readonly time: number | null
}

interface Follower {
  readonly name: string
  readonly current: boolean
  readonly lag: number
}

interface Asking {
  readonly requests: Requests
  readonly asked: readonly StreamConfig[]
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
            ...{ name: z.string(), current: z.boolean(), offline: z.boolean().optional() },
            lag: z.int().default(0),
          }),
        )
        .nullish(),
    })
    .optional(),
  ts: z.string().optional(),
})

/** Unavailable, also where one is not there. */
export const askStreams = ({ requests, asked }: Asking): Promise<readonly StreamStand[]> =>
  Promise.all(asked.map((config) => askStream(requests, config)))

const askStream = async (requests: Requests, asked: StreamConfig): Promise<StreamStand> => {
  const { config, state, cluster, ts } = await requests.ask(
    `$JS.API.STREAM.INFO.${asked.name}`,
    {},
    StreamInfo,
  )
  const followers = (cluster?.replicas ?? []).map(({ name, current, offline = false, lag }) => ({
    ...{ name, lag, current: current && !offline },
  }))
  return {
    name: asked.name,
    leader: cluster?.leader ?? null,
    replicas: config.num_replicas,
    followers,
    ...state,
    differs: differences(asked, config),
    time: ts === undefined ? null : Date.parse(ts),
  }
}

/** What would drop something, or keep it on fewer disks. A server leaves out what is false. */
const differences = (asked: StreamConfig, is: z.infer<typeof Config>): readonly string[] => {
  const wanted = { ...asked, max_age: 0, max_msgs: -1, max_bytes: -1 }
  return Object.entries(wanted).flatMap(([field, value]) => {
    if (field === 'metadata' || field === 'name') return []
    const said = is[field] ?? (typeof value === 'boolean' ? false : value)
    return JSON.stringify(said) === JSON.stringify(value)
      ? []
      : `${field} of ${asked.name} is ${JSON.stringify(said)}, not ${JSON.stringify(value)}`
  })
}

/** Unavailable. */
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

/** Whether a stream was never made. */
export const isMissing = (error: unknown): boolean => error instanceof ServerRefused && error.reason === 10059

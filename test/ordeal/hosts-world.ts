/**
 * Starts the servers and daemons of a cluster as processes, each in a place that can be cut off, and one bot.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClosing } from '../../packages/kit/flow/closing.ts'
import { type ClusterStand, standOfCluster } from '../../src/cluster/cluster-status.ts'
import { createClusterEnv } from '../cluster/daemons.ts'
import { connectTo } from '../cluster/jetstream-engine.ts'
import { tempHome } from '../daemon.ts'
import { type NatsServers, startNatsServers } from '../nats-servers.ts'
import { type DaemonProcess, startProcess } from '../process/daemon.ts'
import { createTelegramStandIn, type TelegramStandIn } from '../stand-ins/telegram.ts'
import { byLinks, onHosts, type Place } from './hosts-places.ts'
import { hasHosts } from './network-hosts.ts'

export interface Member {
  readonly home: string
  readonly place: Place
  process: DaemonProcess
  url: string
}

export interface World {
  readonly nats: NatsServers
  readonly members: readonly Member[]
  readonly telegram: TelegramStandIn
  /** Cluster status as reported by the servers. */
  stand(): Promise<ClusterStand>
  /** Returns the ids that a daemon hosts, according to the servers. */
  listHosted(member: Member): Promise<readonly string[]>
  /** Starts an ended daemon again with the same home. */
  startAgain(member: Member): Promise<void>
  /** Sets its clock, in ms ahead of the real one. */
  setClock(member: Member, aheadMs: number): Promise<void>
  close(): Promise<void>
}

const clockHook = new URL('./jumping-clock.mjs', import.meta.url).href

export const openWorld = async (servers: 1 | 3, daemons: number): Promise<World> => {
  const { keep, close } = createClosing()
  try {
    return await createWorld({ keep, close, servers, daemons })
  } catch (error) {
    await close()
    throw error
  }
}

interface OpeningParts extends ReturnType<typeof createClosing> {
  readonly servers: 1 | 3
  readonly daemons: number
}

const createWorld = async ({ keep, close, servers, daemons }: OpeningParts): Promise<World> => {
  const nats = await startNatsServers(servers, { isDiscreet: true, ...(hasHosts && { at: '0.0.0.0' }) })
  keep({ close: nats.end })
  const telegram = keep(await createTelegramStandIn())
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  keep({ close: () => rm(folder, { recursive: true, force: true }) })
  const connection = keep(await connectTo(nats))

  const places = await (hasHosts ? onHosts : byLinks)({ nats, telegram: telegram.url, keep })

  const runMember = async ({ home, place }: Pick<Member, 'home' | 'place'>) => {
    const env = {
      ...(await createClusterEnv(place.servers, folder)),
      DAIMON_ADVERTISE: place.door,
      DAIMON_ALLOWED_HOSTS: place.names.join(','),
      TELEGRAM_API_BASE_URL: place.telegram,
      NODE_OPTIONS: `--import ${clockHook}`,
      JUMPING_CLOCK: `${home}.clock`,
    }
    const args = ['--port', `${place.port}`]
    const process = await startProcess({ home, env, args, namespace: place.namespace })
    return { process, url: place.lead(process.port) }
  }
  const make = async (): Promise<Member> => {
    const home = await tempHome()
    const place = await places()
    const member = { home, place, ...(await runMember({ home, place })) }
    keep({ close: () => end(member) })
    return member
  }
  const members: Member[] = []
  for (let n = 0; n < daemons; n++) members.push(await make())

  const stand = () => standOfCluster(connection, { name: 'daimon', shards: 1, replicas: servers })
  return {
    nats,
    members,
    telegram,
    stand,
    close,
    listHosted: async ({ place }) => {
      const { daemons: all, personas } = await stand()
      const ownAddress = all.find(({ address }) => address === place.door)
      return personas.filter(({ daemon }) => daemon === ownAddress?.id).map(({ id }) => id)
    },
    startAgain: async (member) => {
      Object.assign(member, await runMember(member))
    },
    setClock: async ({ home, process }, aheadMs) => {
      await writeFile(`${home}.clock`, `${aheadMs}`)
      process.child.kill('SIGUSR2')
    },
  }
}

const end = async ({ home, process }: Member): Promise<void> => {
  process.child.kill('SIGKILL')
  await process.whenEnded
  await Promise.all([home, `${home}.clock`].map((path) => rm(path, { recursive: true, force: true })))
}

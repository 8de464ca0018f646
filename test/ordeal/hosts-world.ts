/** Servers and daemons of a cluster as processes, with ways between them that can be cut, and one bot. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClusterStand, standOfCluster } from '../../src/cluster/stand.ts'
import { createClosing } from '../../src/flow/closing.ts'
import { envOf } from '../cluster/daemons.ts'
import { tempHome } from '../daemon.ts'
import { connectTo } from '../journal/jetstream-engine.ts'
import { type NatsServers, startNatsServers } from '../nats-servers.ts'
import { type DaemonProcess, startProcess } from '../process/daemon.ts'
import { createTelegramStandIn, type TelegramStandIn } from '../stand-ins/telegram.ts'
import { createLink, type Link } from './cut-link.ts'

export interface Member {
  readonly home: string
  /** From this daemon to the servers, and from the other daemons to it. */
  readonly ways: readonly Link[]
  readonly door: Link
  process: DaemonProcess
}

export interface World {
  readonly nats: NatsServers
  readonly members: readonly Member[]
  readonly telegram: TelegramStandIn
  /** As the servers tell. */
  stand(): Promise<ClusterStand>
  /** Those whom a daemon hosts, by the servers. */
  hostedBy(member: Member): Promise<readonly string[]>
  /** It has ended: once more, with its home. */
  startAgain(member: Member): Promise<void>
  /** Its clock from now on, in milliseconds ahead of the real one. */
  setClock(member: Member, ahead: number): Promise<void>
  close(): Promise<void>
}

const clockHook = new URL('./jumping-clock.mjs', import.meta.url).href

export const urlOf = ({ process }: Member): string => `http://127.0.0.1:${process.port}`

export const openWorld = async (servers: 1 | 3, daemons: number): Promise<World> => {
  const { keep, close } = createClosing()
  try {
    return await opened({ keep, close, servers, daemons })
  } catch (error) {
    await close()
    throw error
  }
}

interface Opening extends ReturnType<typeof createClosing> {
  readonly servers: 1 | 3
  readonly daemons: number
}

const opened = async ({ keep, close, servers, daemons }: Opening): Promise<World> => {
  const nats = await startNatsServers(servers, { discreet: true })
  keep({ close: nats.end })
  const telegram = keep(await createTelegramStandIn())
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  keep({ close: () => rm(folder, { recursive: true, force: true }) })
  const connection = keep(await connectTo(nats))

  const run = async ({ home, ways, door }: Omit<Member, 'process'>): Promise<DaemonProcess> => {
    const env = {
      ...(await envOf(
        ways.map(({ port }) => `nats://127.0.0.1:${port}`),
        folder,
      )),
      DAIMON_ADVERTISE: `http://127.0.0.1:${door.port}`,
      TELEGRAM_API_BASE_URL: telegram.url,
      NODE_OPTIONS: `--import ${clockHook}`,
      JUMPING_CLOCK: `${home}.clock`,
    }
    const process = await startProcess({ home, env })
    door.lead(process.port)
    return process
  }
  const make = async (): Promise<Member> => {
    const home = await tempHome()
    const ways = await Promise.all(
      nats.servers.map(({ address }) => createLink(Number(new URL(address).port))),
    )
    const place = { home, ways, door: await createLink() }
    for (const link of [...ways, place.door]) keep(link)
    const member = { ...place, process: await run(place) }
    keep({ close: () => end(member) })
    return member
  }
  const members: Member[] = []
  for (let n = 0; n < daemons; n++) members.push(await make())

  const stand = () => standOfCluster(connection, { name: 'daimon', shards: 1, replicas: servers })
  return {
    ...{ nats, members, telegram, stand, close },
    hostedBy: async ({ door }) => {
      const { daemons: all, personas } = await stand()
      const own = all.find(({ address }) => Number(new URL(address).port) === door.port)
      return personas.filter(({ daemon }) => daemon === own?.id).map(({ id }) => id)
    },
    startAgain: async (member) => {
      member.process = await run(member)
    },
    setClock: async ({ home, process }, ahead) => {
      await writeFile(`${home}.clock`, `${ahead}`)
      process.child.kill('SIGUSR2')
    },
  }
}

const end = async ({ home, process }: Member): Promise<void> => {
  process.child.kill('SIGKILL')
  await process.ended
  await Promise.all([home, `${home}.clock`].map((path) => rm(path, { recursive: true, force: true })))
}

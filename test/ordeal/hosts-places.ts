/**
 * The places in which the daemons of a cluster run, and how each can be cut off: in network namespaces if
 * this machine permits them, else on this host with their traffic through links.
 */
import type { Closing } from '../../packages/kit/flow/closing.ts'
import type { NatsServers } from '../nats-servers.ts'
import { createLink } from './cut-link.ts'
import { openNetwork } from './network-hosts.ts'

export interface Place {
  /** URLs of the servers, as seen from this place. */
  readonly servers: readonly string[]
  /** Address at which the other daemons reach it. */
  readonly door: string
  readonly telegram: string
  /** The host names that it accepts. */
  readonly names: readonly string[]
  /** 0 for any port. */
  readonly port: number
  readonly namespace?: string
  /** Returns the URL at which the test reaches the daemon that listens at this port. */
  lead(port: number): string
  /** Cuts the place off from servers and daemons, but not from the test. */
  cut(): Promise<void>
  mend(): Promise<void>
}

interface Surroundings {
  readonly nats: NatsServers
  readonly telegram: string
  readonly keep: Closing['keep']
}

/** Resolves with a function that returns another place for each call. */
export type Places = (surroundings: Surroundings) => Promise<() => Promise<Place>>

const getPort = (address: string) => Number(new URL(address).port)

export const byLinks: Places =
  async ({ nats, telegram, keep }) =>
  async () => {
    const natsLinks = await Promise.all(nats.servers.map(({ address }) => createLink(getPort(address))))
    const door = await createLink()
    const links = [...natsLinks, door]
    for (const link of links) keep(link)
    return {
      servers: natsLinks.map(({ port }) => `nats://127.0.0.1:${port}`),
      door: `http://127.0.0.1:${door.port}`,
      telegram,
      names: [],
      port: 0,
      lead: (port) => {
        door.lead(port)
        return `http://127.0.0.1:${port}`
      },
      cut: async () => {
        for (const link of links) link.cut()
      },
      mend: async () => {
        for (const link of links) link.mend()
      },
    }
  }

const ownPort = 5370
const forwardedPort = 5371

export const onHosts: Places = async ({ nats, telegram, keep }) => {
  const network = keep(await openNetwork())
  const toTelegram = keep(await createLink(getPort(telegram), network.outside))
  return async () => {
    const {
      namespace,
      address,
      outside: outsideAddress,
      cut,
      mend,
    } = await network.host(forwardedPort, ownPort)
    return {
      servers: nats.servers.map((server) => `nats://${network.address}:${getPort(server.address)}`),
      door: `http://${address}:${forwardedPort}`,
      telegram: `http://${network.outside}:${toTelegram.port}`,
      names: [address, outsideAddress],
      port: ownPort,
      namespace,
      cut,
      mend,
      lead: () => `http://${outsideAddress}:${forwardedPort}`,
    }
  }
}

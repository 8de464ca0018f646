/** One daemon of a cluster: what it holds, whom it hosts, what it knows of the others. */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Journals } from '../../journal/log/journal.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Platforms } from '../channels/platforms.ts'
import { type Servers, serversOf } from './buckets.ts'
import { createHoldings, type Holdings } from './holdings.ts'
import { hostedJournals } from './hosted-journals.ts'
import { leasedPlatforms } from './leased-platforms.ts'
import { type Leases, openLeases } from './leases.ts'
import { type Membership, type MembershipDeps, openMembership } from './membership.ts'
import { placeOf } from './placement.ts'

export interface Cluster {
  /** This daemon: that of its home. */
  readonly self: string
  /** Its journals, of which this daemon writes what it holds; `cached` are what of them lies here. */
  journals(journals: Journals, cached: Journals): Journals
  /** One poller for each bot. */
  platforms(platforms: Platforms): Platforms
  /** Whether it hosts somebody now, and holds the lease. */
  hosts(id: PersonaId): boolean
  /** Of somebody new, who is placed here. */
  newId(): string
  /** Announces itself, and hosts from now on. Rejects where the servers do not answer. */
  begin(parts: Parts): Promise<Membership>
  /** Gives back what it holds. */
  close(): Promise<void>
}

type Parts = Omit<MembershipDeps, 'servers' | 'self' | 'instance' | 'advertise' | 'holdings' | 'ids'>

interface Deps extends Pick<Servers, 'connection' | 'name' | 'replicas'> {
  readonly home: string
  /** Where the other daemons reach this one. */
  readonly advertise: string
  readonly newId: () => string
  readonly log: Log
}

export const openCluster = async (deps: Deps): Promise<Cluster> => {
  const { connection, name, replicas, home, advertise, newId, log } = deps
  const servers = serversOf(connection, name, replicas)
  const self = await daemonOf(home)
  const instance = randomBytes(8).toString('hex')
  const leases: Leases = await openLeases(servers, self)
  let membership: Membership | undefined
  let journals: Journals | undefined
  const holdings: Holdings = createHoldings(leases, (id) => membership?.lost(id))

  return {
    self,
    journals: (all, cached) => {
      journals = all
      const waits = (id: PersonaId) => membership?.state(id) === 'waiting'
      return hostedJournals(all, { holdings, self, cached, waits })
    },
    platforms: (platforms) => leasedPlatforms(platforms, leases),
    hosts: (id) => holdings.has(id) && membership?.state(id) === 'here',
    newId: () => {
      const taking = membership?.taking() ?? []
      for (;;) {
        const id = newId()
        if (!taking.includes(self) || placeOf(id, taking) === self) return id
      }
    },
    begin: async (parts) => {
      const ids = async () => (await journals?.ids()) ?? []
      const own = { servers, self, instance, advertise, holdings, ids }
      membership = await openMembership({ ...parts, ...own, log })
      return membership
    },
    close: leases.close,
  }
}

/** Made once for each home: the same daemon after a restart, with the same personas. */
const daemonOf = async (home: string): Promise<string> => {
  const file = join(home, 'daemon-id')
  const there = await readFile(file, 'utf8').catch(() => '')
  if (/^[0-9a-f]{12}\n$/.test(there)) return there.trim()
  const id = randomBytes(6).toString('hex')
  await writeFile(file, `${id}\n`, { mode: 0o600 })
  return id
}

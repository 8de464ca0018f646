/** Connects one daemon to its cluster: its leases, its hosted personas, and its view of the other daemons. */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Journals } from '../../facts/persona-journal.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Platforms } from '../channels/platforms.ts'
import { listServers, type Servers } from './buckets.ts'
import { createHeldLeases, type HeldLeases } from './held-leases.ts'
import { hostedJournals } from './hosted-journals.ts'
import { leasedPlatforms } from './leased-platforms.ts'
import { type Leases, openLeases } from './leases.ts'
import { type Membership, type MembershipDeps, openMembership } from './membership.ts'
import { choosePlacement } from './placement.ts'

export interface Cluster {
  /** Id of this daemon, stored in its home. */
  readonly self: string
  /** Restricts writes to the personas that this daemon holds. `cached` opens the local caches. */
  journals(journals: Journals, cachedJournals: Journals): Journals
  /** Limits each bot to one poller in the cluster. */
  platforms(platforms: Platforms): Platforms
  /** Returns whether this daemon hosts the persona now and holds its lease. */
  isHosting(id: PersonaId): boolean
  /** Returns an id for a new persona that the placement assigns to this daemon. */
  newId(): string
  /** Announces the daemon and starts hosting. Rejects if the servers do not answer. */
  begin(parts: Parts): Promise<Membership>
  /** Releases all leases. */
  close(): Promise<void>
}

type Parts = Omit<MembershipDeps, 'servers' | 'self' | 'instance' | 'advertise' | 'holdings' | 'ids'>

interface Deps extends Pick<Servers, 'connection' | 'name' | 'replicas'> {
  readonly home: string
  /** Address of this daemon for the other daemons. */
  readonly advertise: string
  readonly newId: () => string
  readonly log: Log
}

export const openCluster = async (deps: Deps): Promise<Cluster> => {
  const { connection, name, replicas, home, advertise, newId, log } = deps
  const servers = listServers(connection, name, replicas)
  const self = await readDaemonId(home)
  const instance = randomBytes(8).toString('hex')
  const leases: Leases = await openLeases(servers, self)
  let membership: Membership | undefined
  let journals: Journals | undefined
  const holdings: HeldLeases = createHeldLeases(leases, (id) => membership?.onLost(id))

  return {
    self,
    journals: (all, cachedJournals) => {
      journals = all
      const waits = (id: PersonaId) => membership?.state(id) === 'waiting'
      return hostedJournals(all, { holdings, self, cachedJournals, waits })
    },
    platforms: (platforms) => leasedPlatforms(platforms, leases),
    isHosting: (id) => holdings.has(id) && membership?.state(id) === 'here',
    newId: () => {
      const takingNames = membership?.listTaking() ?? []
      for (;;) {
        const id = newId()
        if (!takingNames.includes(self) || choosePlacement(id, takingNames) === self) return id
      }
    },
    begin: async (parts) => {
      const ids = async () => (await journals?.ids()) ?? []
      const ownDeps = { servers, self, instance, advertise, holdings, ids }
      membership = await openMembership({ ...parts, ...ownDeps, log })
      return membership
    },
    close: leases.close,
  }
}

/** Created once per home, so the daemon keeps its id and its personas after a restart. */
const readDaemonId = async (home: string): Promise<string> => {
  const file = join(home, 'daemon-id')
  const storedId = await readFile(file, 'utf8').catch(() => '')
  if (/^[0-9a-f]{12}\n$/.test(storedId)) return storedId.trim()
  const id = randomBytes(6).toString('hex')
  await writeFile(file, `${id}\n`, { mode: 0o600 })
  return id
}

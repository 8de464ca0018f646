/**
 * Makes a daemon a member of its cluster while it serves: it announces itself, hosts personas, and receives
 * the news of the other daemons.
 */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { PersonaView } from '../../projections/view.ts'
import type { Agents } from '../agents/agents.ts'
import { type Bus, listen } from '../bus.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { leaseTime, type Servers } from './buckets.ts'
import type { HeldLeases } from './held-leases.ts'
import { createHosting, type Hosting, type HostState } from './hosting.ts'
import { createPersonaLocations, type PersonaLocations } from './persona-location.ts'
import { openRegistry } from './registry.ts'
import { openSummaries } from './summaries.ts'

export interface Membership extends PersonaLocations {
  state(id: PersonaId): HostState | undefined
  listTaking(): readonly string[]
  onLost(id: PersonaId): void
  /**
   * Hands over all personas and takes no more. Requests for them are forwarded from then on. Never rejects.
   */
  leave(): Promise<void>
  close(): Promise<void>
}

export interface MembershipDeps {
  readonly servers: Servers
  readonly self: string
  readonly instance: string
  readonly advertise: string
  readonly holdings: HeldLeases
  readonly personas: PersonaStore
  readonly agents: Pick<Agents, 'leave' | 'wakeIfWanted'>
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Log
  /** Returns the list view of a persona that is hosted here. */
  readonly view: (id: PersonaId) => PersonaView | undefined
  /** Returns the ids of all personas that have a journal. */
  readonly ids: () => Promise<readonly PersonaId[]>
}

/** Subject for the ids of personas that leave the cluster. */
export const letGoSubject = (name: string): string => `${name}.let-go`

/**
 * Milliseconds: without an answer until the daemon counts as cut off; between two checks; between two full
 * reloads.
 */
const silence = leaseTime * 0.75
const intervalMs = 200
const reloadMs = 30_000

export const openMembership = async (deps: MembershipDeps): Promise<Membership> => {
  const { servers, self, personas, bus, clock, log, holdings } = deps
  const { connection } = servers
  /** Published when leases were given back. */
  const subject = `${servers.name}.given-back`
  /** Undefined during the first load. */
  let hosting: Hosting | undefined
  const onChange = (id: PersonaId, summary: unknown) => {
    if (hosting?.state(id) === undefined) bus.sign({ type: 'elsewhere', id, deleted: summary === undefined })
  }
  const summaries = await openSummaries({ servers, log, onChange })
  const registry = await openRegistry({ ...deps, now: clock.now })
  let journalIds: ReadonlySet<PersonaId> = new Set(await deps.ids())
  const isKnown = (id: PersonaId) => summaries.all.has(id) || journalIds.has(id)

  const cutOff = () => performance.now() - registry.answered > silence
  const summarize = (id: PersonaId) => {
    const persona = personas.getRow(id)
    const view = deps.view(id)
    if (persona && view) summaries.publish(id, { host: self, created: persona.self.created, view })
  }
  const hosts = createHosting({
    ...deps,
    listTaking: registry.listTaking,
    cutOff,
    onArrival: summarize,
    onDeparture: summaries.cease,
    known: () => new Set([...summaries.all.keys(), ...journalIds]),
    onUnknown: (id) => {
      journalIds = withoutId(journalIds, id)
      summaries.forget(id)
    },
    givenBack: () => connection.publish(subject),
  })

  hosting = hosts

  const onRemove = (id: PersonaId) => {
    if (hosts.state(id) === undefined) return
    journalIds = withoutId(journalIds, id)
    summaries.forget(id)
    hosts.onRemove(id)
  }
  const stopListening = [
    listen(bus.commits, log, ({ id, persona }) => {
      if (persona.self.deleted) return onRemove(id)
      if (hosts.state(id) === undefined && holdings.has(id)) hosts.onCreate(id)
      if (hosts.state(id) === 'here') summarize(id)
    }),
    listen(bus.signs, log, (sign) => {
      if (sign.type === 'gone') onRemove(sign.id)
      if (sign.type === 'presence' && hosts.state(sign.id) === 'here') summarize(sign.id)
    }),
  ]
  const news = connection.subscribe(subject, { callback: () => hosts.reconcile() })
  const wishes = connection.subscribe(letGoSubject(servers.name), {
    callback: (error, message) => void (error ?? hosts.letGo(message.string())),
  })
  const reconcileTimer = setInterval(hosts.reconcile, intervalMs)
  const reading = setInterval(() => {
    const reload = async () => {
      await summaries.refresh()
      journalIds = new Set(await deps.ids())
    }
    void reload().catch(() => undefined)
  }, reloadMs)
  hosts.reconcile()

  return {
    ...createPersonaLocations({
      ...deps,
      registry,
      summaries: summaries.all,
      known: isKnown,
      state: hosts.state,
      cutOff,
    }),
    state: hosts.state,
    listTaking: registry.listTaking,
    onLost: hosts.onLost,
    leave: async () => {
      await registry.leave()
      await hosts.leave()
    },
    close: async () => {
      for (const stop of stopListening) stop()
      clearInterval(reconcileTimer)
      clearInterval(reading)
      news.unsubscribe()
      wishes.unsubscribe()
      await summaries.close()
      await registry.close()
    },
  }
}

const withoutId = (ids: ReadonlySet<PersonaId>, id: PersonaId): ReadonlySet<PersonaId> =>
  new Set([...ids].filter((otherId) => otherId !== id))

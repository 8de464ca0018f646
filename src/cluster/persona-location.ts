/** Finds the daemon that hosts a persona. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { HeldLeases } from './held-leases.ts'
import type { HostState } from './hosting.ts'
import type { Registry } from './registry.ts'
import type { Summary } from './summaries.ts'

/** A daemon that hosts a persona, and its address for the other daemons. */
export interface Host {
  readonly daemon: string
  readonly address: string
}

/** `nowhere`: the host has died and no other daemon has taken the persona over yet. */
export type Place =
  | { readonly at: 'here' }
  | { readonly at: 'unknown' }
  | { readonly at: 'nowhere' }
  | { readonly at: 'host'; readonly host: Host }

export interface PersonaLocations {
  /** Id of this daemon. */
  readonly self: string
  /**
   * Returns the place of a persona. While the persona moves between two hosts, waits up to 5 s for the next
   * host.
   */
  find(id: PersonaId): Promise<Place>
  /** Returns true if the persona exists but this daemon does not serve it now. */
  isMoving(id: PersonaId): boolean
  isAlive(daemon: string): boolean
  /** Returns the last summaries of the personas that other daemons host. */
  getOtherSummaries(): ReadonlyMap<PersonaId, Summary>
  /**
   * Returns the milliseconds since the last answer of the cluster if nothing can be written any more. Returns
   * null while the cluster answers.
   */
  age(): number | null
  /** Waits up to two seconds to find out whether the cluster answers. Never rejects. */
  answers(): Promise<boolean>
}

interface Deps {
  readonly self: string
  readonly registry: Pick<Registry, 'alive' | 'known' | 'answered' | 'answers'>
  /** The last summaries that the hosts published. */
  readonly summaries: ReadonlyMap<PersonaId, Summary>
  readonly holdings: Pick<HeldLeases, 'has'>
  /** Whether the persona has a journal in the cluster. */
  readonly known: (id: PersonaId) => boolean
  readonly state: (id: PersonaId) => HostState | undefined
  /** Whether the servers have been silent so long that leases expire. */
  readonly cutOff: () => boolean
  readonly clock: Pick<Clock, 'wait'>
}

/** Milliseconds: longest wait for the next host, and the time between two checks. */
const maxWaitMs = 5000
const pollMs = 50

export const createPersonaLocations = (deps: Deps): PersonaLocations => {
  const { self, registry, summaries, holdings, known, state, cutOff, clock } = deps
  const isAlive = (daemon: string) => registry.alive().has(daemon)
  /**
   * Returns null while the persona is between two hosts, or if its host has died and has no successor yet.
   */
  const locate = (id: PersonaId): Place | null => {
    const ownState = state(id)
    const summary = summaries.get(id)
    // The state alone is not enough: a process that was suspended does not yet know which leases it lost.
    if (ownState === 'here' && holdings.has(id)) return { at: 'here' }
    if (!known(id) && ownState === undefined) return { at: 'unknown' }
    const address = summary && summary.host !== self ? registry.known(summary.host)?.advertise : undefined
    // Without a connection the last known host is the best guess.
    if (summary && address !== undefined && (isAlive(summary.host) || (cutOff() && ownState === undefined)))
      return { at: 'host', host: { daemon: summary.host, address } }
    // The answer is served together with its age. As soon as the servers answer, the current host is found
    // first.
    if (cutOff() && (ownState === 'waiting' || ownState === 'here')) return { at: 'here' }
    return null
  }
  return {
    self,
    find: async (id) => {
      for (let waitedMs = 0; ; waitedMs += pollMs) {
        const place = locate(id)
        if (place) return place
        if (waitedMs >= maxWaitMs) return { at: 'nowhere' }
        await clock.wait(pollMs)
      }
    },
    isMoving: (id) => state(id) !== 'here' && (known(id) || state(id) !== undefined),
    isAlive,
    getOtherSummaries: () => new Map([...summaries].filter(([id]) => state(id) !== 'here')),
    age: () => (cutOff() ? performance.now() - registry.answered : null),
    answers: registry.answers,
  }
}

/** Where personas are, as whoever is asked about them needs to know. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Holdings } from './holdings.ts'
import type { HostState } from './hosting.ts'
import type { Registry } from './registry.ts'
import type { Summary } from './summaries.ts'

/** A daemon that hosts somebody, and where it is reached. */
export interface Host {
  readonly daemon: string
  readonly address: string
}

/** `nowhere`: its host is gone, and nobody has taken it over yet. */
export type Place =
  | { readonly at: 'here' }
  | { readonly at: 'unknown' }
  | { readonly at: 'nowhere' }
  | { readonly at: 'host'; readonly host: Host }

export interface Elsewhere {
  /** This daemon. */
  readonly self: string
  /** Between two hosts it is waited for the next one, for some seconds. */
  find(id: PersonaId): Promise<Place>
  /** There is such a persona, and this daemon does not answer for it now. */
  isMoving(id: PersonaId): boolean
  isAlive(daemon: string): boolean
  /** Those that other daemons host, as they told last. */
  others(): ReadonlyMap<PersonaId, Summary>
  /**
   * Milliseconds since the cluster answered last, where that is so long that nothing can be written; null
   * while it answers.
   */
  age(): number | null
  /** Whether the cluster answers now; that is waited for, for a second or two. Never rejects. */
  answers(): Promise<boolean>
}

interface Deps {
  readonly self: string
  readonly registry: Pick<Registry, 'alive' | 'known' | 'answered' | 'answers'>
  /** As their hosts told last. */
  readonly summaries: ReadonlyMap<PersonaId, Summary>
  readonly holdings: Pick<Holdings, 'has'>
  /** Whether it has a journal somewhere. */
  readonly known: (id: PersonaId) => boolean
  readonly state: (id: PersonaId) => HostState | undefined
  /** The servers have not answered for so long that leases end. */
  readonly cutOff: () => boolean
  readonly clock: Pick<Clock, 'wait'>
}

/** Milliseconds for which it is waited for the next host; between two looks. */
const [most, between] = [5000, 50]

export const createElsewhere = (deps: Deps): Elsewhere => {
  const { self, registry, summaries, holdings, known, state, cutOff, clock } = deps
  const isAlive = (daemon: string) => registry.alive().has(daemon)
  /** Null while it is between two hosts, or its host is gone and the next one not there yet. */
  const look = (id: PersonaId): Place | null => {
    const [own, summary] = [state(id), summaries.get(id)]
    // A process that was halted has not been told yet what it lost.
    if (own === 'here' && holdings.has(id)) return { at: 'here' }
    if (!known(id) && own === undefined) return { at: 'unknown' }
    const address = summary && summary.host !== self ? registry.known(summary.host)?.advertise : undefined
    // Cut off, it knows nothing of others: the last that it heard may hold still.
    if (summary && address !== undefined && (isAlive(summary.host) || (cutOff() && own === undefined)))
      return { at: 'host', host: { daemon: summary.host, address } }
    // Told with its age. Once the servers answer, whoever has it now is found first.
    if (cutOff() && (own === 'waiting' || own === 'here')) return { at: 'here' }
    return null
  }
  return {
    self,
    find: async (id) => {
      for (let waited = 0; ; waited += between) {
        const place = look(id)
        if (place) return place
        if (waited >= most) return { at: 'nowhere' }
        await clock.wait(between)
      }
    },
    isMoving: (id) => state(id) !== 'here' && (known(id) || state(id) !== undefined),
    isAlive,
    others: () => new Map([...summaries].filter(([id]) => state(id) !== 'here')),
    age: () => (cutOff() ? performance.now() - registry.answered : null),
    answers: registry.answers,
  }
}

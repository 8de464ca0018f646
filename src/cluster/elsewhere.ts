/** Where personas are, as whoever is asked about them needs to know. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
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

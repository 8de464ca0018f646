/** What a daemon takes over and lets go of, by who is alive and where everybody belongs. Pure. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { placeOf } from './placement.ts'

export interface Standing {
  /** This daemon. */
  readonly self: string
  /** Daemons that take personas: those that are leaving are not among them. */
  readonly alive: readonly string[]
  /** All personas of the cluster. */
  readonly known: Iterable<PersonaId>
  /** Those that this daemon answers for; `waiting` for those that it only reads, and may be another's now. */
  readonly hosts: (id: PersonaId) => 'here' | 'waiting' | undefined
}

export interface HostingPlan {
  readonly take: readonly PersonaId[]
  readonly leave: readonly PersonaId[]
}

export const planHosting = ({ self, alive, known, hosts }: Standing): HostingPlan => {
  const take: PersonaId[] = []
  const leave: PersonaId[] = []
  for (const id of known) {
    const place = placeOf(id, alive)
    if (place === self && hosts(id) !== 'here') take.push(id)
    // Where nobody else is alive it stays.
    if (place !== self && place !== undefined && hosts(id) !== undefined) leave.push(id)
  }
  return { take, leave }
}

/**
 * Decides which personas a daemon takes over and which it hands over, based on the live daemons and the
 * placement. Pure.
 */
import type { PersonaId } from '../../facts/fact-values.ts'
import { choosePlacement } from './placement.ts'

export interface Standing {
  /** Id of this daemon. */
  readonly self: string
  /** Ids of the daemons that accept personas. Daemons that are leaving are not included. */
  readonly alive: readonly string[]
  /** All personas of the cluster. */
  readonly known: Iterable<PersonaId>
  /**
   * Returns `here` if this daemon serves the persona, and `waiting` if it can only read it because another
   * daemon may host it now.
   */
  readonly hosts: (id: PersonaId) => 'here' | 'waiting' | undefined
}

export interface HostingPlan {
  readonly take: readonly PersonaId[]
  readonly leave: readonly PersonaId[]
}

export const planHosting = ({ self, alive, known, hosts }: Standing): HostingPlan => {
  const takenIds: PersonaId[] = []
  const leave: PersonaId[] = []
  for (const id of known) {
    const place = choosePlacement(id, alive)
    if (place === self && hosts(id) !== 'here') takenIds.push(id)
    // If no other daemon is alive, the persona stays here.
    if (place !== self && place !== undefined && hosts(id) !== undefined) leave.push(id)
  }
  return { take: takenIds, leave }
}

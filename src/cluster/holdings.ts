/** The personas whose lease this daemon holds: nothing is written of any other. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Lease, Leases } from './leases.ts'

export interface Holdings {
  /** Null where another daemon holds it; the one it has where it does. Rejects where nobody answers. */
  take(id: PersonaId): Promise<Lease | null>
  /** By this machine's own clock. */
  has(id: PersonaId): boolean
  /** Another has written its journal: whatever the lease says, it is lost. */
  fenced(id: PersonaId): void
  /** Others may have it at once. Never rejects. */
  giveBack(id: PersonaId): Promise<void>
}

/** `lost` is told once of each that was not given back. Must not throw. */
export const createHoldings = (leases: Pick<Leases, 'take'>, lost: (id: PersonaId) => void): Holdings => {
  const held = new Map<PersonaId, Lease>()

  const lose = (id: PersonaId, lease: Lease) => {
    if (held.get(id) !== lease) return
    held.delete(id)
    lost(id)
  }

  return {
    take: async (id) => {
      const there = held.get(id)
      if (there?.held()) return there
      const lease = await leases.take(leaseOf(id))
      if (!lease) return null
      held.set(id, lease)
      lease.lost.addEventListener('abort', () => lose(id, lease), { once: true })
      if (lease.lost.aborted) lose(id, lease)
      return lease
    },
    has: (id) => held.get(id)?.held() === true,
    fenced: (id) => {
      const lease = held.get(id)
      if (!lease) return
      void lease.release()
      lose(id, lease)
    },
    giveBack: async (id) => {
      const lease = held.get(id)
      held.delete(id)
      await lease?.release()
    },
  }
}

const leaseOf = (id: PersonaId): string => `persona.${id}`

/** The personas whose lease this daemon holds. The daemon writes to no other persona. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Lease, Leases } from './leases.ts'

export interface Holdings {
  /**
   * Returns the lease, or the existing one if this daemon already holds it. Returns null if another daemon
   * holds it. Rejects if the servers do not answer.
   */
  take(id: PersonaId): Promise<Lease | null>
  /** Decides by the clock of this machine. */
  has(id: PersonaId): boolean
  /** Gives the lease up because another daemon has written to the journal. */
  fenced(id: PersonaId): void
  /** Releases the lease, so that other daemons can take it immediately. Never rejects. */
  giveBack(id: PersonaId): Promise<void>
}

/** Calls `lost` once for each lease that ends without being given back. `lost` must not throw. */
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

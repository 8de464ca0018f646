/** The personas whose lease this daemon holds. The daemon writes to no other persona. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Lease, Leases } from './leases.ts'

export interface HeldLeases {
  /**
   * Returns the lease, or the existing one if this daemon already holds it. Returns null if another daemon
   * holds it. Rejects if the servers do not answer.
   */
  take(id: PersonaId): Promise<Lease | null>
  /** Decides by the clock of this machine. */
  has(id: PersonaId): boolean
  /** Gives the lease up because another daemon has written to the journal. */
  onFenced(id: PersonaId): void
  /** Releases the lease, so that other daemons can take it immediately. Never rejects. */
  giveBack(id: PersonaId): Promise<void>
}

/** Calls `onLost` once for each lease that ends without being given back. `onLost` must not throw. */
export const createHeldLeases = (
  leases: Pick<Leases, 'take'>,
  onLost: (id: PersonaId) => void,
): HeldLeases => {
  const leasesById = new Map<PersonaId, Lease>()

  const loseLease = (id: PersonaId, lease: Lease) => {
    if (leasesById.get(id) !== lease) return
    leasesById.delete(id)
    onLost(id)
  }

  return {
    take: async (id) => {
      const currentLease = leasesById.get(id)
      if (currentLease?.isHeld()) return currentLease
      const lease = await leases.take(toLeaseName(id))
      if (!lease) return null
      leasesById.set(id, lease)
      lease.lostSignal.addEventListener('abort', () => loseLease(id, lease), { once: true })
      if (lease.lostSignal.aborted) loseLease(id, lease)
      return lease
    },
    has: (id) => leasesById.get(id)?.isHeld() === true,
    onFenced: (id) => {
      const lease = leasesById.get(id)
      if (!lease) return
      void lease.release()
      loseLease(id, lease)
    },
    giveBack: async (id) => {
      const lease = leasesById.get(id)
      leasesById.delete(id)
      await lease?.release()
    },
  }
}

const toLeaseName = (id: PersonaId): string => `persona.${id}`

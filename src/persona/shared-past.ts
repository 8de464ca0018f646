/** Finds the other personas that hold the same facts: forks, their origin, and forks of that. */

import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import type { JournalPool } from './journal-pool.ts'
import type { FactHashes, SharedPast, Sharing } from './persona-store.ts'
import type { Roster } from './roster.ts'

export const createSharedPast = ({
  roster,
  pool,
}: {
  readonly roster: Pick<Roster, 'all'>
  readonly pool: Pick<JournalPool, 'use'>
}): SharedPast => {
  /** Hash of the first fact, equal for all forks of one origin. Saves opening every journal each time. */
  const origins = new Map<PersonaId, string>()
  const getOrigin = async (id: PersonaId): Promise<string | undefined> => {
    const knownOrigin = origins.get(id)
    if (knownOrigin !== undefined) return knownOrigin
    const origin = await pool.use(id, ({ journal }) => journal.hashAt(1))
    if (origin !== undefined) origins.set(id, origin)
    return origin
  }
  const sharedIn = async (journal: Journal, facts: FactHashes): Promise<readonly Seq[]> => {
    const seqs: Seq[] = []
    for (const [seq, hash] of facts) if ((await journal.hashAt(seq)) === hash) seqs.push(seq)
    return seqs
  }
  const findShared: SharedPast['findShared'] = (id, facts) =>
    pool.use(id, ({ journal }) => sharedIn(journal, facts))

  return {
    hashes: async (id, seqs) => {
      // Needed by `sharing`, which must not fail after an erasure.
      await getOrigin(id)
      return pool.use(id, async ({ journal }) => {
        const hashes = new Map<Seq, string>()
        for (const seq of seqs) {
          const hash = await journal.hashAt(seq)
          if (hash !== undefined) hashes.set(seq, hash)
        }
        return hashes
      })
    },
    findShared,
    findSharing: async (id, facts) => {
      const origin = await getOrigin(id)
      const sharings: Sharing[] = []
      for (const { self } of roster.all()) {
        if (self.id === id || (await getOrigin(self.id).catch(() => undefined)) !== origin) continue
        const seqs = await findShared(self.id, facts).catch(() => [])
        if (seqs.length > 0) sharings.push({ id: self.id, name: self.name, seqs })
      }
      return sharings
    },
  }
}

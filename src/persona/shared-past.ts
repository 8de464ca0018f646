/** Finds the other personas that hold the same facts: forks, their origin, and forks of that. */

import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import type { Journal } from '../../journal/log/journal.ts'
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
  const originOf = async (id: PersonaId): Promise<string | undefined> => {
    const known = origins.get(id)
    if (known !== undefined) return known
    const origin = await pool.use(id, ({ journal }) => journal.hashAt(1))
    if (origin !== undefined) origins.set(id, origin)
    return origin
  }
  const sharedIn = async (journal: Journal, facts: FactHashes): Promise<readonly Seq[]> => {
    const seqs: Seq[] = []
    for (const [seq, hash] of facts) if ((await journal.hashAt(seq)) === hash) seqs.push(seq)
    return seqs
  }
  const shared: SharedPast['shared'] = (id, facts) => pool.use(id, ({ journal }) => sharedIn(journal, facts))

  return {
    hashes: async (id, seqs) => {
      // Needed by `sharing`, which must not fail after an erasure.
      await originOf(id)
      return pool.use(id, async ({ journal }) => {
        const hashes = new Map<Seq, string>()
        for (const seq of seqs) {
          const hash = await journal.hashAt(seq)
          if (hash !== undefined) hashes.set(seq, hash)
        }
        return hashes
      })
    },
    shared,
    sharing: async (id, facts) => {
      const origin = await originOf(id)
      const found: Sharing[] = []
      for (const { self } of roster.all()) {
        if (self.id === id || (await originOf(self.id).catch(() => undefined)) !== origin) continue
        const seqs = await shared(self.id, facts).catch(() => [])
        if (seqs.length > 0) found.push({ id: self.id, name: self.name, seqs })
      }
      return found
    },
  }
}

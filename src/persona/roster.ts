/** The list of personas in the order of their creation, and what the catalog keeps of it. */

import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Catalog } from '../../journal/leveldb/catalog.ts'
import type { Head } from '../../journal/log/journal.ts'
import type { Self } from '../../projections/self.ts'
import type { Listed } from './personas.ts'

export interface Roster {
  /** By creation, without the deleted ones. The same array until somebody's self changes. */
  all(): readonly Listed[]
  /** Also one that is deleted and not yet gone. */
  get(id: PersonaId): Listed | undefined
  /** As the catalog of an earlier day knows it. */
  adopt(id: PersonaId, listed: Listed): void
  /** A commit of its own is on disk. */
  note(self: Self, head: Head): void
  /** Its whole chain was found intact. Epoch milliseconds. */
  noteVerified(id: PersonaId, at: number): void
  /** Damage is no fact: it stands in the list and the catalog, beside the head that was known. */
  trouble(self: Self, sentence: string): void
  remove(id: PersonaId): void
}

export const createRoster = (catalog: Catalog): Roster => {
  const list = new Map<PersonaId, Listed>()
  let sorted: readonly Listed[] | null = null

  const set = (id: PersonaId, listed: Listed) => {
    const old = list.get(id)
    if (old?.self === listed.self && old.trouble === listed.trouble) return
    list.set(id, listed)
    sorted = null
  }

  return {
    all: () => {
      sorted ??= [...list.values()].filter(({ self }) => !self.deleted).sort(byCreation)
      return sorted
    },
    get: (id) => list.get(id),
    adopt: set,
    note: (self, head) => {
      set(self.id, { self, trouble: null })
      const verified = catalog.get(self.id)?.verified
      catalog.put(self.id, { head, self, ...(verified !== undefined && { verified }) })
    },
    noteVerified: (id, at) => {
      const known = catalog.get(id)
      if (known) catalog.put(id, { ...known, verified: at })
    },
    trouble: (self, sentence) => {
      const sick: Self = { ...self, status: 'sick' }
      set(self.id, { self: sick, trouble: sentence })
      const known = catalog.get(self.id)
      if (known) catalog.put(self.id, { ...known, self: sick, trouble: sentence })
    },
    remove: (id) => {
      list.delete(id)
      sorted = null
    },
  }
}

const byCreation = (a: Listed, b: Listed) => a.self.created - b.self.created || (a.self.id < b.self.id ? -1 : 1)

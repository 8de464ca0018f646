/**
 * An in-memory catalog with the interface of the real one: after a crash it may lag behind the disk, never
 * lead.
 */

import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Catalog } from '../../journal/leveldb/catalog.ts'
import type { Listed } from '../../journal/leveldb/catalog-entries.ts'
import type { Chance } from '../random.ts'

export interface CatalogDisk {
  open(): Catalog
  /** Discards a random number of the last puts, rarely everything. */
  crash(): void
}

export const createCatalogDisk = (chance: Chance): CatalogDisk => {
  let kept: ReadonlyMap<PersonaId, Listed> = new Map()
  let puts: (readonly [PersonaId, Listed | undefined])[] = []
  let orderly = true

  const merged = () => {
    const all = new Map(kept)
    for (const [id, listed] of puts) {
      if (listed) all.set(id, listed)
      else all.delete(id)
    }
    return all
  }
  return {
    open: () => {
      const complete = orderly
      const listed = merged()
      kept = new Map(listed)
      puts = []
      orderly = false
      return {
        complete,
        get: (id) => listed.get(id),
        all: () => listed,
        put: (id, value) => {
          listed.set(id, value)
          puts.push([id, value])
        },
        remove: (id) => {
          listed.delete(id)
          puts.push([id, undefined])
        },
        forget: async (id) => {
          listed.delete(id)
          kept = new Map(listed)
          puts = []
        },
        renew: async () => {
          kept = new Map(listed)
          puts = []
        },
        settled: async () => undefined,
        close: async () => {
          kept = new Map(listed)
          puts = []
          orderly = true
        },
      }
    },
    crash: () => {
      puts.length = chance.between(0, puts.length)
      if (chance.next() < 0.1) {
        kept = new Map()
        puts = []
        orderly = false
      }
    },
  }
}

/**
 * An in-memory catalog with the interface of the real one: after a crash it may lag behind the disk, never
 * lead.
 */

import type { PersonaId } from '../../facts/fact-values.ts'
import type { Catalog } from '../../home/catalog.ts'
import type { Listed } from '../../home/catalog-entries.ts'
import type { Chance } from '../random.ts'

export interface CatalogDisk {
  open(): Catalog
  /** Discards a random number of the last puts, rarely everything. */
  crash(): void
}

export const createCatalogDisk = (chance: Chance): CatalogDisk => {
  let storedEntries: ReadonlyMap<PersonaId, Listed> = new Map()
  let puts: (readonly [PersonaId, Listed | undefined])[] = []
  let orderly = true

  const merge = () => {
    const all = new Map(storedEntries)
    for (const [id, entry] of puts) {
      if (entry) all.set(id, entry)
      else all.delete(id)
    }
    return all
  }
  return {
    open: () => {
      const complete = orderly
      const entries = merge()
      storedEntries = new Map(entries)
      puts = []
      orderly = false
      return {
        complete,
        get: (id) => entries.get(id),
        all: () => entries,
        put: (id, value) => {
          entries.set(id, value)
          puts.push([id, value])
        },
        remove: (id) => {
          entries.delete(id)
          puts.push([id, undefined])
        },
        forget: async (id) => {
          entries.delete(id)
          storedEntries = new Map(entries)
          puts = []
        },
        renew: async () => {
          storedEntries = new Map(entries)
          puts = []
        },
        settled: async () => undefined,
        close: async () => {
          storedEntries = new Map(entries)
          puts = []
          orderly = true
        },
      }
    },
    crash: () => {
      puts.length = chance.pickBetween(0, puts.length)
      if (chance.next() < 0.1) {
        storedEntries = new Map()
        puts = []
        orderly = false
      }
    },
  }
}

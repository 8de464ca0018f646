/** The list of personas, mirrored in the catalog. */

import type { PersonaId } from '../../facts/fact-values.ts'
import type { Catalog } from '../../home/catalog.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Self } from '../../projections/self.ts'
import type { Bus } from '../bus.ts'
import type { RosterRow } from './persona-store.ts'
import { isOfTheDisk, Refused } from './refusals.ts'

export interface Roster {
  /** Ordered by creation, without deleted ones. The same array until a self changes. */
  all(): readonly RosterRow[]
  /** Also returns a deleted persona whose files are not removed yet. */
  get(id: PersonaId): RosterRow | undefined
  /** Lists an entry of the stored catalog. */
  adopt(id: PersonaId, row: RosterRow): void
  /** Records a commit. */
  update(self: Self, head: Head): void
  /** Records that the whole chain was verified. Epoch milliseconds. */
  noteVerified(id: PersonaId, timeMs: number): void
  /** Marks a persona as damaged in the list and the catalog, and signals it. Damage is not a fact. */
  trouble(self: Self, sentence: string): void
  remove(id: PersonaId): void
}

export const createRoster = (catalog: Catalog, bus: Pick<Bus, 'sign'>): Roster => {
  const list = new Map<PersonaId, RosterRow>()
  let sortedRows: readonly RosterRow[] | null = null

  const set = (id: PersonaId, row: RosterRow) => {
    const old = list.get(id)
    if (old?.self === row.self && old.trouble === row.trouble) return
    list.set(id, row)
    sortedRows = null
  }

  return {
    all: () => {
      sortedRows ??= [...list.values()].filter(({ self }) => !self.deleted).sort(byCreation)
      return sortedRows
    },
    get: (id) => list.get(id),
    adopt: set,
    update: (self, head) => {
      const wasInTrouble = (list.get(self.id)?.trouble ?? null) !== null
      set(self.id, { self, trouble: null })
      const verifiedAt = catalog.get(self.id)?.verified
      catalog.put(self.id, { head, self, ...(verifiedAt !== undefined && { verified: verifiedAt }) })
      if (wasInTrouble) bus.sign({ type: 'well', id: self.id })
    },
    noteVerified: (id, timeMs) => {
      const knownRow = catalog.get(id)
      if (knownRow) catalog.put(id, { ...knownRow, verified: timeMs })
    },
    trouble: (self, sentence) => {
      const sick: Self = { ...self, status: 'sick' }
      set(self.id, { self: sick, trouble: sentence })
      const knownRow = catalog.get(self.id)
      if (knownRow) catalog.put(self.id, { ...knownRow, self: sick, trouble: sentence })
      bus.sign({ type: 'presence', id: self.id })
    },
    remove: (id) => {
      list.delete(id)
      sortedRows = null
    },
  }
}

/** Throws Refused: persona_unknown. */
export const mustBeListed = (roster: Roster, id: PersonaId): RosterRow => {
  const row = roster.get(id)
  if (!row || row.self.deleted) throw new Refused({ code: 'persona_unknown' })
  return row
}

/** Turns disk errors into persona_unknown if the persona was removed during the request. */
export const rejectIfRemoved = async <T>(roster: Roster, id: PersonaId, request: Promise<T>): Promise<T> => {
  const wasThere = roster.get(id)?.self.deleted === false
  try {
    return await request
  } catch (error) {
    throw wasThere && isOfTheDisk(error) && (roster.get(id)?.self.deleted ?? true)
      ? new Refused({ code: 'persona_unknown' })
      : error
  }
}

const byCreation = (a: RosterRow, b: RosterRow) =>
  a.self.created - b.self.created || (a.self.id < b.self.id ? -1 : 1)

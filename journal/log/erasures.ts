/** Tracks erased records. Each must be named, with the hash of its remainder, by a later fact. */

import type { Erased } from './journal.ts'
import { isErased, toEntry } from './record.ts'
import type { StoredRecord } from './stored-record.ts'
import type { Seq } from './values.ts'

export interface Erasures {
  /** Takes records in order. Throws Damaged if a `FactsErased` fact cannot be read. */
  take(record: StoredRecord): void
  /** Returns erased records that no fact names: damage or manipulation. */
  unnamed(): readonly Erased[]
}

export const createErasures = (): Erasures => {
  const open = new Map<Seq, string>()
  return {
    take: (record) => {
      if (isErased(record)) open.set(record.seq, record.salt.toString('hex'))
      if (record.type !== 'FactsErased') return
      const { event } = toEntry(record)
      if (event.type !== 'FactsErased') return
      for (const { seq, left: commitment } of event.facts) if (open.get(seq) === commitment) open.delete(seq)
    },
    unnamed: () => [...open].map(([seq, commitment]) => ({ seq, left: commitment })),
  }
}

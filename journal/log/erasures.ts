/** Tracks erased records. Each must be named, with the hash of its remainder, by a later fact. */

import type { Seq } from './head.ts'
import { isErased, toEntry } from './record.ts'
import type { StoredRecord } from './stored-record.ts'
import type { Erased, ErasedFact, Vocabulary } from './vocabulary.ts'

export interface Erasures {
  /** Takes records in order. Throws Damaged if a `FactsErased` fact cannot be read. */
  take(record: StoredRecord): void
  /** Returns erased records that no fact names: damage or manipulation. */
  unnamed(): readonly Erased[]
}

export const createErasures = (vocabulary: Vocabulary): Erasures => {
  const open = new Map<Seq, string>()
  return {
    take: (record) => {
      if (isErased(record)) open.set(record.seq, record.salt.toString('hex'))
      if (record.type !== 'FactsErased') return
      const { facts } = toEntry(vocabulary, record).event as ErasedFact
      for (const { seq, left: commitment } of facts) if (open.get(seq) === commitment) open.delete(seq)
    },
    unnamed: () => [...open].map(([seq, commitment]) => ({ seq, left: commitment })),
  }
}

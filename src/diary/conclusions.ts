/**
 * Builds the indexes and the snapshot while records stream by. The next opening would need three more passes.
 */

import { personaVocabulary } from '../../facts/facts.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { noTally, noteDedupeKey, toTallyOp } from '../../journal/log/dedupe.ts'
import { createIndexing, createMarks, toMarksOp } from '../../journal/log/fact-index.ts'
import type { Head } from '../../journal/log/head.ts'
import { findIndex } from '../../journal/log/record.ts'
import { keepSnapshot } from '../../journal/log/snapshots.ts'
import type { Op, Store } from '../../journal/log/store.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import { projector } from '../persona/fold.ts'

export interface Conclusions {
  /** Returns the index entries to store with the record. Throws if the facts are invalid. */
  take(entry: Entry, head: Head): readonly Op[]
  /** Stores the completeness marks and the snapshot. Does not sync. */
  keep(store: Store, head: Head): Promise<void>
}

export const createConclusions = (): Conclusions => {
  const keys = new Set<string>()
  const index = createIndexing(createMarks(personaVocabulary))
  let tally = noTally
  let persona: Persona | undefined
  return {
    take: (entry, head) => {
      persona = evolve(persona, entry)
      const conclusion = index.add(head, findIndex(personaVocabulary, entry.type, entry.erased === true))
      const ops = conclusion ? [conclusion] : []
      const key = personaVocabulary.dedupeKey(entry.event)
      // The first fact with a key keeps it.
      if (key === null || keys.has(key)) return ops
      keys.add(key)
      const notedKey = noteDedupeKey(tally, key, entry.seq)
      tally = notedKey.tally
      return [...ops, notedKey.op]
    },
    keep: async (store, head) => {
      await store.batch([toMarksOp(index.marks()), toTallyOp(tally)], { sync: false })
      await keepSnapshot(personaVocabulary, store, {
        projector,
        version: personaVersion,
        head,
        state: persona,
      })
    },
  }
}

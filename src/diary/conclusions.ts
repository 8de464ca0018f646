/**
 * Builds the indexes and the snapshot while records stream by. The next opening would need three more passes.
 */

import { getDedupeKey, noTally, noteDedupeKey, toTallyOp } from '../../journal/log/dedupe.ts'
import type { Entry } from '../../journal/log/journal.ts'
import { createIndexing, noMarks, toMarksOp } from '../../journal/log/kind-index.ts'
import { kindIn } from '../../journal/log/record.ts'
import { keepSnapshot } from '../../journal/log/snapshots.ts'
import type { Op, Store } from '../../journal/log/store.ts'
import type { Head } from '../../journal/log/values.ts'
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
  const index = createIndexing(noMarks)
  let tally = noTally
  let persona: Persona | undefined
  return {
    take: (entry, head) => {
      persona = evolve(persona, entry)
      const conclusion = index.add(head, kindIn(entry.type, entry.erased === true))
      const ops = conclusion ? [conclusion] : []
      const key = getDedupeKey(entry.event)
      // The first fact with a key keeps it.
      if (key === undefined || keys.has(key)) return ops
      keys.add(key)
      const notedKey = noteDedupeKey(tally, key, entry.seq)
      tally = notedKey.tally
      return [...ops, notedKey.op]
    },
    keep: async (store, head) => {
      await store.batch([toMarksOp(index.marks()), toTallyOp(tally)], { sync: false })
      await keepSnapshot(store, { projector, version: personaVersion, head, state: persona })
    },
  }
}

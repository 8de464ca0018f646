/**
 * A whole journal as it comes by: every record against the one before it, and its words against their
 * commitment.
 */

import type { Media, PersonaId } from '../../journal/facts/fact-values.ts'
import { isKnown, mayNameFile } from '../../journal/facts/facts.ts'
import { createErasures } from '../../journal/log/erasures.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { type Entry, type Head, nowhere } from '../../journal/log/journal.ts'
import { decodeRecord, keepsItsWord, wholeEntryOf } from '../../journal/log/record.ts'
import { prevOf, type StoredRecord } from '../../journal/log/stored-record.ts'
import { createForeignFacts, type ForeignFacts, largestRecord } from './foreign-facts.ts'

export interface History {
  readonly head: Head
  /** Who lives it, by the facts that were taken: whoever it was forked for last. */
  readonly whose: PersonaId | null
  /**
   * Gives the file it names, if it names one. Damaged where it does not follow, Newer at a format of a later
   * build.
   */
  take(value: Uint8Array): Media | undefined
  /** The same, and it must be a fact that this build knows (Newer), the first one its beginning. */
  takeFact(value: Uint8Array): Entry
  /** Whether there are facts without words, and none behind them says that they were erased. */
  readonly wordless: boolean
}

/** `foreign`: what is believed of its facts. */
export const createHistory = (foreign: ForeignFacts = createForeignFacts()): History => {
  let head = nowhere
  let whose: PersonaId | null = null
  const erasures = createErasures()
  const link = (value: Uint8Array): StoredRecord => {
    const record = decodeRecord(head.seq + 1, value)
    if (prevOf(record) !== head.hash) throw new Damaged(record.seq, 'does not fit the chain')
    head = { seq: record.seq, hash: record.hash }
    return record
  }
  return {
    get head() {
      return head
    },
    get whose() {
      return whose
    },
    get wordless() {
      return erasures.unnamed().length > 0
    },
    take: (value) => {
      const record = link(value)
      if (!keepsItsWord(record)) throw new Damaged(record.seq, 'its words are not the ones that were written')
      return mediaIn(record)
    },
    takeFact: (value) => {
      const record = link(value)
      // Read to the last word: what keeps its word and is no fact all the same would be found by its first
      // reader.
      const entry = wholeEntryOf(record)
      const { event } = entry
      erasures.take(record)
      if (record.seq === 1 && event.type !== 'PersonaCreated') throw new Damaged(1, 'is not its beginning')
      if (event.type === 'PersonaCreated' || event.type === 'PersonaForked') whose = event.id
      if (value.length > largestRecord || !foreign.couldBe(entry))
        throw new Damaged(record.seq, 'says what no life can go on from')
      return entry
    },
  }
}

/** Most words name none, and need not be read. */
const mediaIn = (record: StoredRecord): Media | undefined => {
  const { type, version, payload } = record
  if (!mayNameFile(type) || !isKnown(type, version)) return undefined
  if (!payload.includes('sha256')) return undefined
  const { event } = wholeEntryOf(record)
  return 'media' in event ? (event.media ?? undefined) : undefined
}

/** Checks the records of a journal as a stream: the hash chain, and payloads against their commitment. */

import type { Media, PersonaId } from '../../facts/fact-values.ts'
import { isKnown, personaVocabulary } from '../../facts/facts.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { createErasures } from '../../journal/log/erasures.ts'
import { Damaged, maxCommitBytes } from '../../journal/log/errors.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import { decodeRecord, keepsItsWord, mayNameFile, toWholeEntry } from '../../journal/log/record.ts'
import { previousHash, type StoredRecord } from '../../journal/log/stored-record.ts'
import { createForeignFacts, type ForeignFacts } from './foreign-facts.ts'

export interface CheckedRecords {
  readonly head: Head
  /** The persona, according to its facts: after forks, the last one. */
  readonly personaId: PersonaId | null
  /** Returns the media file named by the record, if any. Throws Damaged if it does not fit, or Newer. */
  take(value: Uint8Array): Media | undefined
  /**
   * Same, but the record must be a fact known to this build (throws Newer), and the first a PersonaCreated.
   */
  takeFact(value: Uint8Array): Entry
  /** Whether a fact has no payload and no later fact declares it as erased. */
  readonly isWordless: boolean
}

/** `foreign`: limits for foreign facts. */
export const createCheckedRecords = (foreignFacts: ForeignFacts = createForeignFacts()): CheckedRecords => {
  let head = emptyHead
  let personaId: PersonaId | null = null
  const erasures = createErasures(personaVocabulary)
  const link = (value: Uint8Array): StoredRecord => {
    const record = decodeRecord(head.seq + 1, value)
    if (previousHash(record) !== head.hash) throw new Damaged(record.seq, 'does not fit the chain')
    head = { seq: record.seq, hash: record.hash }
    return record
  }
  return {
    get head() {
      return head
    },
    get personaId() {
      return personaId
    },
    get isWordless() {
      return erasures.unnamed().length > 0
    },
    take: (value) => {
      const record = link(value)
      if (!keepsItsWord(record)) throw new Damaged(record.seq, 'its payload does not match its commitment')
      return mediaIn(record)
    },
    takeFact: (value) => {
      const record = link(value)
      // Decodes everything: a valid commitment with an invalid fact would fail at its first reader.
      const entry = toWholeEntry(personaVocabulary, record)
      const { event } = entry
      erasures.take(record)
      if (record.seq === 1 && event.type !== 'PersonaCreated') throw new Damaged(1, 'is not its beginning')
      if (event.type === 'PersonaCreated' || event.type === 'PersonaForked') personaId = event.id
      if (value.length > maxCommitBytes || !foreignFacts.isPossible(entry))
        throw new Damaged(record.seq, 'says what no life can go on from')
      return entry
    },
  }
}

/** Most payloads name no file and need not be decoded. */
const mediaIn = (record: StoredRecord): Media | undefined => {
  const { type, version, payload } = record
  if (!mayNameFile(personaVocabulary, record) || !isKnown(type, version)) return undefined
  if (!payload.includes('sha256')) return undefined
  const { event } = toWholeEntry(personaVocabulary, record)
  return 'media' in event ? (event.media ?? undefined) : undefined
}

/** A whole journal as it comes by: every record against the one before it, and its words against their commitment. */
import { Damaged } from '../../journal/errors.ts'
import { type Entry, type Head, nowhere } from '../../journal/journal.ts'
import { decodeRecord, entryOf, keepsItsWord, type StoredRecord } from '../../journal/record.ts'

export interface History {
  readonly head: Head
  /** Damaged where it does not follow, Newer at a format of a later build. */
  take(value: Uint8Array): void
  /** The same, and it must be a fact that this build knows (Newer), the first one her beginning. */
  takeFact(value: Uint8Array, id: string): Entry
}

export const createHistory = (): History => {
  let head = nowhere
  const link = (value: Uint8Array): StoredRecord => {
    const record = decodeRecord(head.seq + 1, value)
    if (record.prev !== head.hash) throw new Damaged(record.seq, 'does not fit the chain')
    head = { seq: record.seq, hash: record.hash }
    return record
  }
  return {
    get head() {
      return head
    },
    take: (value) => {
      const record = link(value)
      if (!keepsItsWord(record)) throw new Damaged(record.seq, 'its words are not the ones that were written')
    },
    takeFact: (value, id) => {
      const record = link(value)
      // Read to the last word: what keeps its word and is no fact all the same would be found by her first reader.
      const entry = entryOf(record)
      const { event } = entry
      if (record.seq === 1 && !(event.type === 'PersonaCreated' && event.id === id)) throw new Damaged(1, 'is not her beginning')
      if (!isOfALife(entry)) throw new Damaged(record.seq, 'is nothing that a life can go on from')
      return entry
    },
  }
}

/** Milliseconds on either side of 1970 that a date can be; minutes that a zone can be away; lives that can still be counted. */
const most = { time: 8.64e15, offset: 24 * 60, life: 2 ** 50 }

/** One who knows whom it is sealed for can write a diary: what the house itself never writes would be somebody else's work, or end her. */
const isOfALife = ({ seq, at, offset, event }: Entry): boolean => {
  if (Math.abs(at) > most.time || Math.abs(offset) > most.offset) return false
  switch (event.type) {
    case 'PersonaCreated':
      return seq === 1
    case 'PersonaDeleted':
      return false
    case 'PersonaRestored':
      return Math.abs(event.made) <= most.time
    case 'Woke':
      return event.life > 0 && event.life < most.life
    case 'DayClosed':
      return Math.abs(event.began) <= most.time && Math.abs(event.ended) <= most.time
    default:
      return true
  }
}

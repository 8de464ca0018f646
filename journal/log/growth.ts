/** Adds raw records from another source to a store, with their index entries. */

import { getVerified } from './checksummed-value.ts'
import { addDedupeKeys, type Keys, noTally, type Tally, toTallyOp } from './dedupe.ts'
import { Damaged, Newer } from './errors.ts'
import { createIndexing, createMarks, type Indexing, readMarks, toMarksOp } from './fact-index.ts'
import type { Seq } from './head.ts'
import { dedupeMark, indexMark, readSeq, seqInKey } from './keys.ts'
import { decodeRecord, findIndex, isErased, toEntry } from './record.ts'
import type { Item, Op, Store } from './store.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface Growth {
  /**
   * Returns the operations for one batch. Checks nothing. If the records do not fit the indexes, marks the
   * indexes for a rebuild.
   */
  take(records: readonly Item[]): Promise<readonly Op[]>
}

interface State {
  seq: Seq | 0
  index: Indexing | undefined
  tally: Tally | undefined
}

/** Continues after the record at `seq` (0 for an empty store). */
export const createGrowth = async (vocabulary: Vocabulary, store: Store, seq: Seq | 0): Promise<Growth> => {
  const marks = seq === 0 ? createMarks(vocabulary) : await readMarks(vocabulary, store, { seq, hash: '' })
  const state: State = {
    seq,
    index: marks && createIndexing(marks),
    tally: seq === 0 ? noTally : await tallyIn(store),
  }
  return {
    take: async (records) => {
      if (records.length === 0) return []
      const ops: Op[] = records.map(([key, value]) => ({ type: 'put', key, value }))
      const [index, keys] = readRecords(vocabulary, state, records)
      const dedupe = await newKeys(store, state, keys)
      return [
        ...[...ops, ...index, ...dedupe],
        state.index ? toMarksOp(state.index.marks()) : { type: 'del', key: indexMark },
        state.tally ? toTallyOp(state.tally) : { type: 'del', key: dedupeMark },
      ]
    },
  }
}

const readRecords = (
  vocabulary: Vocabulary,
  state: State,
  records: readonly Item[],
): readonly [index: readonly Op[], keys: Keys] => {
  const ops: Op[] = []
  const keys: [string, Seq][] = []
  for (const [key, value] of records) {
    const seq = seqInKey(key)
    const isNext = seq === state.seq + 1
    state.seq = seq
    if (!state.index && !state.tally) continue
    try {
      if (!isNext) throw new Damaged(seq, 'does not follow')
      const record = decodeRecord(seq, value)
      const entry = state.index?.add(record, findIndex(vocabulary, record.type, isErased(record)))
      if (entry) ops.push(entry)
      const name = vocabulary.keyedTypes.has(record.type)
        ? vocabulary.dedupeKey(toEntry(vocabulary, record).event)
        : null
      if (name !== null) keys.push([name, seq])
    } catch (error) {
      if (!(error instanceof Damaged || error instanceof Newer)) throw error
      state.index = undefined
      state.tally = undefined
    }
  }
  return [ops, keys]
}

const newKeys = async (store: Store, state: State, keys: Keys): Promise<readonly Op[]> => {
  if (keys.length === 0 || !state.tally) return []
  const { ops, tally } = await addDedupeKeys(store, keys, state.tally)
  state.tally = tally
  return ops
}

/** Returns the stored count unchecked. A reader counts the keys later. */
const tallyIn = async (store: Store): Promise<Tally | undefined> => {
  const mark = await getVerified(store, dedupeMark)
  return mark && { count: readSeq(mark, 0), sum: readSeq(mark, 8) }
}

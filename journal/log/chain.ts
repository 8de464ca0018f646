/** Walking a journal's records in order, each checked against the one that follows it. */

import type { Seq } from '../facts/fact-values.ts'
import { isKnown } from '../facts/facts.ts'
import { createErasures } from './erasures.ts'
import { Damaged } from './errors.ts'
import { type Head, nowhere } from './journal.ts'
import { recordKey, recordSpan, seqOf } from './keys.ts'
import { decodeRecord, keepsItsWord } from './record.ts'
import { type Store, Unreadable } from './store.ts'
import { prevOf, type StoredRecord } from './stored-record.ts'

/** A position, and the chain hash there where it is known. */
export interface Place {
  readonly seq: Seq | 0
  readonly hash?: string
}

/**
 * Pages of the records behind `from`, up to `to` or as far as they go. A record is handed over once the next
 * one's `prev`, or the hash of `to`, vouches for its header; only at an open end the last one stands on its
 * own word. Damaged at the first that is missing, unreadable or belied, Newer at a format of a later build,
 * both after all the good ones before. Payloads are not looked at.
 */
export async function* walk(store: Store, from: Place, to?: Place): AsyncGenerator<readonly StoredRecord[]> {
  // Where nobody tells the last one's hash, one more is read to vouch for it.
  const end = to && to.seq + (to.hash === undefined ? 1 : 0)
  const chain = linking(from)
  let good: StoredRecord[] = []
  try {
    for await (const values of store.values(recordSpan(from.seq, end))) {
      for (const value of values) {
        const vouched = chain.take(value)
        if (vouched) good.push(vouched)
      }
      if (good.length > 0) yield good
      good = []
    }
    good.push(...chain.close(to))
  } catch (error) {
    good.push(...chain.rest())
    if (good.length > 0) yield good
    throw error instanceof Unreadable ? new Damaged(chain.next(), 'cannot be read', { cause: error }) : error
  }
  if (good.length > 0) yield good
}

/** Takes records in order and gives each back when it is vouched for. */
const linking = (from: Place) => {
  let before: Place = from
  let held: StoredRecord | undefined
  const next = (): Seq => before.seq + 1
  const rest = (): readonly StoredRecord[] => (held ? [held] : [])
  const belied = (): Damaged => {
    const seq = held?.seq ?? next()
    held = undefined
    return new Damaged(seq, 'does not fit the chain')
  }
  return {
    next,
    rest,
    take: (value: Buffer): StoredRecord | undefined => {
      const record = decodeRecord(next(), value)
      if (before.hash !== undefined && before.hash !== prevOf(record)) throw belied()
      const vouched = held
      before = held = record
      return vouched
    },
    close: (to?: Place): readonly StoredRecord[] => {
      if (!to) return rest()
      if (to.hash === undefined && before.seq === to.seq + 1) return []
      if (before.seq < to.seq || to.hash === undefined) throw new Damaged(next(), 'is missing')
      if (before.hash !== to.hash) throw belied()
      return rest()
    },
  }
}

/** What an inspection found: the last good record, and what stopped it there. */
export interface Found {
  readonly head: Head
  readonly damage?: Damaged
  /** The first fact of a later build. */
  readonly newer?: StoredRecord
  /**
   * All that were looked at, where they are few: who opens a journal reads them next. Their words were
   * checked.
   */
  readonly records?: readonly StoredRecord[]
}

/** So many records, some 600 bytes each, are cheaper kept than read again. */
const few = 256

/** Chain and words of all records behind `base`, and whether they hold what a witness saw. */
export const inspect = async (
  store: Store,
  base: Head,
  witness: Head = nowhere,
  to?: Head,
  each?: (record: StoredRecord) => void,
): Promise<Found> => {
  let head = base
  let newer: StoredRecord | undefined
  let looked: StoredRecord[] | undefined = []
  const erasures = createErasures()
  try {
    await mustBe(store, base)
    if (witness.seq > 0 && witness.seq <= base.seq) await mustBe(store, witness)
    for await (const records of walk(store, base, to)) {
      for (const record of records) {
        mustHold(record, witness)
        if (!isKnown(record.type, record.version)) newer ??= record
        else erasures.take(record)
        head = { seq: record.seq, hash: record.hash }
        each?.(record)
      }
      looked = looked && looked.length + records.length <= few ? [...looked, ...records] : undefined
    }
    if (head.seq < witness.seq) throw new Damaged(head.seq + 1, `is missing, there were ${witness.seq}`)
    const [gone] = newer ? [] : erasures.unnamed()
    if (gone) throw new Damaged(gone.seq, 'its words are gone, and nothing says that they were erased')
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    return { head, damage: error, ...(newer && { newer }) }
  }
  return { head, ...(newer && { newer }), ...(looked && { records: looked }) }
}

const mustHold = (record: StoredRecord, witness: Head): void => {
  if (record.seq === witness.seq && record.hash !== witness.hash)
    throw new Damaged(record.seq, 'is not the one that was there')
  if (!keepsItsWord(record)) throw new Damaged(record.seq, 'its words are not the ones that were written')
}

/** The record at a position; undefined where there is none, Damaged where it cannot be read. */
export const recordAt = async (store: Store, seq: Seq): Promise<StoredRecord | undefined> => {
  try {
    const value = await store.get(recordKey(seq))
    return value && decodeRecord(seq, value)
  } catch (error) {
    throw error instanceof Unreadable ? new Damaged(seq, 'cannot be read', { cause: error }) : error
  }
}

/** Where its records end; nothing else is looked at. Damaged where the last one cannot be read. */
export const headIn = async (store: Store): Promise<Head> => {
  for await (const [item] of store.items({ ...recordSpan(0), reverse: true, limit: 1 })) {
    if (!item) continue
    const { seq, hash } = decodeRecord(seqOf(item[0]), item[1])
    return { seq, hash }
  }
  return nowhere
}

/** Damaged unless this place is in the journal. */
export const mustBe = async (store: Store, { seq, hash = '' }: Place): Promise<void> => {
  if (seq === 0 ? hash !== nowhere.hash : (await recordAt(store, seq))?.hash !== hash)
    throw new Damaged(seq, 'is not the one that was there')
}

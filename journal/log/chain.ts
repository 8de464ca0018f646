/** Walks a journal's records in order and checks each against the next. */

import { createErasures } from './erasures.ts'
import { Damaged } from './errors.ts'
import { emptyHead, type Head, type Seq } from './head.ts'
import { recordKey, recordSpan, seqInKey } from './keys.ts'
import { decodeRecord, keepsItsWord } from './record.ts'
import { type Store, Unreadable } from './store.ts'
import { previousHash, type StoredRecord } from './stored-record.ts'
import { isKnown, type Vocabulary } from './vocabulary.ts'

/** A position, with its chain hash if known. */
export interface Place {
  readonly seq: Seq | 0
  readonly hash?: string
}

/**
 * Yields pages of the records after `from`, up to `to` or the end. Payloads are not checked.
 * A record is yielded once the next record's `prev`, or the hash of `to`, confirms its header. At an open end
 * the last record is unconfirmed.
 * Throws Damaged at the first missing, unreadable or mismatching record, or Newer at a newer format, after
 * all good records before it.
 */
export async function* walk(store: Store, from: Place, to?: Place): AsyncGenerator<readonly StoredRecord[]> {
  // Without a known hash of the last record, read one more to confirm it.
  const end = to && to.seq + (to.hash === undefined ? 1 : 0)
  const chain = linking(from)
  let confirmedRecords: StoredRecord[] = []
  try {
    for await (const values of store.values(recordSpan(from.seq, end))) {
      for (const value of values) {
        const record = chain.take(value)
        if (record) confirmedRecords.push(record)
      }
      if (confirmedRecords.length > 0) yield confirmedRecords
      confirmedRecords = []
    }
    confirmedRecords.push(...chain.close(to))
  } catch (error) {
    confirmedRecords.push(...chain.rest())
    if (confirmedRecords.length > 0) yield confirmedRecords
    throw error instanceof Unreadable ? new Damaged(chain.next(), 'cannot be read', { cause: error }) : error
  }
  if (confirmedRecords.length > 0) yield confirmedRecords
}

/** Takes records in order and returns each once it is confirmed. */
const linking = (from: Place) => {
  let place: Place = from
  let previous: StoredRecord | undefined
  const next = (): Seq => place.seq + 1
  const rest = (): readonly StoredRecord[] => (previous ? [previous] : [])
  const mismatch = (): Damaged => {
    const seq = previous?.seq ?? next()
    previous = undefined
    return new Damaged(seq, 'does not fit the chain')
  }
  return {
    next,
    rest,
    take: (value: Buffer): StoredRecord | undefined => {
      const record = decodeRecord(next(), value)
      if (place.hash !== undefined && place.hash !== previousHash(record)) throw mismatch()
      const confirmedHead = previous
      place = previous = record
      return confirmedHead
    },
    close: (to?: Place): readonly StoredRecord[] => {
      if (!to) return rest()
      if (to.hash === undefined && place.seq === to.seq + 1) return []
      if (place.seq < to.seq || to.hash === undefined) throw new Damaged(next(), 'is missing')
      if (place.hash !== to.hash) throw mismatch()
      return rest()
    },
  }
}

/** Result of an inspection: the last good record and the reason for stopping. */
export interface Found {
  readonly head: Head
  readonly damage?: Damaged
  /** The first fact of a newer build. */
  readonly newer?: StoredRecord
  /**
   * All inspected records, if they are few: the caller of `open` reads them next. Their payloads were
   * checked.
   */
  readonly records?: readonly StoredRecord[]
}

/** Max records to return. At about 600 bytes each, keeping them is cheaper than reading them again. */
const maxReturned = 256

/** Checks chain and payloads of all records after `base`, and whether they contain the witness's head. */
export const inspect = async (
  vocabulary: Vocabulary,
  store: Store,
  base: Head,
  witness: Head = emptyHead,
  to?: Head,
  onRecord?: (record: StoredRecord) => void,
): Promise<Found> => {
  let head = base
  let newerRecord: StoredRecord | undefined
  let inspected: StoredRecord[] | undefined = []
  const erasures = createErasures(vocabulary)
  try {
    await mustBe(store, base)
    if (witness.seq > 0 && witness.seq <= base.seq) await mustBe(store, witness)
    for await (const records of walk(store, base, to)) {
      for (const record of records) {
        mustHold(record, witness)
        if (!isKnown(vocabulary, record.type, record.version)) newerRecord ??= record
        else erasures.take(record)
        head = { seq: record.seq, hash: record.hash }
        onRecord?.(record)
      }
      inspected =
        inspected && inspected.length + records.length <= maxReturned ? [...inspected, ...records] : undefined
    }
    if (head.seq < witness.seq)
      throw new Damaged(head.seq + 1, `is missing; the last known position is ${witness.seq}`)
    const [unnamedErasure] = newerRecord ? [] : erasures.unnamed()
    if (unnamedErasure)
      throw new Damaged(unnamedErasure.seq, 'its payload is missing, and no fact says that it was erased')
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    return { head, damage: error, ...(newerRecord && { newer: newerRecord }) }
  }
  return { head, ...(newerRecord && { newer: newerRecord }), ...(inspected && { records: inspected }) }
}

const mustHold = (record: StoredRecord, witness: Head): void => {
  if (record.seq === witness.seq && record.hash !== witness.hash)
    throw new Damaged(record.seq, 'is not the expected record')
  if (!keepsItsWord(record)) throw new Damaged(record.seq, 'its payload does not match its commitment')
}

/** Returns the record at a position, or undefined. Throws Damaged if it cannot be read. */
export const recordAt = async (store: Store, seq: Seq): Promise<StoredRecord | undefined> => {
  try {
    const value = await store.get(recordKey(seq))
    return value && decodeRecord(seq, value)
  } catch (error) {
    throw error instanceof Unreadable ? new Damaged(seq, 'cannot be read', { cause: error }) : error
  }
}

/** Returns the head without other checks. Throws Damaged if the last record cannot be read. */
export const headIn = async (store: Store): Promise<Head> => {
  for await (const [item] of store.items({ ...recordSpan(0), reverse: true, limit: 1 })) {
    if (!item) continue
    const { seq, hash } = decodeRecord(seqInKey(item[0]), item[1])
    return { seq, hash }
  }
  return emptyHead
}

/** Throws Damaged unless the journal contains this position with this hash. */
export const mustBe = async (store: Store, { seq, hash = '' }: Place): Promise<void> => {
  if (seq === 0 ? hash !== emptyHead.hash : (await recordAt(store, seq))?.hash !== hash)
    throw new Damaged(seq, 'is not the expected record')
}

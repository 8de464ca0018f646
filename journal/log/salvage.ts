/**
 * Repairs a damaged journal: valid records keep their position, a `Lost` fact replaces each lost record, and
 * the chain is recomputed after it.
 */

import { createErasures } from './erasures.ts'
import { Damaged } from './errors.ts'
import { emptyHead, type Head, type Seq } from './head.ts'
import type { First, Loss } from './journal.ts'
import { recordKey, recordSpan, seqInKey } from './keys.ts'
import { decodeRecord, encodeRecord, rechainRecord, toEntry } from './record.ts'
import type { Op, Store } from './store.ts'
import { previousHash, type StoredRecord } from './stored-record.ts'
import type { Erased, Fact, Vocabulary } from './vocabulary.ts'

interface Mending {
  readonly vocabulary: Vocabulary
  readonly store: Store
  /** Positions up to here were assigned, even if their records are missing. */
  readonly witness: Head | undefined
  /** Replaces the first fact if it is lost. */
  readonly first: First
  readonly random: (bytes: number) => Buffer
}

/** `unnamed`: erased facts without a surviving `FactsErased` fact that names them. */
interface Mended {
  readonly head: Head
  readonly loss: Loss
  readonly unnamed: readonly Erased[]
}

/**
 * Turns the records of a store into a valid chain. The caller rebuilds the indexes. Throws Newer if a fact is
 * of a newer build.
 */
export const mendChain = async ({
  vocabulary,
  store,
  witness = emptyHead,
  first,
  random,
}: Mending): Promise<Mended> => {
  let head = emptyHead
  let loss: Loss = { kept: 0, lost: 0, first: null }
  let lastPlace: Omit<First, 'event'> = first
  let ops: Op[] = []
  const erasures = createErasures(vocabulary)
  vocabulary.parseCause(first.cause)
  for await (const { seq, record } of trustedPlaces(vocabulary, store, witness)) {
    lastPlace = record ? { ...record, cause: first.cause } : lastPlace
    if (record) erasures.take(record)
    const newRecord = record
      ? rechainRecord(record, head)
      : encodeRecord(
          vocabulary,
          lostMark(vocabulary.parse(seq === 1 ? first.event : { type: 'Lost' }), lastPlace, random),
          head,
        )
    head = newRecord.head
    loss = record
      ? { ...loss, kept: loss.kept + 1 }
      : { ...loss, lost: loss.lost + 1, first: loss.first ?? seq }
    if (record?.hash !== newRecord.head.hash)
      ops.push({ type: 'put', key: recordKey(seq), value: newRecord.value })
    if (ops.length < 1000) continue
    await store.batch(ops, { sync: false })
    ops = []
  }
  if (loss.kept === 0) throw new Damaged(1, 'and no later record can be read')
  await store.batch(ops, { sync: true })
  return { head, loss, unnamed: erasures.unnamed() }
}

const lostMark = (
  event: Fact,
  { cause, at, offset }: Omit<First, 'event'>,
  random: (bytes: number) => Buffer,
) => ({
  commit: random(16),
  salt: random(16),
  cause,
  at,
  offset,
  event,
})

interface Place {
  readonly seq: Seq
  readonly record: StoredRecord | undefined
}

/**
 * Yields every position, with its record if it can be trusted: the payload matches its commitment, and the
 * next record's `prev` matches. If two neighbours disagree, the one that the next record confirms is right.
 */
async function* trustedPlaces(vocabulary: Vocabulary, store: Store, witness: Head): AsyncGenerator<Place> {
  const window: Place[] = []
  const judge = (): Place => {
    const [current, next, afterNext] = window
    const { seq, record } = current as Place
    if (!record || isContradicted(record, next?.record, afterNext?.record, witness))
      return { seq, record: undefined }
    return { seq, record }
  }
  for await (const place of places(vocabulary, store, witness.seq)) {
    window.push(place)
    if (window.length < 3) continue
    yield judge()
    window.shift()
  }
  for (; window.length > 0; window.shift()) yield judge()
}

const isContradicted = (
  record: StoredRecord,
  next: StoredRecord | undefined,
  afterNext: StoredRecord | undefined,
  witness: Head,
): boolean => {
  if (record.seq === witness.seq && record.hash === witness.hash) return false
  if (!next || previousHash(next) === record.hash) return false
  return afterNext === undefined
    ? next.seq === witness.seq && next.hash === witness.hash
    : previousHash(afterNext) === next.hash
}

/** Yields every assigned position with its stored record. */
async function* places(vocabulary: Vocabulary, store: Store, atLeast: Seq | 0): AsyncGenerator<Place> {
  let seq = 0
  for await (const page of store.items(recordSpan(0))) {
    for (const [key, value] of page) {
      while (seq + 1 < seqInKey(key)) yield { seq: ++seq, record: undefined }
      yield { seq: ++seq, record: decodeReadable(vocabulary, seq, value) }
    }
  }
  while (seq < atLeast) yield { seq: ++seq, record: undefined }
}

const decodeReadable = (vocabulary: Vocabulary, seq: Seq, value: Buffer): StoredRecord | undefined => {
  try {
    const record = decodeRecord(seq, value)
    // Decodes the event too: a payload can match its commitment and still be no valid fact.
    return toEntry(vocabulary, record).event && record
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
}

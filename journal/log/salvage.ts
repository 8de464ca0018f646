/**
 * A damaged journal made whole again: what verifies stays where it was, a mark stands for each fact that is
 * lost, and the chain is made anew behind them.
 */

import type { Seq } from '../facts/fact-values.ts'
import type { PersonaEvent } from '../facts/facts.ts'
import { createErasures, type Erased } from './erasures.ts'
import { Damaged } from './errors.ts'
import { type First, type Head, type Loss, nowhere } from './journal.ts'
import { recordKey, recordSpan, seqOf } from './keys.ts'
import { decodeRecord, encodeRecord, entryOf, rechained } from './record.ts'
import type { Op, Store } from './store.ts'
import { prevOf, type StoredRecord } from './stored-record.ts'

interface Mending {
  readonly store: Store
  /** Positions up to here were given once, whatever of them is left. */
  readonly witness: Head | undefined
  /** Its first fact, for where it is lost. */
  readonly first: First
  readonly random: (bytes: number) => Buffer
}

/** `unnamed`: facts without words of which no fact says any more that they were erased. */
interface Mended {
  readonly head: Head
  readonly loss: Loss
  readonly unnamed: readonly Erased[]
}

/**
 * Makes the records of a store a journal; its indexes are for whoever opens it. Newer where a fact is of a
 * later build.
 */
export const mendChain = async ({ store, witness = nowhere, first, random }: Mending): Promise<Mended> => {
  let head = nowhere
  let loss: Loss = { kept: 0, lost: 0, first: null }
  let before: Pick<First, 'at' | 'offset'> = first
  let ops: Op[] = []
  const erasures = createErasures()
  for await (const { seq, record } of trusted(store, witness)) {
    before = record ?? before
    if (record) erasures.take(record)
    const made = record
      ? rechained(record, head)
      : encodeRecord(markOf(seq === 1 ? first.event : { type: 'Lost' }, before, random), head)
    head = made.head
    loss = record
      ? { ...loss, kept: loss.kept + 1 }
      : { ...loss, lost: loss.lost + 1, first: loss.first ?? seq }
    if (record?.hash !== made.head.hash) ops.push({ type: 'put', key: recordKey(seq), value: made.value })
    if (ops.length < 1000) continue
    await store.batch(ops, { sync: false })
    ops = []
  }
  if (loss.kept === 0) throw new Damaged(1, 'and nothing behind it can be read either')
  await store.batch(ops, { sync: true })
  return { head, loss, unnamed: erasures.unnamed() }
}

const markOf = (
  event: PersonaEvent,
  { at, offset }: Pick<First, 'at' | 'offset'>,
  random: (bytes: number) => Buffer,
) => ({
  commit: random(16),
  salt: random(16),
  cause: { by: 'host' } as const,
  at,
  offset,
  event,
})

interface Place {
  readonly seq: Seq
  readonly record: StoredRecord | undefined
}

/**
 * Every position with its record, where that can be trusted: its words fit their commitment, and the record
 * behind it does not belie its header. Where two neighbours belie each other, the one whom the next vouches
 * for is right.
 */
async function* trusted(store: Store, witness: Head): AsyncGenerator<Place> {
  const window: Place[] = []
  const judged = (): Place => {
    const [here, next, later] = window
    const { seq, record } = here as Place
    if (!record || belied(record, next?.record, later?.record, witness)) return { seq, record: undefined }
    return { seq, record }
  }
  for await (const place of places(store, witness.seq)) {
    window.push(place)
    if (window.length < 3) continue
    yield judged()
    window.shift()
  }
  for (; window.length > 0; window.shift()) yield judged()
}

const belied = (
  record: StoredRecord,
  next: StoredRecord | undefined,
  later: StoredRecord | undefined,
  witness: Head,
): boolean => {
  if (record.seq === witness.seq && record.hash === witness.hash) return false
  if (!next || prevOf(next) === record.hash) return false
  return later === undefined
    ? next.seq === witness.seq && next.hash === witness.hash
    : prevOf(later) === next.hash
}

/** Every position from the first to the last that was ever given, with what lies there. */
async function* places(store: Store, atLeast: Seq | 0): AsyncGenerator<Place> {
  let seq = 0
  for await (const page of store.items(recordSpan(0))) {
    for (const [key, value] of page) {
      while (seq + 1 < seqOf(key)) yield { seq: ++seq, record: undefined }
      yield { seq: ++seq, record: readable(seq, value) }
    }
  }
  while (seq < atLeast) yield { seq: ++seq, record: undefined }
}

const readable = (seq: Seq, value: Buffer): StoredRecord | undefined => {
  try {
    const record = decodeRecord(seq, value)
    // Looked at whole: what keeps its word and is no fact all the same would be found by the first reader.
    return entryOf(record).event && record
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
}

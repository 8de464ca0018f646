/** The index of dedupe keys. It is derived data, and a count detects lost keys. */

import { recordAt, walk } from './chain.ts'
import { checkChecksum, getVerified, putWithChecksum } from './checksummed-value.ts'
import { emptyHead, type Head, type Seq } from './head.ts'
import { dedupeKey, dedupeMark, readSeq, wholeDedupe, writeSeq } from './keys.ts'
import { toEntry } from './record.ts'
import { type Item, type Op, puts, type Store, Unreadable, wipe } from './store.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * The number of keys, and the sum of their first six bytes. Keys are hashes, so a lost or changed key changes
 * the sum.
 */
export interface Tally {
  readonly count: number
  readonly sum: number
}

export const noTally: Tally = { count: 0, sum: 0 }

/**
 * Returns the entry of a fact. The first fact with a key keeps it. No checksum: a match is compared
 * with the record.
 */
export const noteDedupeKey = (
  tally: Tally,
  key: string,
  seq: Seq,
): { readonly op: Op; readonly tally: Tally } => {
  const name = dedupeKey(key)
  const value = Buffer.allocUnsafe(8)
  writeSeq(value, 0, seq)
  return { op: { type: 'put', key: name, value }, tally: addKey(tally, name) }
}

/** Keys of new facts with their positions, in order. */
export type Keys = readonly (readonly [key: string, seq: Seq])[]

/** Returns the entries of the keys that are new to the store, and the tally with them. */
export const addDedupeKeys = async (
  store: Store,
  keys: Keys,
  knownTally: Tally,
): Promise<{ readonly ops: readonly Op[]; readonly tally: Tally }> => {
  const existingEntries = await store.getMany(keys.map(([key]) => dedupeKey(key)))
  const knownKeys = new Set(keys.filter((_, place) => existingEntries[place]).map(([key]) => key))
  const ops: Op[] = []
  let tally = knownTally
  for (const [key, seq] of keys) {
    if (knownKeys.has(key)) continue
    knownKeys.add(key)
    const next = noteDedupeKey(tally, key, seq)
    ops.push(next.op)
    tally = next.tally
  }
  return { ops, tally }
}

export const toTallyOp = ({ count, sum }: Tally): Op => {
  const value = Buffer.allocUnsafe(16)
  writeSeq(value, 0, count)
  writeSeq(value, 8, sum)
  return putWithChecksum(dedupeMark, value)
}

/**
 * Counts the keys. Returns undefined if the count differs. Runs on first use only (measured: 100 000 keys in
 * 250 ms).
 */
export const readTally = async (store: Store): Promise<Tally | undefined> => {
  const mark = await getVerified(store, dedupeMark)
  if (!mark) return undefined
  let tally = noTally
  try {
    for await (const page of store.items(wholeDedupe)) {
      for (const [key] of page) if (key.length > dedupeMark.length) tally = addKey(tally, key)
    }
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
  return isTally(mark, tally) ? tally : undefined
}

const isTally = (mark: Buffer, { count, sum }: Tally): boolean =>
  count === readSeq(mark, 0) && sum === readSeq(mark, 8)

/**
 * Copies the keys of facts up to a position to another store that has those. Writes no count, which forces
 * a rebuild, if one is missing.
 */
export const copyDedupe = async (from: Store, to: Store, upTo: Seq): Promise<void> => {
  let mark: Buffer | undefined
  let all = noTally
  let copiedTally = noTally
  try {
    for await (const page of from.items(wholeDedupe)) {
      const items: Item[] = []
      for (const item of page) {
        const [key, value] = item
        if (key.length === dedupeMark.length) mark = checkChecksum(key, value)
        else {
          all = addKey(all, key)
          if (value.length === 8 && readSeq(value, 0) <= upTo) items.push(item)
        }
      }
      for (const [key] of items) copiedTally = addKey(copiedTally, key)
      await to.batch(puts(items), { sync: false })
    }
  } catch (error) {
    if (error instanceof Unreadable) return
    throw error
  }
  if (mark && isTally(mark, all)) await to.batch([toTallyOp(copiedTally)], { sync: false })
}

/**
 * Removes the keys of facts after a position. Removes the count, which forces a rebuild, if one is
 * missing.
 */
export const cutDedupe = async (store: Store, upTo: Seq): Promise<void> => {
  const storedTally = await readTally(store)
  let tally = noTally
  for await (const page of store.items(wholeDedupe)) {
    const ops: Op[] = []
    for (const [key, value] of page) {
      if (key.length === dedupeMark.length) continue
      if (value.length === 8 && readSeq(value, 0) <= upTo) tally = addKey(tally, key)
      else ops.push({ type: 'del', key })
    }
    await store.batch(ops, { sync: false })
  }
  await store.batch([storedTally ? toTallyOp(tally) : { type: 'del', key: dedupeMark }], { sync: false })
}

/**
 * Returns the position of the fact with a key, `null` if there is certainly none, undefined if the index
 * must be rebuilt.
 */
export const lookUp = async (
  vocabulary: Vocabulary,
  store: Store,
  key: string,
): Promise<Seq | null | undefined> => {
  try {
    const value = await store.get(dedupeKey(key))
    if (!value) return null
    const seq = value.length === 8 ? readSeq(value, 0) : 0
    const record = seq > 0 ? await recordAt(store, seq) : undefined
    return record && vocabulary.dedupeKey(toEntry(vocabulary, record).event) === key ? seq : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** Returns the position of the first fact with a key by scanning the records. */
export const search = async (
  vocabulary: Vocabulary,
  store: Store,
  head: Head,
  key: string,
): Promise<Seq | undefined> => {
  for await (const [candidate, seq] of scanKeys(vocabulary, store, head)) if (candidate === key) return seq
  return undefined
}

export const rebuildDedupe = async (vocabulary: Vocabulary, store: Store, head: Head): Promise<Tally> => {
  await wipe(store, wholeDedupe)
  const first = new Map<string, Seq>()
  for await (const [key, seq] of scanKeys(vocabulary, store, head)) if (!first.has(key)) first.set(key, seq)
  let tally = noTally
  const ops: Op[] = []
  for (const [key, seq] of first) {
    const next = noteDedupeKey(tally, key, seq)
    ops.push(next.op)
    tally = next.tally
  }
  await store.batch([...ops, toTallyOp(tally)], { sync: true })
  return tally
}

async function* scanKeys(
  vocabulary: Vocabulary,
  store: Store,
  head: Head,
): AsyncGenerator<readonly [key: string, seq: Seq]> {
  if (head.seq === 0) return
  for await (const records of walk(store, emptyHead, head)) {
    for (const record of records) {
      if (!vocabulary.keyedTypes.has(record.type)) continue
      const key = vocabulary.dedupeKey(toEntry(vocabulary, record).event)
      if (key !== null) yield [key, record.seq]
    }
  }
}

const addKey = ({ count, sum }: Tally, key: Buffer): Tally => ({
  count: count + 1,
  sum: (sum + key.readUIntBE(dedupeMark.length, 6)) % 2 ** 48,
})

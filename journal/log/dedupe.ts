/** The index of dedupe keys: derived, and counted, so that a key that got lost is noticed. */

import type { Seq } from '../facts/fact-values.ts'
import type { PersonaEvent } from '../facts/facts.ts'
import { recordAt, walk } from './chain.ts'
import { type Head, nowhere } from './journal.ts'
import { dedupeKey, dedupeMark, readSeq, wholeDedupe, writeSeq } from './keys.ts'
import { entryOf } from './record.ts'
import { sealed, trusted, unseal } from './seal.ts'
import { type Item, type Op, puts, type Store, Unreadable, wipe } from './store.ts'

/**
 * How many keys there are, and the sum of their first six bytes: they are hashes, so any that is lost or
 * changed shows in it.
 */
export interface Tally {
  readonly count: number
  readonly sum: number
}

export const noTally: Tally = { count: 0, sum: 0 }

/** The dedupe key of a fact, where it has one. */
export const dedupeOf = (event: PersonaEvent): string | undefined =>
  event.type === 'MessageHeard' && event.key !== null ? event.key : undefined

/**
 * What a message adds; the first with a key keeps it. No seal: a hit is compared with the record it names.
 */
export const noted = (tally: Tally, key: string, seq: Seq): { readonly op: Op; readonly tally: Tally } => {
  const name = dedupeKey(key)
  const value = Buffer.allocUnsafe(8)
  writeSeq(value, 0, seq)
  return { op: { type: 'put', key: name, value }, tally: counted(tally, name) }
}

export const tallied = ({ count, sum }: Tally): Op => {
  const value = Buffer.allocUnsafe(16)
  writeSeq(value, 0, count)
  writeSeq(value, 8, sum)
  return sealed(dedupeMark, value)
}

/**
 * Counts the keys; undefined where they are not the ones that were written. ⏱ 100 000 in a quarter of a
 * second, so only when first asked.
 */
export const readTally = async (store: Store): Promise<Tally | undefined> => {
  const mark = await trusted(store, dedupeMark)
  if (!mark) return undefined
  let tally = noTally
  try {
    for await (const page of store.items(wholeDedupe)) {
      for (const [key] of page) if (key.length > dedupeMark.length) tally = counted(tally, key)
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
 * The keys of messages up to a position, into another store that has those: whoever was first with a key here
 * is so there. Uncounted, to be made anew, where one is missing.
 */
export const copyDedupe = async (from: Store, to: Store, upTo: Seq): Promise<void> => {
  let mark: Buffer | undefined
  let [all, copied] = [noTally, noTally]
  try {
    for await (const page of from.items(wholeDedupe)) {
      const kept: Item[] = []
      for (const item of page) {
        const [key, value] = item
        if (key.length === dedupeMark.length) mark = unseal(key, value)
        else {
          all = counted(all, key)
          if (value.length === 8 && readSeq(value, 0) <= upTo) kept.push(item)
        }
      }
      for (const [key] of kept) copied = counted(copied, key)
      await to.batch(puts(kept), { sync: false })
    }
  } catch (error) {
    if (error instanceof Unreadable) return
    throw error
  }
  if (mark && isTally(mark, all)) await to.batch([tallied(copied)], { sync: false })
}

/** Those of messages behind a position go. Uncounted, to be made anew, where one is missing. */
export const cutDedupe = async (store: Store, upTo: Seq): Promise<void> => {
  const before = await readTally(store)
  let left = noTally
  for await (const page of store.items(wholeDedupe)) {
    const ops: Op[] = []
    for (const [key, value] of page) {
      if (key.length === dedupeMark.length) continue
      if (value.length === 8 && readSeq(value, 0) <= upTo) left = counted(left, key)
      else ops.push({ type: 'del', key })
    }
    await store.batch(ops, { sync: false })
  }
  await store.batch([before ? tallied(left) : { type: 'del', key: dedupeMark }], { sync: false })
}

/** Position of the message with a key; `null` is certainly none, undefined: the index has to be made anew. */
export const lookUp = async (store: Store, key: string): Promise<Seq | null | undefined> => {
  try {
    const value = await store.get(dedupeKey(key))
    if (!value) return null
    const seq = value.length === 8 ? readSeq(value, 0) : 0
    const record = seq > 0 ? await recordAt(store, seq) : undefined
    return record && dedupeOf(entryOf(record).event) === key ? seq : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** Position of the first message with a key, read from the records themselves. */
export const search = async (store: Store, head: Head, key: string): Promise<Seq | undefined> => {
  for await (const [found, seq] of keysOf(store, head)) if (found === key) return seq
  return undefined
}

export const rebuildDedupe = async (store: Store, head: Head): Promise<Tally> => {
  await wipe(store, wholeDedupe)
  const first = new Map<string, Seq>()
  for await (const [key, seq] of keysOf(store, head)) if (!first.has(key)) first.set(key, seq)
  let tally = noTally
  const ops: Op[] = []
  for (const [key, seq] of first) {
    const next = noted(tally, key, seq)
    ops.push(next.op)
    tally = next.tally
  }
  await store.batch([...ops, tallied(tally)], { sync: true })
  return tally
}

async function* keysOf(store: Store, head: Head): AsyncGenerator<readonly [key: string, seq: Seq]> {
  if (head.seq === 0) return
  for await (const records of walk(store, nowhere, head)) {
    for (const record of records) {
      if (record.type !== 'MessageHeard') continue
      const key = dedupeOf(entryOf(record).event)
      if (key !== undefined) yield [key, record.seq]
    }
  }
}

const counted = ({ count, sum }: Tally, key: Buffer): Tally => ({
  count: count + 1,
  sum: (sum + key.readUIntBE(dedupeMark.length, 6)) % 2 ** 48,
})

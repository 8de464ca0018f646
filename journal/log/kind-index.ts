/** The index of facts by kind. It is derived data and detects missing entries. */

import { Decoder, Encoder } from '@msgpack/msgpack'
import * as z from 'zod'
import { type Kind, Kinds } from '../../facts/fact.ts'
import { walk } from './chain.ts'
import { getVerified, putWithChecksum } from './checksummed-value.ts'
import { indexKey, indexMark, indexSpan, readSeq, seqInKey, wholeIndex, writeSeq } from './keys.ts'
import { isErased, kindIn } from './record.ts'
import { type Item, type Op, puts, type Store, Unreadable, wipe } from './store.ts'
import type { Head, Seq } from './values.ts'
import { emptyHead } from './values.ts'

const encoder = new Encoder()
const decoder = new Decoder()

const Last = z.int().min(0)
/**
 * The position that the index covers, and the last position of each kind. Written with every batch, so it is
 * always at the head.
 */
export const Marks = z.strictObject({ upTo: Last, last: z.record(z.enum(Kinds), Last) })
export type Marks = z.infer<typeof Marks>

export const noMarks: Marks = {
  upTo: 0,
  last: Object.fromEntries(Kinds.map((kind) => [kind, 0])) as Marks['last'],
}

/** A position in the index, and the first bytes of its record's chain hash, which confirm the header. */
export interface Indexed {
  readonly seq: Seq
  readonly hash: string
}

/** Collects the index entries of new records and the marks after them. */
export interface Indexing {
  /** Returns undefined if the record is of no kind. */
  add(record: Head, kind: Kind | null): Op | undefined
  marks(): Marks
}

export const createIndexing = (marksBefore: Marks): Indexing => {
  // One copy for the batch (measured: a copy per entry took as long as the entry).
  const last = { ...marksBefore.last }
  let { upTo } = marksBefore
  return {
    add: ({ seq, hash }, kind) => {
      upTo = seq
      if (!kind) return undefined
      const value = Buffer.allocUnsafe(16)
      writeSeq(value, 0, last[kind])
      value.write(hash, 8, 8, 'hex')
      last[kind] = seq
      return { type: 'put', key: indexKey(kind, seq), value }
    },
    marks: () => ({ upTo, last: { ...last } }),
  }
}

export const toMarksOp = (marks: Marks): Op => putWithChecksum(indexMark, encoder.encodeSharedRef(marks))

/** Returns undefined if the index must be rebuilt. */
export const readMarks = async (store: Store, head: Head): Promise<Marks | undefined> => {
  const bytes = await getVerified(store, indexMark)
  const marks = bytes && Marks.safeParse(decoder.decode(bytes))
  return marks?.success && marks.data.upTo === head.seq ? marks.data : undefined
}

/**
 * Returns positions of a kind with `after < seq <= upTo`, at most the `last` of them, oldest first. Returns
 * undefined if an entry is missing; the index must then be rebuilt.
 * Every entry names the one before it and the marks name the last, so a missing entry shows here. Each entry
 * also holds its record's hash, so a wrong position shows when the record is read. Entries need no checksum
 * of their own (measured: it was a sixth of the cost of encoding a batch).
 */
export const positions = async (
  store: Store,
  marks: Marks,
  {
    kind,
    after,
    upTo,
    last = Number.MAX_SAFE_INTEGER,
  }: { readonly kind: Kind; readonly after: Seq | 0; readonly upTo: Seq; readonly last?: number | undefined },
): Promise<readonly Indexed[] | undefined> => {
  const entries: Indexed[] = []
  try {
    let expected = await findNewest(store, marks, kind, upTo)
    for await (const page of store.items({ ...indexSpan(kind, after, upTo), reverse: true, limit: last })) {
      for (const item of page) {
        const entry = toIndexEntry(item)
        if (!entry || entry.seq !== expected) return undefined
        entries.push({ seq: entry.seq, hash: entry.hash })
        expected = entry.before
      }
    }
    if (expected === undefined || (expected > after && entries.length < last)) return undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
  return entries.reverse()
}

/** Rebuilds the index in steps. An interrupted rebuild leaves no marks and starts again next time. */
export const rebuildIndex = async (store: Store, head: Head): Promise<Marks> => {
  await wipe(store, wholeIndex)
  const index = createIndexing(noMarks)
  if (head.seq > 0) {
    for await (const records of walk(store, emptyHead, head)) {
      const ops = records.flatMap((record) => index.add(record, kindIn(record.type, isErased(record))) ?? [])
      await store.batch(ops, { sync: false })
    }
  }
  const marks = index.marks()
  await store.batch([toMarksOp(marks)], { sync: true })
  return marks
}

/**
 * Copies the entries up to a head to another store that has those records. Writes no marks, which forces a
 * rebuild, if an entry is missing.
 */
export const copyIndex = async (from: Store, marks: Marks, to: Store, upTo: Seq): Promise<void> => {
  const last = { ...noMarks.last }
  try {
    for (const kind of Kinds) {
      const end = await findNewest(from, marks, kind, upTo)
      if (end === undefined) return
      last[kind] = end
      for await (const page of from.items(indexSpan(kind, 0, upTo)))
        await to.batch(puts(page), { sync: false })
    }
  } catch (error) {
    if (error instanceof Unreadable) return
    throw error
  }
  await to.batch([toMarksOp({ upTo, last })], { sync: false })
}

/** Removes the entries after a head. Removes the marks, which forces a rebuild, if an entry is missing. */
export const cutIndex = async (store: Store, head: Head, upTo: Seq): Promise<void> => {
  const marks = await readMarks(store, head)
  const last = { ...noMarks.last }
  let isWhole = marks !== undefined
  for (const kind of Kinds) {
    const end = marks && (await findNewest(store, marks, kind, upTo))
    last[kind] = end ?? 0
    isWhole &&= end !== undefined
  }
  for (const kind of Kinds) await wipe(store, indexSpan(kind, upTo, head.seq))
  await store.batch([isWhole ? toMarksOp({ upTo, last }) : { type: 'del', key: indexMark }], { sync: false })
}

/**
 * Returns the last position of a kind up to `upTo`: the one that the next entry names. Returns undefined if
 * unknown.
 */
const findNewest = async (
  store: Store,
  marks: Marks,
  kind: Kind,
  upTo: Seq,
): Promise<Seq | 0 | undefined> => {
  if (marks.last[kind] <= upTo) return marks.last[kind]
  const item = await following(store, marks, kind, upTo)
  return item && toIndexEntry(item)?.before
}

/** Returns the first entry of a kind after a position. */
export const following = async (
  store: Store,
  marks: Marks,
  kind: Kind,
  seq: Seq,
): Promise<Item | undefined> => {
  for await (const [item] of store.items({ ...indexSpan(kind, seq, marks.upTo), limit: 1 })) return item
  return undefined
}

/** Returns undefined if the item is not an index entry. */
export const toIndexEntry = ([key, value]: Item): (Indexed & { readonly before: Seq | 0 }) | undefined =>
  key.length > 8 && value.length === 16
    ? { seq: seqInKey(key), before: readSeq(value, 0), hash: value.toString('hex', 8) }
    : undefined

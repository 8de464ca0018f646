/** The indexes of facts. They are derived data and detect missing entries. */

import { Decoder, Encoder } from '@msgpack/msgpack'
import { walk } from './chain.ts'
import { getVerified, putWithChecksum } from './checksummed-value.ts'
import { emptyHead, type Head, type Seq } from './head.ts'
import { indexKey, indexMark, indexSpan, readSeq, seqInKey, wholeIndex, writeSeq } from './keys.ts'
import { findIndex, isErased } from './record.ts'
import { type Item, type Op, puts, type Store, Unreadable, wipe } from './store.ts'
import type { Vocabulary } from './vocabulary.ts'

const encoder = new Encoder()
const decoder = new Decoder()

/**
 * The position that the indexes cover, and the last position in each. Written with every batch, so it is
 * always at the head.
 */
export interface Marks {
  readonly upTo: Seq | 0
  readonly last: Readonly<Record<string, Seq | 0>>
}

/** The marks of an empty journal. */
export const createMarks = ({ indexes }: Vocabulary): Marks => ({
  upTo: 0,
  last: Object.fromEntries(indexes.map((kind) => [kind, 0])),
})

const isMarks = ({ indexes }: Vocabulary, value: unknown): value is Marks => {
  const { upTo, last } = (value ?? {}) as Partial<Marks>
  if (!isPosition(upTo) || typeof last !== 'object' || last === null) return false
  return Object.keys(last).length === indexes.length && indexes.every((kind) => isPosition(last[kind]))
}

const isPosition = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

/** A position in the index, and the first bytes of its record's chain hash, which confirm the header. */
export interface Indexed {
  readonly seq: Seq
  readonly hash: string
}

/** Collects the index entries of new records and the marks after them. */
export interface Indexing {
  /** Returns undefined if the record is of no kind. */
  add(record: Head, kind: string | null): Op | undefined
  marks(): Marks
}

export const createIndexing = (marksBefore: Marks): Indexing => {
  // One copy for the batch (measured: a copy per entry took as long as the entry).
  const last: Record<string, Seq | 0> = { ...marksBefore.last }
  let { upTo } = marksBefore
  return {
    add: ({ seq, hash }, kind) => {
      upTo = seq
      if (!kind) return undefined
      const value = Buffer.allocUnsafe(16)
      writeSeq(value, 0, last[kind] ?? 0)
      value.write(hash, 8, 8, 'hex')
      last[kind] = seq
      return { type: 'put', key: indexKey(kind, seq), value }
    },
    marks: () => ({ upTo, last: { ...last } }),
  }
}

export const toMarksOp = (marks: Marks): Op => putWithChecksum(indexMark, encoder.encodeSharedRef(marks))

/** Returns undefined if the index must be rebuilt. */
export const readMarks = async (
  vocabulary: Vocabulary,
  store: Store,
  head: Head,
): Promise<Marks | undefined> => {
  const bytes = await getVerified(store, indexMark)
  const marks = bytes && decoder.decode(bytes)
  return isMarks(vocabulary, marks) && marks.upTo === head.seq ? marks : undefined
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
  }: {
    readonly kind: string
    readonly after: Seq | 0
    readonly upTo: Seq
    readonly last?: number | undefined
  },
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
export const rebuildIndex = async (vocabulary: Vocabulary, store: Store, head: Head): Promise<Marks> => {
  await wipe(store, wholeIndex)
  const index = createIndexing(createMarks(vocabulary))
  if (head.seq > 0) {
    for await (const records of walk(store, emptyHead, head)) {
      const ops = records.flatMap(
        (record) => index.add(record, findIndex(vocabulary, record.type, isErased(record))) ?? [],
      )
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
export const copyIndex = async (
  vocabulary: Vocabulary,
  from: Store,
  marks: Marks,
  to: Store,
  upTo: Seq,
): Promise<void> => {
  const last: Record<string, Seq | 0> = {}
  try {
    for (const kind of vocabulary.indexes) {
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
export const cutIndex = async (
  vocabulary: Vocabulary,
  store: Store,
  head: Head,
  upTo: Seq,
): Promise<void> => {
  const marks = await readMarks(vocabulary, store, head)
  const last: Record<string, Seq | 0> = {}
  let isWhole = marks !== undefined
  for (const kind of vocabulary.indexes) {
    const end = marks && (await findNewest(store, marks, kind, upTo))
    last[kind] = end ?? 0
    isWhole &&= end !== undefined
  }
  for (const kind of vocabulary.indexes) await wipe(store, indexSpan(kind, upTo, head.seq))
  await store.batch([isWhole ? toMarksOp({ upTo, last }) : { type: 'del', key: indexMark }], { sync: false })
}

/**
 * Returns the last position of a kind up to `upTo`: the one that the next entry names. Returns undefined if
 * unknown.
 */
const findNewest = async (
  store: Store,
  marks: Marks,
  kind: string,
  upTo: Seq,
): Promise<Seq | 0 | undefined> => {
  const end = marks.last[kind] ?? 0
  if (end <= upTo) return end
  const item = await following(store, marks, kind, upTo)
  return item && toIndexEntry(item)?.before
}

/** Returns the first entry of a kind after a position. */
export const following = async (
  store: Store,
  marks: Marks,
  kind: string,
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

/**
 * The index over the facts of a kind: derived, and able to tell by itself when something of it is missing.
 */
import { Decoder, Encoder } from '@msgpack/msgpack'
import * as z from 'zod'
import { type Kind, Kinds } from '../facts/fact.ts'
import type { Seq } from '../facts/fact-values.ts'
import { walk } from './chain.ts'
import { type Head, nowhere } from './journal.ts'
import { indexKey, indexMark, indexSpan, readSeq, seqOf, wholeIndex, writeSeq } from './keys.ts'
import { isErased, kindIn } from './record.ts'
import { sealed, trusted } from './seal.ts'
import { type Item, type Op, puts, type Store, Unreadable, wipe } from './store.ts'

const encoder = new Encoder()
const decoder = new Decoder()

const Last = z.int().min(0)
/**
 * How far the index goes, and the last position of each kind. Written with every batch, so it always stands
 * at the head.
 */
export const Marks = z.strictObject({ upTo: Last, last: z.record(z.enum(Kinds), Last) })
export type Marks = z.infer<typeof Marks>

export const noMarks: Marks = {
  upTo: 0,
  last: Object.fromEntries(Kinds.map((kind) => [kind, 0])) as Marks['last'],
}

/** A position the index gives, and the beginning of its record's chain hash, which vouches for the header. */
export interface Indexed {
  readonly seq: Seq
  readonly hash: string
}

/** What new records add to the index, one after the other, and the marks after them. */
export interface Indexing {
  /** Undefined for what is of no kind. */
  add(record: Head, kind: Kind | null): Op | undefined
  marks(): Marks
}

export const createIndexing = (before: Marks): Indexing => {
  // ⏱ One copy for all of them: one for each took as long as its entry.
  const last = { ...before.last }
  let { upTo } = before
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

export const marked = (marks: Marks): Op => sealed(indexMark, encoder.encodeSharedRef(marks))

/** Undefined where the index has to be made anew. */
export const readMarks = async (store: Store, head: Head): Promise<Marks | undefined> => {
  const bytes = await trusted(store, indexMark)
  const marks = bytes && Marks.safeParse(decoder.decode(bytes))
  return marks?.success && marks.data.upTo === head.seq ? marks.data : undefined
}

/**
 * An entry names the one before it and its record's hash, and so needs no seal of its own (⏱ which was a
 * sixth of the work of cutting a batch): what is wrong with the first shows here, what is wrong with the
 * second when the record is read.
 *
 * Positions of a kind with `after < seq <= upTo`, at most the `last` of them, oldest first. Every entry names
 * the one before it and the marks name the last, so a missing one shows: then undefined, and the index has to
 * be made anew.
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
  const found: Indexed[] = []
  try {
    let expected = await newest(store, marks, kind, upTo)
    for await (const page of store.items({ ...indexSpan(kind, after, upTo), reverse: true, limit: last })) {
      for (const item of page) {
        const entry = indexEntryOf(item)
        if (!entry || entry.seq !== expected) return undefined
        found.push({ seq: entry.seq, hash: entry.hash })
        expected = entry.before
      }
    }
    if (expected === undefined || (expected > after && found.length < last)) return undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
  return found.reverse()
}

/**
 * Makes the index anew, in steps; a step that is interrupted leaves no marks, so the next one begins again.
 */
export const rebuildIndex = async (store: Store, head: Head): Promise<Marks> => {
  await wipe(store, wholeIndex)
  const index = createIndexing(noMarks)
  if (head.seq > 0) {
    for await (const records of walk(store, nowhere, head)) {
      const ops = records.flatMap((record) => index.add(record, kindIn(record.type, isErased(record))) ?? [])
      await store.batch(ops, { sync: false })
    }
  }
  const marks = index.marks()
  await store.batch([marked(marks)], { sync: true })
  return marks
}

/**
 * What it says of the records up to one of them, into another store that has those. Without marks, to be made
 * anew there, where something of it is missing.
 */
export const copyIndex = async (from: Store, marks: Marks, to: Store, upTo: Seq): Promise<void> => {
  const last = { ...noMarks.last }
  try {
    for (const kind of Kinds) {
      const end = await newest(from, marks, kind, upTo)
      if (end === undefined) return
      last[kind] = end
      for await (const page of from.items(indexSpan(kind, 0, upTo)))
        await to.batch(puts(page), { sync: false })
    }
  } catch (error) {
    if (error instanceof Unreadable) return
    throw error
  }
  await to.batch([marked({ upTo, last })], { sync: false })
}

/**
 * What it says of records behind a position goes, in a store where it goes further. Without marks, to be made
 * anew, where something of it is missing.
 */
export const cutIndex = async (store: Store, head: Head, upTo: Seq): Promise<void> => {
  const marks = await readMarks(store, head)
  const last = { ...noMarks.last }
  let isWhole = marks !== undefined
  for (const kind of Kinds) {
    const end = marks && (await newest(store, marks, kind, upTo))
    last[kind] = end ?? 0
    isWhole &&= end !== undefined
  }
  for (const kind of Kinds) await wipe(store, indexSpan(kind, upTo, head.seq))
  await store.batch([isWhole ? marked({ upTo, last }) : { type: 'del', key: indexMark }], { sync: false })
}

/**
 * The last position of a kind up to `upTo`: what the first entry behind it names. Undefined where that cannot
 * be told.
 */
const newest = async (store: Store, marks: Marks, kind: Kind, upTo: Seq): Promise<Seq | 0 | undefined> => {
  if (marks.last[kind] <= upTo) return marks.last[kind]
  const item = await following(store, marks, kind, upTo)
  return item && indexEntryOf(item)?.before
}

/** The first entry of a kind behind a position. */
export const following = async (
  store: Store,
  marks: Marks,
  kind: Kind,
  seq: Seq,
): Promise<Item | undefined> => {
  for await (const [item] of store.items({ ...indexSpan(kind, seq, marks.upTo), limit: 1 })) return item
  return undefined
}

/** Undefined for what is no entry. */
export const indexEntryOf = ([key, value]: Item): (Indexed & { readonly before: Seq | 0 }) | undefined =>
  key.length > 8 && value.length === 16
    ? { seq: seqOf(key), before: readSeq(value, 0), hash: value.toString('hex', 8) }
    : undefined

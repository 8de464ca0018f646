/**
 * Vectors of one life in a LevelDB: about 64 per entry, keyed by the first position, one byte per number.
 * Disposable like the word index, but expensive to rebuild.
 */

import * as z from 'zod'
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Head } from '../../journal/log/head.ts'
import { emptyHead } from '../../journal/log/journal.ts'
import { readSeq, writeSeq } from '../../journal/log/keys.ts'
import type { Op } from '../../journal/log/store.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { keptMark, openStore, Unusable } from './index-store.ts'
import { has, type Positions } from './positions.ts'

/** `dimension`: numbers per vector, 0 if there are none. `tokens`: as far as reported. */
const Mark = z.strictObject({
  version: z.literal(1),
  model: z.string(),
  dimension: z.int().min(0),
  seq: z.int().min(0),
  hash: z.string(),
  vectors: z.int().min(0),
  tokens: z.int().min(0),
})
type Mark = z.infer<typeof Mark>
const mark = keptMark(Mark)

/** The vector of a part of a fact's text. */
export interface Vector {
  readonly seq: Seq
  readonly numbers: readonly number[]
}

export interface VectorStore {
  /** All facts up to `seq` are embedded. */
  mark(): Readonly<Mark>
  /** Adds vectors of facts after the mark, ascending. Throws Unusable if the dimension differs. */
  add(vectors: readonly Vector[], upTo: Head, tokens: number): Promise<void>
  /** Returns those of `there` with the nearest vectors, nearest first. Throws Unusable. */
  nearest(
    numbers: readonly number[],
    there: Positions,
    most: number,
    maybeYield: MaybeYield,
  ): Promise<readonly Seq[]>
  close(): Promise<void>
}

/** Vectors per entry. Small entries are merged when enough are there. */
const vectorsPerEntry = 64
/** Per vector: 4 bytes distance of its fact from the first, 4 bytes scale. */
const headerBytes = 8

/** Throws Unusable. */
export const openVectorStore = async (folder: string, model: string): Promise<VectorStore> => {
  const store = await openStore(folder)
  try {
    const kept = await mark.read(store)
    const fresh: Mark = { version: 1, model, dimension: 0, vectors: 0, tokens: 0, ...emptyHead }
    let now = kept ?? fresh
    if (now.model !== model) throw new Unusable('the vectors are of another model')

    /** Returns the last entries that are not full. */
    const loose = async (): Promise<readonly (readonly [Buffer, Buffer])[]> => {
      const entries: (readonly [Buffer, Buffer])[] = []
      for await (const page of store.items({ ...whole, reverse: true, limit: vectorsPerEntry }))
        for (const [key, value] of page) {
          if (countIn(value, now.dimension) >= vectorsPerEntry) return entries.reverse()
          entries.push([key, value])
        }
      return entries.reverse()
    }

    return {
      mark: () => now,
      add: async (vectors, { seq, hash }, tokens) => {
        const dimension = now.dimension || (vectors[0]?.numbers.length ?? 0)
        if (vectors.some(({ numbers }) => numbers.length !== dimension))
          throw new Unusable('the vectors are of another length')
        const rows = vectors.flatMap((vector) => rowOf(vector) ?? [])
        const ops: Op[] = []
        const old = rows.length > 0 && rows.length < vectorsPerEntry ? await loose() : []
        const before = old.flatMap(([key, value]) => rowsIn(key, value, dimension))
        const joined = before.length + rows.length >= vectorsPerEntry
        if (joined) for (const [key] of old) ops.push({ type: 'del', key })
        ops.push(...entriesOf(joined ? [...before, ...rows] : rows, dimension))
        now = {
          version: 1,
          model,
          dimension,
          seq,
          hash,
          vectors: now.vectors + rows.length,
          tokens: now.tokens + tokens,
        }
        await store.batch([...ops, mark.op(now)], { sync: false })
      },
      nearest: async (numbers, there, most, maybeYield) => {
        if (numbers.length !== now.dimension) return []
        const best = createNearest(most)
        const asked = asWhole(numbers)
        for await (const page of store.items(whole))
          for (const [key, value] of page) {
            compare(asked, readSeq(key, prefix.length), value, there, best.offer)
            await maybeYield()
          }
        return best.cut().map(({ seq }) => seq)
      },
      close: () => store.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

const prefix = Buffer.from('v/')
const whole = { from: prefix, to: Buffer.from('v0') }

const keyOf = (seq: Seq): Buffer => {
  const key = Buffer.allocUnsafe(prefix.length + 8)
  prefix.copy(key)
  writeSeq(key, prefix.length, seq)
  return key
}

interface Row {
  readonly seq: Seq
  readonly bytes: Int8Array
  /** 1 / length. */
  readonly share: number
}

/** Returns undefined for a zero vector. */
const rowOf = ({ seq, numbers }: Vector): Row | undefined => {
  let most = 0
  for (const number of numbers) most = Math.max(most, Math.abs(number))
  if (!(most > 0)) return undefined
  const bytes = new Int8Array(numbers.length)
  let square = 0
  for (const [n, number] of numbers.entries()) {
    const byte = Math.round((number / most) * 127)
    bytes[n] = byte
    square += byte * byte
  }
  return { seq, bytes, share: 1 / Math.sqrt(square) }
}

/** Full entries; longer if needed to keep the vectors of a fact together. */
function* entriesOf(rows: readonly Row[], dimension: number): Generator<Op> {
  for (let from = 0, to = 0; from < rows.length; from = to) {
    to = Math.min(from + vectorsPerEntry, rows.length)
    while (to < rows.length && rows[to]?.seq === rows[to - 1]?.seq) to++
    const first = rows[from]?.seq ?? 0
    const value = Buffer.alloc((to - from) * (headerBytes + dimension))
    for (const [n, { seq, bytes, share }] of rows.slice(from, to).entries()) {
      value.writeUInt32LE(seq - first, n * headerBytes)
      value.writeFloatLE(share, n * headerBytes + 4)
      value.set(bytes, (to - from) * headerBytes + n * dimension)
    }
    yield { type: 'put', key: keyOf(first), value }
  }
}

const countIn = (value: Buffer, dimension: number): number =>
  Math.floor(value.length / (headerBytes + dimension))

const numbersIn = (value: Buffer, dimension: number): Int8Array => {
  const count = countIn(value, dimension)
  return new Int8Array(value.buffer, value.byteOffset + count * headerBytes, count * dimension)
}

const rowsIn = (key: Buffer, value: Buffer, dimension: number): readonly Row[] => {
  const first = readSeq(key, prefix.length)
  const numbers = numbersIn(value, dimension)
  return Array.from({ length: countIn(value, dimension) }, (_, n) => ({
    seq: first + value.readUInt32LE(n * headerBytes),
    share: value.readFloatLE(n * headerBytes + 4),
    bytes: numbers.slice(n * dimension, (n + 1) * dimension),
  }))
}

type Offer = (seq: Seq, nearness: number) => void

/** Scales to integers whose dot product with bytes fits in 32 bits. */
const asWhole = (numbers: readonly number[]): Int32Array => {
  const most = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0)
  return Int32Array.from(numbers, (number) => Math.round((number / (most || 1)) * 1023))
}

// Takes nearly all of the time of a question.
const compare = (asked: Int32Array, first: Seq, value: Buffer, there: Positions, offer: Offer): void => {
  const dimension = asked.length
  const numbers = numbersIn(value, dimension)
  for (let n = 0, at = 0; at < numbers.length; n++, at += dimension) {
    const seq = first + value.readUInt32LE(n * headerBytes)
    if (!has(there, seq)) continue
    let sum = 0
    for (let i = 0; i < dimension; i++) sum = (sum + Math.imul(asked[i] ?? 0, numbers[at + i] ?? 0)) | 0
    offer(seq, sum * value.readFloatLE(n * headerBytes + 4))
  }
}

/** The nearest part of a text counts. Ignores vectors without similarity. */
const createNearest = (most: number) => {
  let best: { readonly seq: Seq; readonly nearness: number }[] = []
  let least = 0
  const cut = () => {
    const seen = new Set<Seq>()
    best = best
      .sort((one, other) => other.nearness - one.nearness || other.seq - one.seq)
      .filter(({ seq }) => !seen.has(seq) && seen.add(seq))
      .slice(0, most)
    if (best.length === most) least = best.at(-1)?.nearness ?? 0
    return best
  }
  const offer: Offer = (seq, nearness) => {
    if (!(nearness > least)) return
    best.push({ seq, nearness })
    if (best.length > 4 * most) cut()
  }
  return { offer, cut }
}

/**
 * Vectors of one life in a LevelDB: about 64 per entry, keyed by the first position, one byte per number.
 * A second entry holds one bit per number. A search estimates all vectors by their bits, then compares the
 * best candidates exactly. Disposable like the word index, but expensive to rebuild.
 */

import * as z from 'zod'
import type { Seq } from '../../facts/fact-values.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import { readSeq, writeSeq } from '../../journal/log/keys.ts'
import type { Op } from '../../journal/log/store.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { EmbedderWeights } from './embedder-weights.ts'
import { keptMark, openStore, Unusable } from './index-store.ts'
import { hasSeq, type Positions } from './positions.ts'

/**
 * `dimension`: numbers per vector, 0 if there are none. `tokens`: as far as reported. `weights`: of the
 * model, null until they are measured. Version 1 embedded messages without their speaker and the previous
 * message; version 2 had no bits.
 */
const Mark = z.strictObject({
  version: z.literal([2, 3]),
  model: z.string(),
  dimension: z.int().min(0),
  seq: z.int().min(0),
  hash: z.string(),
  vectors: z.int().min(0),
  tokens: z.int().min(0),
  weights: EmbedderWeights.nullable(),
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
  setWeights(weights: EmbedderWeights): Promise<void>
  /** Adds vectors of facts after the mark, ascending. Throws Unusable if the dimension differs. */
  add(vectors: readonly Vector[], upTo: Head, tokens: number): Promise<void>
  /** Returns those of `there` with the nearest vectors, nearest first. Throws Unusable. */
  nearest(
    numbers: readonly number[],
    positions: Positions,
    maxCount: number,
    maybeYield: MaybeYield,
  ): Promise<readonly Seq[]>
  close(): Promise<void>
}

/** Vectors per entry. Small entries are merged when enough are there. */
const vectorsPerEntry = 64
/** Per vector: 4 bytes distance of its fact from the first, 4 bytes scale. */
const headerBytes = 8
/** Per vector of an entry with bits: distance of its fact from the first. */
const bitsHeaderBytes = 4
/** Vectors that are compared exactly, per result. */
const candidatesPerResult = 8

/** Throws Unusable. */
export const openVectorStore = async (folder: string, model: string): Promise<VectorStore> => {
  const store = await openStore(folder)
  try {
    const storedMark = await mark.read(store)
    const emptyMark: Mark = {
      version: 3,
      model,
      dimension: 0,
      vectors: 0,
      tokens: 0,
      weights: null,
      ...emptyHead,
    }
    let now = storedMark ?? emptyMark
    if (now.model !== model) throw new Unusable('the vectors are of another model')
    if (now.version < 3) {
      for await (const page of store.items(wholeRange)) {
        const ops = page.map(([key, value]) => toBitsOp(rowsIn(key, value, now.dimension), now.dimension))
        await store.batch(ops, { sync: false })
      }
      now = { ...now, version: 3 }
      await store.batch([mark.op(now)], { sync: false })
    }

    /** Returns the last entries that are not full. */
    const readLooseRows = async (): Promise<readonly (readonly [Buffer, Buffer])[]> => {
      const entries: (readonly [Buffer, Buffer])[] = []
      for await (const page of store.items({ ...wholeRange, reverse: true, limit: vectorsPerEntry }))
        for (const [key, value] of page) {
          if (countIn(value, now.dimension) >= vectorsPerEntry) return entries.reverse()
          entries.push([key, value])
        }
      return entries.reverse()
    }

    return {
      mark: () => now,
      setWeights: async (weights) => {
        now = { ...now, weights }
        await store.batch([mark.op(now)], { sync: false })
      },
      add: async (vectors, { seq, hash }, tokens) => {
        const dimension = now.dimension || (vectors[0]?.numbers.length ?? 0)
        if (vectors.some(({ numbers }) => numbers.length !== dimension))
          throw new Unusable('the vectors are of another length')
        const rows = vectors.flatMap((vector) => toRow(vector) ?? [])
        const ops: Op[] = []
        const old = rows.length > 0 && rows.length < vectorsPerEntry ? await readLooseRows() : []
        const oldRows = old.flatMap(([key, value]) => rowsIn(key, value, dimension))
        const isJoined = oldRows.length + rows.length >= vectorsPerEntry
        if (isJoined)
          for (const [key] of old)
            ops.push({ type: 'del', key }, { type: 'del', key: toBitsKey(readSeq(key, prefix.length)) })
        ops.push(...toOps(isJoined ? [...oldRows, ...rows] : rows, dimension))
        now = {
          ...now,
          dimension,
          seq,
          hash,
          vectors: now.vectors + rows.length,
          tokens: now.tokens + tokens,
        }
        await store.batch([...ops, mark.op(now)], { sync: false })
      },
      nearest: async (numbers, positions, maxCount, maybeYield) => {
        if (numbers.length !== now.dimension) return []
        const question = toIntegers(numbers)
        const sums = toSums(question)
        const candidates = createTop<Candidate>(maxCount * candidatesPerResult)
        for await (const page of store.items(bitsRange))
          for (const [key, value] of page) {
            estimate(sums, readSeq(key, prefix.length), value, positions, candidates)
            await maybeYield()
          }
        const nearest = createTop<Seq>(maxCount * candidatesPerResult)
        for (const [first, rows] of groupByEntry(candidates.listBest())) {
          const value = await store.get(toKey(first))
          if (value) compare(question, first, value, rows, nearest)
          await maybeYield()
        }
        return [...new Set(nearest.listBest())].slice(0, maxCount)
      },
      close: () => store.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

const prefix = Buffer.from('v/')
const wholeRange = { from: prefix, to: Buffer.from('v0') }
const bitsPrefix = Buffer.from('s/')
const bitsRange = { from: bitsPrefix, to: Buffer.from('s0') }

const toKey = (seq: Seq, start = prefix): Buffer => {
  const key = Buffer.allocUnsafe(start.length + 8)
  start.copy(key)
  writeSeq(key, start.length, seq)
  return key
}

const toBitsKey = (seq: Seq): Buffer => toKey(seq, bitsPrefix)

interface Row {
  readonly seq: Seq
  readonly bytes: Int8Array
  /** 1 / length. */
  readonly share: number
}

/** Returns undefined for a zero vector. */
const toRow = ({ seq, numbers }: Vector): Row | undefined => {
  let maxCount = 0
  for (const number of numbers) maxCount = Math.max(maxCount, Math.abs(number))
  if (!(maxCount > 0)) return undefined
  const bytes = new Int8Array(numbers.length)
  let square = 0
  for (const [n, number] of numbers.entries()) {
    const byte = Math.round((number / maxCount) * 127)
    bytes[n] = byte
    square += byte * byte
  }
  return { seq, bytes, share: 1 / Math.sqrt(square) }
}

/** Full entries, each with its bits; longer if needed to keep the vectors of a fact together. */
function* toOps(rows: readonly Row[], dimension: number): Generator<Op> {
  for (let from = 0, to = 0; from < rows.length; from = to) {
    to = Math.min(from + vectorsPerEntry, rows.length)
    while (to < rows.length && rows[to]?.seq === rows[to - 1]?.seq) to++
    const entryRows = rows.slice(from, to)
    const first = rows[from]?.seq ?? 0
    const value = Buffer.alloc(entryRows.length * (headerBytes + dimension))
    for (const [n, { seq, bytes, share }] of entryRows.entries()) {
      value.writeUInt32LE(seq - first, n * headerBytes)
      value.writeFloatLE(share, n * headerBytes + 4)
      value.set(bytes, entryRows.length * headerBytes + n * dimension)
    }
    yield { type: 'put', key: toKey(first), value }
    yield toBitsOp(entryRows, dimension)
  }
}

/** A bit is set if the number is positive. The first number is the lowest bit. */
const toBitsOp = (rows: readonly Row[], dimension: number): Op => {
  const first = rows[0]?.seq ?? 0
  const bitsBytes = Math.ceil(dimension / 8)
  const value = Buffer.alloc(rows.length * (bitsHeaderBytes + bitsBytes))
  for (const [n, { seq, bytes }] of rows.entries()) {
    value.writeUInt32LE(seq - first, n * bitsHeaderBytes)
    const start = rows.length * bitsHeaderBytes + n * bitsBytes
    for (const [i, byte] of bytes.entries())
      if (byte > 0) value[start + (i >> 3)] = (value[start + (i >> 3)] ?? 0) | (1 << (i & 7))
  }
  return { type: 'put', key: toBitsKey(first), value }
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

/** Scales to integers whose dot product with bytes fits in 32 bits. */
const toIntegers = (numbers: readonly number[]): Int32Array => {
  const maxCount = numbers.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0)
  return Int32Array.from(numbers, (number) => Math.round((number / (maxCount || 1)) * 1023))
}

/** For each 8 numbers of the question and each byte of bits: the sum, in which unset bits count negative. */
const toSums = (question: Int32Array): Int32Array => {
  const sums = new Int32Array(Math.ceil(question.length / 8) * 256)
  for (let n = 0; n < sums.length; n++) {
    const start = (n >> 8) * 8
    for (let bit = 0; bit < 8; bit++) {
      const number = question[start + bit] ?? 0
      sums[n] = (sums[n] ?? 0) + (n & (1 << bit) ? number : -number)
    }
  }
  return sums
}

/** A vector by the first position and the row of its entry. */
interface Candidate {
  readonly first: Seq
  readonly row: number
}

interface Top<T> {
  /** An item with a lower score is ignored. */
  minScore(): number
  offer(item: T, score: number): void
  /** Best first. */
  listBest(): readonly T[]
}

// Takes most of the time of a question.
const estimate = (
  sums: Int32Array,
  first: Seq,
  value: Buffer,
  positions: Positions,
  top: Top<Candidate>,
): void => {
  const bitsBytes = sums.length >> 8
  const count = Math.floor(value.length / (bitsHeaderBytes + bitsBytes))
  for (let row = 0, position = count * bitsHeaderBytes; row < count; row++, position += bitsBytes) {
    if (!hasSeq(positions, first + value.readUInt32LE(row * bitsHeaderBytes))) continue
    let sum = 0
    for (let i = 0; i < bitsBytes; i++) sum = (sum + (sums[(i << 8) | (value[position + i] ?? 0)] ?? 0)) | 0
    if (sum >= top.minScore()) top.offer({ first, row }, sum)
  }
}

/** In the order of positions. */
const groupByEntry = (candidates: readonly Candidate[]): Map<Seq, number[]> => {
  const rowsByEntry = new Map<Seq, number[]>()
  for (const { first, row } of candidates.toSorted((a, b) => a.first - b.first || a.row - b.row)) {
    const rows = rowsByEntry.get(first)
    if (rows) rows.push(row)
    else rowsByEntry.set(first, [row])
  }
  return rowsByEntry
}
/** Compares rows of an entry exactly. Ignores vectors without similarity. */
const compare = (
  question: Int32Array,
  first: Seq,
  value: Buffer,
  rows: readonly number[],
  top: Top<Seq>,
): void => {
  const dimension = question.length
  const numbers = numbersIn(value, dimension)
  for (const row of rows) {
    let sum = 0
    for (let i = 0; i < dimension; i++)
      sum = (sum + Math.imul(question[i] ?? 0, numbers[row * dimension + i] ?? 0)) | 0
    const score = sum * value.readFloatLE(row * headerBytes + 4)
    if (score > 0) top.offer(first + value.readUInt32LE(row * headerBytes), score)
  }
}

/** Keeps the items with the highest scores. Of equal scores, the newest is better. */
const createTop = <T>(maxCount: number): Top<T> => {
  let items: { readonly item: T; readonly score: number; readonly order: number }[] = []
  let minScore = Number.NEGATIVE_INFINITY
  let offerCount = 0
  const listBest = (): readonly T[] => {
    items = items.sort((a, b) => b.score - a.score || b.order - a.order).slice(0, maxCount)
    if (items.length === maxCount) minScore = items.at(-1)?.score ?? minScore
    return items.map(({ item }) => item)
  }
  const offer = (item: T, score: number) => {
    if (score < minScore) return
    items.push({ item, score, order: offerCount++ })
    if (items.length > 4 * maxCount) listBest()
  }
  return { minScore: () => minScore, offer, listBest }
}
